"""Escape pressed twice quickly stops everything, whatever window has the keyboard."""

from __future__ import annotations

from collections.abc import Callable

from fingerpost.app.kill_switch.gesture import WITHIN_S, DoubleTap
from fingerpost.app.kill_switch.listener import Armed, Listener, NotArmed
from fingerpost.app.kill_switch.windows import Windows
from fingerpost.app.kill_switch.x11 import X11

__all__ = ["WITHIN_S", "Armed", "DoubleTap", "Listener", "NotArmed", "arm", "listeners"]

LISTENERS: tuple[Listener, ...] = (Windows(), X11())


def listeners() -> tuple[tuple[Listener, str | None], ...]:
    """Every way to hear the keyboard with its problem, None where it works."""
    return tuple((one, one.problem()) for one in LISTENERS)


def arm(stop: Callable[[], None]) -> Armed | NotArmed:
    """Call `stop` on a thread of the listener's when Escape is tapped twice, until the result is released."""
    for one, problem in listeners():
        if problem is None:
            return one.arm(stop)
    return NotArmed("This desktop lets no program hear Escape everywhere: use the tray's menu to stop.")
