"""Which parts of a frame the text detector looks at: tiles of a fixed grid, or windows around what changed.

All boxes are in detector pixels. A part has a core, for which the answer counts, and a margin that is seen as well.

The network weighs all that it sees against each other. So a window finds the same lines as a tile, but some of them a
pixel or two larger or smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.values import Box

TILE = 256
MARGIN = 32
GRID = 32  # cores start and end at multiples of it
MOST = 64  # changes; where more are scattered, windows would not pay
LARGEST = 0.5  # of the frame; where more changed, most of it is best looked at and kept in tiles

Size = tuple[int, ...]
"""Height and width of the whole map."""


def grid(size: Size) -> list[Box]:
    """The cores of all tiles."""
    return _split(_whole(size), TILE)


def seen_area(core: Box, size: Size) -> Box:
    """The core with its margin, as far as there is one."""
    return _grown(core, MARGIN, size)


def work(cores: Iterable[Box], size: Size) -> int:
    """Pixels the network looks at."""
    return sum(seen_area(core, size).area for core in cores)


def changed_windows(changed: npt.NDArray[np.bool_], block: int, size: Size) -> list[Box] | None:
    """Cores that cover what changed; None when tiles serve better.

    changed  for each block of `block` x `block` detector pixels whether anything in it did
    """
    stats = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=8)[2][1:]
    if len(stats) > MOST or changed.mean() > LARGEST:
        return None
    boxes = [Box(*(int(value) * block for value in row[:4])) for row in stats]
    joined = _joined([_aligned(box, size) for box in boxes], size)
    return [part for box in joined for part in _split(box, 2 * TILE)]


def _joined(boxes: Sequence[Box], size: Size) -> list[Box]:
    """Two boxes become the one around both wherever that is less work."""
    waiting, done = list(boxes), list[Box]()
    while waiting:
        box = waiting.pop()
        for other in done:
            if work([box.union(other)], size) <= work([box, other], size):
                done.remove(other)
                waiting.append(box.union(other))
                break
        else:
            done.append(box)
    return done


def _split(box: Box, longest: int) -> list[Box]:
    return [
        Box(x, y, longest, longest).intersection(box)
        for y in range(box.y, box.bottom, longest)
        for x in range(box.x, box.right, longest)
    ]


def _aligned(box: Box, size: Size) -> Box:
    x, y = box.x // GRID * GRID, box.y // GRID * GRID
    right, bottom = -(-box.right // GRID) * GRID, -(-box.bottom // GRID) * GRID
    return Box(x, y, right - x, bottom - y).intersection(_whole(size))


def _grown(box: Box, margin: int, size: Size) -> Box:
    around = Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin)
    return around.intersection(_whole(size))


def _whole(size: Size) -> Box:
    return Box(0, 0, size[1], size[0])
