"""Windows on X11, with any window manager and with none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, TypeVar

from fingerpost.app.windowing import x11_tree
from fingerpost.app.windowing.values import WindowAt
from fingerpost.app.windowing.x11_connection import NoServerError, X11Connection, problem_of
from fingerpost.engine.errors import WindowError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box

if TYPE_CHECKING:
    from Xlib.display import Display
    from Xlib.xobject.drawable import Window

Result = TypeVar("Result")


class X11:
    name = "X11"
    hint = "Log in to a desktop session on X11."

    def __init__(self) -> None:
        self._connection = X11Connection()

    def problem(self) -> str | None:
        return problem_of(self._connection)

    def window_at(self, point: DesktopPoint, ignore: Collection[int] = ()) -> WindowAt | None:
        return self._run(lambda display: _window_at(display, point, ignore))

    def active_window(self) -> WindowAt | None:
        return self._run(_active_window)

    def visible_windows(self) -> tuple[WindowAt, ...]:
        return self._run(_visible_windows)

    def _run(self, action: Callable[[Display], Result]) -> Result:
        try:
            return self._connection.run(action)
        except NoServerError as error:
            raise WindowError(f"The open windows are unknown: {error}.", self.hint) from error


def _window_at(display: Display, point: DesktopPoint, ignore: Collection[int]) -> WindowAt | None:
    """One question settles it, unless a window to look through is on top there."""
    top = x11_tree.top_at(display, point)
    if top is None:
        return None
    clients = x11_tree.clients(display)
    found = _described(display, clients, top)
    if found is not None and not _looked_through(found, ignore):
        return found
    for window, box, _ in x11_tree.shown(display):
        if x11_tree.gets_clicks(window, box, point):
            found = _described(display, clients, window, box)
            if found is not None and not _looked_through(found, ignore):
                return found
    return None


def _visible_windows(display: Display) -> tuple[WindowAt, ...]:
    screen = display.screen()
    desktop = Box(0, 0, screen.width_in_pixels, screen.height_in_pixels)
    clients = x11_tree.clients(display)
    tops = [top for top in x11_tree.shown(display) if top.has_pixels and top.box.intersection(desktop).area]
    found = [_described(display, clients, top.window, top.box) for top in tops]
    seen = [window for window in found if window is not None and not x11_tree.is_ours(window)]
    return tuple(window for window in seen if not x11_tree.is_hidden(display, window))


def _active_window(display: Display) -> WindowAt | None:
    number = x11_tree.active(display)
    top = x11_tree.top_of(display, number) if number > 1 else None  # 0 and 1: nobody, and whoever has the pointer
    found = _described(display, x11_tree.clients(display), top) if top is not None else None
    if found is None or not x11_tree.is_ours(found):
        return found
    return next((one for one in _visible_windows(display) if x11_tree.is_ordinary(display, one)), None)


def _looked_through(window: WindowAt, ignore: Collection[int]) -> bool:
    return window.id in ignore or x11_tree.is_ours(window)


def _described(display: Display, clients: Mapping[int, Window], top: Window, box: Box | None = None) -> WindowAt | None:
    """None for a window that was closed between two questions."""
    from Xlib import error

    try:
        return x11_tree.describe(display, top, box or x11_tree.place(top), clients)
    except error.XError:
        return None
