"""Carries out an order: check the screen again, act, look whether anything came of it.

Only this file acts. What it decides by is in `checks`, `sameness`, `reaction`, `corners` and `exclusions`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from fingerpost.app import windowing
from fingerpost.app.acting import reaction, sameness
from fingerpost.app.acting.checks import check_order, check_pointer, check_window, refused, stopped
from fingerpost.app.acting.exclusions import excluded
from fingerpost.app.acting.order import Order, Outcome
from fingerpost.app.acting.reaction import Mask, Surroundings
from fingerpost.app.input.pointer import Pointer
from fingerpost.app.settings.values import Settings
from fingerpost.engine import capture
from fingerpost.engine.errors import CaptureError, InputError, WindowError
from fingerpost.engine.geometry import Layout, frame_box_to_desktop
from fingerpost.engine.values import Box, Frame, Pixels

BUTTON_AND_COUNT = {"click": ("left", 1), "double": ("left", 2), "right": ("right", 1), "middle": ("middle", 1),
                    "type": ("left", 1)}  # fmt: skip
SETTLE_S = 0.35
"""How long the pixels may differ before that is a refusal: our own windows fade away, focus comes back."""
HOVER_S = 0.03
"""From the pointer's arrival to the picture before the click, so that a highlight under it is no reaction."""
REACTION_S = 1.0
FOCUS_S = 0.3
"""How long a field has to take the keyboard before something is typed into it."""
PAUSES_S = (0.015, 0.03, 0.05, 0.08, 0.12)
"""Between looks after the click; the last one again and again."""


@dataclass(frozen=True, eq=False)
class Before:
    """What is compared with the screen after the click. Pixels of the window under the target."""

    pixels: Pixels
    restless: Mask
    surroundings: Surroundings


class Actor:
    """Carries out one order at a time, on the caller's thread.

    grab      pixels of a part of the desktop, BGRA
    stop      set from any thread: nothing more is done
    settings  asked at each order, for what is excluded
    """

    def __init__(
        self,
        pointer: Pointer,
        grab: Callable[[Box], Pixels],
        stop: threading.Event,
        settings: Callable[[], Settings] = Settings,
        layout: Callable[[], Layout] = capture.monitors,
    ) -> None:
        self._pointer = pointer
        self._grab = grab
        self._stop = stop
        self._settings = settings
        self._layout = layout
        self._one_at_a_time = threading.Lock()

    def perform(self, order: Order) -> Outcome:
        """Check, act, verify. Blocks for up to about 1.5 seconds and while a text is typed.

        Does not raise for what can go wrong on a screen: that is an outcome. Raises `ValueError` for an action that
        needs no pointer.
        """
        if order.action != "move" and order.action not in BUTTON_AND_COUNT:
            raise ValueError(f"no action of the pointer: {order.action}")
        with self._one_at_a_time:
            try:
                return self._refusal(order) or (_dry_run(order) if order.dry_run else self._act(order))
            except InputError as error:
                return refused("input_failed", problem=error.message)
            except CaptureError as error:
                return refused("cannot_look", problem=error.message)

    def _refusal(self, order: Order) -> Outcome | None:
        """None when all is as it was at the look. Pixels get a moment to become so again."""
        until = time.monotonic() + SETTLE_S
        while True:
            if self._stop.is_set():
                return stopped()
            if refusal := self._changed(order):
                return refusal
            if self._pixels_are_the_same(order):
                return None
            if time.monotonic() > until:
                return refused("pixels_changed")
            self._stop.wait(PAUSES_S[1])

    def _changed(self, order: Order) -> Outcome | None:
        layout = self._layout()
        if refusal := check_order(order, layout) or check_pointer(order.pointer, self._pointer.position(), layout):
            return refusal
        now = windowing.window_at(order.place)
        if now is not None and excluded([now], self._settings()):
            return refused("excluded", app=now.app or now.title)
        return check_window(order.window, now)

    def _pixels_are_the_same(self, order: Order) -> bool:
        frame = order.frame
        target, point = frame_box_to_desktop(frame, order.target.box), (order.place.x, order.place.y)
        patch = sameness.patch_box(target, point, _visible(order))
        core = sameness.core_box(target, point).intersection(patch).moved(-patch.x, -patch.y)
        before, now = _cut(frame, patch), self._grab(patch)
        rows, columns = min(before.shape[0], now.shape[0]), min(before.shape[1], now.shape[1])
        return sameness.shows_the_same(before[:rows, :columns], now[:rows, :columns], _scaled(core, frame))

    def _act(self, order: Order) -> Outcome:
        try:
            self._pointer.move(order.place)
            if order.action == "move":
                return Outcome("done", "acting.moved")
            before = self._before(order)
            if refusal := self._interrupted(order):
                return refusal
            button, count = BUTTON_AND_COUNT[order.action]
            self._pointer.click(order.place, button, count)
            if order.action == "type":
                return self._type(order, before)
            return self._verified(order, before, REACTION_S)
        finally:
            self._pointer.release_all()

    def _interrupted(self, order: Order) -> Outcome | None:
        """The last moment: the user stopped it, or took the pointer away after we had moved it."""
        if self._stop.is_set():
            return stopped()
        return check_pointer(order.place, self._pointer.position(), self._layout())

    def _type(self, order: Order, before: Before) -> Outcome:
        """After the click: give the field a moment to take the keyboard, then type if it is still the same window."""
        clicked = self._verified(order, before, FOCUS_S)
        if self._stop.is_set():
            return stopped()
        active = windowing.active_window()
        if order.window and active and active.id != order.window.id and active.pid != order.window.pid:
            return Outcome("unverified", "acting.focus_elsewhere", {"app": active.app or active.title})
        if not order.text:
            return clicked
        before = self._before(order)
        try:
            self._pointer.type_text(order.text, self._stop.is_set)
        except InputError as error:
            return Outcome("unverified", "acting.typing_failed", {"problem": error.message})
        return stopped("typing_stopped") if self._stop.is_set() else self._verified(order, before, REACTION_S)

    def _verified(self, order: Order, before: Before, patience_s: float) -> Outcome:
        until = time.monotonic() + patience_s
        looks = 0
        while time.monotonic() < until and not self._stop.is_set():
            self._stop.wait(PAUSES_S[min(looks, len(PAUSES_S) - 1)])
            looks += 1
            try:
                pixels = self._grab(_visible(order))
            except CaptureError:
                break
            if reaction.pixels_reacted(before.pixels, pixels, before.restless) or reaction.surroundings_reacted(
                before.surroundings, _surroundings(order)
            ):
                return Outcome("done", "acting.done")
        return Outcome("unverified", "acting.unverified")

    def _before(self, order: Order) -> Before:
        """The window with the pointer resting on the target, and what moves in it by itself."""
        visible = _visible(order)
        surroundings = _surroundings(order)
        self._stop.wait(HOVER_S)
        first = self._grab(visible)
        self._stop.wait(HOVER_S)
        second = self._grab(visible)
        moving = reaction.restless(first, second)
        looked_at = _cut(order.frame, visible)
        if looked_at.shape == second.shape:
            target = frame_box_to_desktop(order.frame, order.target.box).moved(-visible.x, -visible.y)
            moving |= reaction.restless_outside(looked_at, second, _scaled(target, order.frame))
        return Before(second, moving, surroundings)


def _surroundings(order: Order) -> Surroundings:
    try:
        windows = frozenset(window.id for window in windowing.visible_windows())
    except WindowError:
        windows = None
    active = windowing.active_window()
    is_clicked = active is not None and order.window is not None and active.id == order.window.id
    return Surroundings(windows, active.id if active and not is_clicked else None)


def _visible(order: Order) -> Box:
    """The part of the desktop that the frame shows of the window under the target; all of it over the bare desktop."""
    area = frame_box_to_desktop(order.frame, order.frame.box)
    return order.window.box.intersection(area) if order.window else area


def _cut(frame: Frame, box: Box) -> Pixels:
    """What the frame shows of a part of the desktop."""
    part = _scaled(box.moved(-frame.origin[0], -frame.origin[1]), frame)
    return frame.pixels[part.y : part.bottom, part.x : part.right]


def _scaled(box: Box, frame: Frame) -> Box:
    """Desktop units as frame pixels; both count from the same corner."""
    return Box(*(round(side * frame.pixels_per_unit) for side in box))


def _dry_run(order: Order) -> Outcome:
    return Outcome("dry run", "acting.dry_run", {"x": str(order.place.x), "y": str(order.place.y)})
