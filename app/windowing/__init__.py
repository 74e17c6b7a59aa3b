"""Which window is where, asked in the first way that works here."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from fingerpost.app.windowing.handler import Handler
from fingerpost.app.windowing.macos import MacOS
from fingerpost.app.windowing.sway import Sway
from fingerpost.app.windowing.values import WindowAt
from fingerpost.app.windowing.windows import Windows
from fingerpost.app.windowing.x11 import X11
from fingerpost.engine.errors import WindowError
from fingerpost.engine.geometry import DesktopPoint

__all__ = ["Handler", "WindowAt", "active_window", "handler", "handlers", "visible_windows", "window_at"]

HANDLERS: tuple[Handler, ...] = (Windows(), MacOS(), Sway(), X11())
"""The ways to ask, the preferred one first. On each system all but one or two say that they cannot work."""


def handlers() -> tuple[tuple[Handler, str | None], ...]:
    """Every way with its problem, None where it works."""
    return tuple((one, one.problem()) for one in HANDLERS)


def handler() -> Handler:
    """The first way that works here. Raises `WindowError` when there is none."""
    for one in HANDLERS:
        if one.problem() is None:
            return one
    raise WindowError(
        "This desktop does not tell which windows are open.", "Use Sway, a session on X11, Windows or macOS for that."
    )


def window_at(point: DesktopPoint, ignore: Collection[int] = ()) -> WindowAt | None:
    """The window that a click at `point` would reach. None over the bare desktop, and when nobody tells.

    Windows of this process, and those whose `id` is in `ignore`, are looked through.
    """
    with suppress(WindowError):
        return handler().window_at(point, ignore)
    return None


def active_window() -> WindowAt | None:
    """The window with the keyboard; when it is ours, the topmost other one. None when nobody tells."""
    with suppress(WindowError):
        return handler().active_window()
    return None


def visible_windows() -> tuple[WindowAt, ...]:
    """All windows on the screen, also covered ones, topmost first; ours and tooltips are left out.

    Raises `WindowError` when nobody tells: "none" and "unknown" must not be taken for each other.
    """
    return handler().visible_windows()
