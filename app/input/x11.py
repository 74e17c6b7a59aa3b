"""Pointer and keyboard on X11 through XTest.

What belongs together, a press and its release above all, goes to the server in one piece: this program may be killed
at any moment and still leaves no button and no key down.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from fingerpost.app.input import x11_events
from fingerpost.app.input.keymap import Batch, batches
from fingerpost.app.input.pointer import never
from fingerpost.app.windowing.x11_connection import NoServerError, X11Connection, problem_of
from fingerpost.engine.errors import InputError
from fingerpost.engine.geometry import DesktopPoint

if TYPE_CHECKING:
    from Xlib.display import Display

PATIENCE_S = 1.0
"""How long to wait for the user to let go of Ctrl, Alt or Super."""
PROGRAMS_READ_KEYS_S = 0.15
"""Programs read a changed keyboard when they get to it; a key pressed sooner would mean nothing to them."""
PROGRAMS_LAG_S = 0.4
"""Programs look a key's meaning up when they handle it, so a spare key keeps it for a while after the last one."""
KEYS_AT_ONCE = 8
"""So many keys lie between two questions whether to stop."""

Result = TypeVar("Result")


class X11:
    name = "X11 XTest"
    hint = "Log in to a desktop session on X11."

    def __init__(self) -> None:
        self._connection = X11Connection()

    def problem(self) -> str | None:
        return problem_of(self._connection, "XTEST")

    def position(self) -> DesktopPoint | None:
        return self._run(x11_events.position)

    def move(self, point: DesktopPoint) -> None:
        self._run(lambda display: _move(display, point))

    def click(self, point: DesktopPoint, button: str = "left", count: int = 1) -> None:
        def act(display: Display) -> None:
            _free_modifiers(display)
            _move(display, point)
            x11_events.click(display, point, button, count)

        self._run(act)

    def type_text(self, text: str, stopped: Callable[[], bool] = never) -> None:
        self._run(_free_modifiers)
        keyboard, group = self._run(x11_events.keyboard)
        caps = self._run(x11_events.caps_lock_is_on)
        try:
            if caps:
                self._run(x11_events.press_caps_lock)
            for batch in batches(text, keyboard, group):
                self._type(batch, stopped)
        finally:
            if caps:
                self._run(x11_events.press_caps_lock)

    def release_all(self) -> None:
        try:
            self._run(x11_events.release_all)
        except InputError:  # the server is gone, and with it all that was pressed
            return

    def _type(self, batch: Batch, stopped: Callable[[], bool]) -> None:
        try:
            if batch.extra:
                self._run(lambda display: x11_events.assign(display, batch.extra))
                time.sleep(PROGRAMS_READ_KEYS_S)
            for start in range(0, len(batch.strokes), KEYS_AT_ONCE):
                if stopped():
                    return
                self._run(partial(x11_events.strike, strokes=batch.strokes[start : start + KEYS_AT_ONCE]))
        finally:
            if batch.extra:
                time.sleep(PROGRAMS_LAG_S)
                self._run(lambda display: x11_events.assign(display, dict.fromkeys(batch.extra, 0)))

    def _run(self, action: Callable[[Display], Result]) -> Result:
        try:
            return self._connection.run(action)
        except NoServerError as error:
            raise InputError(f"The pointer and the keyboard cannot be used: {error}.", self.hint) from error


def _move(display: Display, point: DesktopPoint) -> None:
    x11_events.move(display, point)
    reached = x11_events.position(display)
    if reached != point:
        raise InputError(
            f"The pointer went to {reached.x},{reached.y} instead of {point.x},{point.y}.",
            "Let go of the mouse and try again; another program may be holding the pointer.",
        )


def _free_modifiers(display: Display) -> None:
    """Let go of what was pressed by programs, then wait for the user: Alt and a click would move the window."""
    x11_events.release_all(display)
    until = time.monotonic() + PATIENCE_S
    while x11_events.modifier_is_held(display):
        if time.monotonic() > until:
            raise InputError("A key like Ctrl, Alt or Shift is held down.", "Let go of it and try again.")
        time.sleep(0.01)
