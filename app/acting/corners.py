"""The corner fail-safe: a pointer thrown into an outer corner of the desktop stops everything."""

from __future__ import annotations

from fingerpost.engine.geometry import DesktopPoint, Layout
from fingerpost.engine.values import Box

NEAR = 2
"""Pixels, both ways."""


def outer_corners(layout: Layout) -> frozenset[DesktopPoint]:
    """The pixels a pointer ends in when it is thrown: no monitor goes on beside, above, below or across from them."""
    boxes = [monitor.box for monitor in layout.monitors]
    return frozenset(
        DesktopPoint(x, y)
        for box in boxes
        for x, outward_x in ((box.x, -1), (box.right - 1, 1))
        for y, outward_y in ((box.y, -1), (box.bottom - 1, 1))
        if not _continues(boxes, x, y, outward_x, outward_y)
    )


def in_corner(point: DesktopPoint, layout: Layout) -> bool:
    return any(abs(point.x - c.x) <= NEAR and abs(point.y - c.y) <= NEAR for c in outer_corners(layout))


def _continues(boxes: list[Box], x: int, y: int, outward_x: int, outward_y: int) -> bool:
    beyond = ((x + outward_x, y), (x, y + outward_y), (x + outward_x, y + outward_y))
    return any(box.contains(*pixel) for box in boxes for pixel in beyond)
