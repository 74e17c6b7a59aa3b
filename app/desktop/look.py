"""One look at the screen: what is open, what may be seen, the picture, and the accessibility tree that is on its way.

Everything is taken before any window of ours is shown, so that the picture is what the user had in mind.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass

from fingerpost.app import input as pointing
from fingerpost.app import windowing
from fingerpost.app.acting.exclusions import excluded, windows_to_check
from fingerpost.app.settings.values import Settings
from fingerpost.app.text import text
from fingerpost.app.windowing import WindowAt
from fingerpost.engine import accessibility, capture
from fingerpost.engine.accessibility import AccessibleNode, Pending
from fingerpost.engine.errors import FingerpostError
from fingerpost.engine.geometry import DesktopPoint, Layout, Monitor
from fingerpost.engine.values import Box, Frame

TREE_S = 0.3
"""How long the accessibility tree may take; what has arrived by then is used."""


@dataclass(frozen=True)
class Look:
    """What was there when the user asked.

    windows  topmost first, desktop physical pixels
    active   the window that had the keyboard
    pointer  where the pointer was; None where the system does not tell
    at       when it began, seconds of `time.monotonic`
    tree     the accessibility tree of the active window, on its way; None when the user does not want it
    """

    frame: Frame
    layout: Layout
    monitor: Monitor
    windows: tuple[WindowAt, ...]
    active: WindowAt | None
    pointer: DesktopPoint | None
    tree: Pending | None
    at: float

    def nodes(self) -> tuple[AccessibleNode, ...]:
        """What the tree tells, without what other windows hide. Waits for the rest of the tree's time."""
        if self.tree is None:
            return ()
        order = [window.id for window in self.windows]
        place = order.index(self.active.id) if self.active and self.active.id in order else 0
        above = [window.box for window in self.windows[:place] if self.active and window.pid != self.active.pid]
        return accessibility.uncovered(self.tree.result().nodes, above)

    def window_under(self, point: DesktopPoint) -> WindowAt | None:
        """The topmost window that showed a point."""
        return next((window for window in self.windows if window.box.contains(point.x, point.y)), None)


class ExcludedError(FingerpostError):
    """A window is open that the user never wants captured."""


def take(settings: Settings) -> Look:
    """Look at the monitor with the pointer.

    Raises `ExcludedError`, or `WindowError` where exclusions cannot be checked, before anything is captured; and
    `CaptureError`.
    """
    begun = time.monotonic()
    layout = capture.monitors()
    pointer = pointer_position()
    windows = windows_to_check(settings)
    active = windowing.active_window()
    monitor = monitor_of(pointer, active, layout)
    seen = [window for window in windows if window.box.intersection(monitor.box).area]
    if window := excluded(seen, settings):
        raise ExcludedError(text("acting.excluded", app=window.app or window.title), text("acting.excluded_hint"))
    tree = accessibility.begin(TREE_S, active.pid if active else None) if settings.accessibility else None
    frame = capture.capture(capture.Screen(monitor.number))
    return Look(frame, layout, monitor, windows, active, pointer, tree, begun)


def prepare(settings: Settings) -> None:
    """Load and connect everything that a look needs, so that the first one is as quick as the others."""
    if settings.accessibility:
        accessibility.enable()
        accessibility.prepare()
    with suppress(FingerpostError):
        monitor = monitor_of(pointer_position(), windowing.active_window(), capture.monitors())
        if excluded(windows_to_check(settings), settings) is None:
            capture.handler().grab(Box(monitor.box.x, monitor.box.y, 1, 1))


def pointer_position() -> DesktopPoint | None:
    """Where the pointer is; None where nothing tells."""
    try:
        return pointing.pointer().position()
    except FingerpostError:
        return None


def monitor_of(pointer: DesktopPoint | None, active: WindowAt | None, layout: Layout) -> Monitor:
    """The monitor with the pointer; where nobody tells, that of the active window, the primary one, the first."""
    places = [(pointer.x, pointer.y)] if pointer is not None else []
    places += [active.box.centre] if active is not None else []
    for x, y in places:
        for monitor in layout.monitors:
            if monitor.box.contains(x, y):
                return monitor
    return next((monitor for monitor in layout.monitors if monitor.primary), layout.monitors[0])
