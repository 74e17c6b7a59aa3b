"""Where numbers and labels go: beside their target, on the screen, and over no other target.

Pure arithmetic in physical pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from fingerpost.engine.values import Box

DIRECTIONS = 16
STEPS = 12


def grown(box: Box, by: int) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


def ring(box: Box, monitor: Box, gap: int, line: int) -> Box:
    """The inside of the ring around a target: `gap` around it, less where the line would run off the screen.

    A target that itself reaches beyond an edge goes on behind it, so there the ring does too.
    """
    wanted, room = grown(box, gap), grown(monitor, -line)
    left = max(wanted.x, room.x) if box.x >= monitor.x else wanted.x
    top = max(wanted.y, room.y) if box.y >= monitor.y else wanted.y
    right = min(wanted.right, room.right) if box.right <= monitor.right else wanted.right
    bottom = min(wanted.bottom, room.bottom) if box.bottom <= monitor.bottom else wanted.bottom
    return Box(left, top, right - left, bottom - top)


def place(size: tuple[int, int], around: Box, monitor: Box, taken: Sequence[Box], wide: bool = False) -> Box:
    """A box of `size` on the monitor, near `around`, that covers none of `taken` if there is any such place.

    Where there is none, the place that covers least. `around` itself is covered only if nothing else is free.
    `wide` prefers places below and above, as a label wants them, to the corners that a number wants.
    """
    width, height = min(size[0], monitor.width), min(size[1], monitor.height)
    best, least = Box(monitor.x, monitor.y, width, height), math.inf
    for x, y in _places(width, height, around, monitor, wide):
        box = _inside(Box(x, y, width, height), monitor)
        cost = _covered(box, taken, around)
        if cost == 0:
            return box
        if cost < least:
            best, least = box, cost
    return best


def _covered(box: Box, taken: Sequence[Box], around: Box) -> float:
    """Pixels hidden; those of other things count much more than those of the own target."""
    return 1000.0 * sum(box.intersection(other).area for other in taken) + box.intersection(around).area


def _places(width: int, height: int, around: Box, monitor: Box, wide: bool) -> Iterator[tuple[int, int]]:
    """Top left corners to try, the best first: beside the target, then farther and farther out, then anywhere."""
    yield from _beside(width, height, around, wide)
    middle_x, middle_y = around.x + around.width / 2, around.y + around.height / 2
    for step in range(1, STEPS + 1):
        reach_x, reach_y = around.width / 2 + width * (step + 1) / 2, around.height / 2 + height * (step + 1) / 2
        for turn in range(DIRECTIONS):
            angle = 2 * math.pi * turn / DIRECTIONS
            x, y = middle_x + reach_x * math.cos(angle), middle_y + reach_y * math.sin(angle)
            yield round(x - width / 2), round(y - height / 2)
    spots = [
        (x, y)
        for y in range(monitor.y, monitor.bottom - height + 1, max(1, height // 2))
        for x in range(monitor.x, monitor.right - width + 1, max(1, width // 2))
    ]
    yield from sorted(spots, key=lambda spot: math.hypot(spot[0] - middle_x, spot[1] - middle_y))


def _beside(width: int, height: int, around: Box, wide: bool) -> Iterator[tuple[int, int]]:
    left, right = around.x - width, around.right
    above, below = around.y - height, around.bottom
    centre_x, centre_y = around.x + (around.width - width) // 2, around.y + (around.height - height) // 2
    corners = ((left, above), (right, above), (left, below), (right, below))
    sides = ((left, centre_y), (right, centre_y))
    middles = ((centre_x, above), (centre_x, below))
    if wide:
        yield from ((around.x, below), (around.x, above), (around.right - width, below), (around.right - width, above))
        yield from sides
    elif around.width < 2 * width:  # in a row of small ones a corner belongs to the neighbour
        yield from (*middles, *sides, *corners)
    else:
        yield from (*corners, *sides, *middles)


def _inside(box: Box, monitor: Box) -> Box:
    """Moved onto the monitor as little as needed."""
    x = min(max(box.x, monitor.x), monitor.right - box.width)
    y = min(max(box.y, monitor.y), monitor.bottom - box.height)
    return Box(x, y, box.width, box.height)
