"""Windows on Sway: the only Wayland desktop here that tells where they are. Menus and popups are not among them."""

from __future__ import annotations

import os
from collections.abc import Collection

from fingerpost.app.windowing.processes import names_of
from fingerpost.app.windowing.values import WindowAt
from fingerpost.engine.errors import FingerpostError, WindowError
from fingerpost.engine.geometry import DesktopPoint, GeometryError
from fingerpost.engine.wayland import session, space, sway


class Sway:
    name = "Sway"
    hint = "Install swaymsg, which belongs to Sway."

    def problem(self) -> str | None:
        missing = session.not_here()
        return sway.problem() if missing is None else missing

    def window_at(self, point: DesktopPoint, ignore: Collection[int] = ()) -> WindowAt | None:
        shown = (window for window, _ in _shown() if window.id not in ignore)
        return next((window for window in shown if window.box.contains(point.x, point.y)), None)

    def active_window(self) -> WindowAt | None:
        found = _shown()
        focused = [window for window, has_focus in found if has_focus]
        return next(iter([*focused, *(window for window, _ in found)]), None)

    def visible_windows(self) -> tuple[WindowAt, ...]:
        return tuple(window for window, _ in _shown())


def _shown() -> list[tuple[WindowAt, bool]]:
    """What is on the screen, topmost first, with whether it has the keyboard. Raises `WindowError`."""
    try:
        here = space.native(session.outputs())
        found = sway.windows()
    except FingerpostError as error:
        raise WindowError(f"The open windows are unknown: {error.message}", error.hint) from error
    shown = []
    for window in found:
        described = _described(here, window) if window.visible and window.pid != os.getpid() else None
        if described is not None:
            shown.append((described, window.focused))
    return shown


def _described(here: space.Space, window: sway.SwayWindow) -> WindowAt | None:
    """None for a window on no monitor."""
    try:
        box = here.box_to_desktop(window.box)
    except GeometryError:
        return None
    app = window.app.rpartition(".")[2]  # "org.kde.kcalc" is kcalc
    processes = frozenset() if window.pid is None else names_of(window.pid)
    return WindowAt(window.id, window.title, app, window.pid, box, names=processes | {window.app, app} - {""})
