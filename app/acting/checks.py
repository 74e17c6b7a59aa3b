"""Whether the screen is still what the user saw: decisions on values, without asking any system."""

from __future__ import annotations

from fingerpost.app.acting.corners import in_corner
from fingerpost.app.acting.order import Order, Outcome
from fingerpost.app.windowing.values import WindowAt
from fingerpost.engine.geometry import DesktopPoint, GeometryError, Layout

JITTER = 2
"""Pixels. A mouse on a desk that somebody touches moves so much by itself."""


def refused(reason: str, **values: str) -> Outcome:
    return Outcome("refused", f"acting.{reason}", values)


def stopped(reason: str = "stopped") -> Outcome:
    return Outcome("stopped", f"acting.{reason}")


def check_order(order: Order, layout: Layout) -> Outcome | None:
    """None when the order itself makes sense: agreed to, and its place is on the picture and on a monitor."""
    if not order.confirmed:
        return refused("unconfirmed")
    try:
        layout.monitor_at(order.place)
    except GeometryError:
        return refused("outside")
    return None


def check_pointer(before: DesktopPoint | None, now: DesktopPoint | None, layout: Layout) -> Outcome | None:
    """None when the user has left the pointer alone since the look, or when the system does not tell."""
    if before is None or now is None:
        return None
    if in_corner(now, layout) and not in_corner(before, layout):
        return stopped("corner")
    if max(abs(now.x - before.x), abs(now.y - before.y)) > JITTER:
        return refused("pointer_moved")
    return None


def check_window(before: WindowAt | None, now: WindowAt | None) -> Outcome | None:
    """None when the same window is still under the target, at the same place, and may be clicked.

    Its title may have changed: unsaved marks and counters of messages do that by themselves. What matters is pixels.
    """
    if now is not None and now.elevated:
        return refused("elevated", app=now.app or now.title)
    if before is None and now is None:
        return None
    if before is None or now is None or before.id != now.id:
        return refused("window_changed")
    if before.box != now.box:
        return refused("window_moved")
    return None
