"""Connected parts of a mask, worked out tile by tile: only tiles that changed are looked at again.

Each tile keeps its own parts and which of them lie on its border; parts that touch across a border are then joined.
The result is exact: the 4-connected parts of the whole mask.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.lite.elements.edges import Mask, Parts

TILE = 256  # pixels, both sides; a multiple of `changes.BLOCK`

Labels = npt.NDArray[np.int32]
"""For each pixel of a tile, or of its border, the part it belongs to, from 1 on; 0 outside of all parts."""

Pairs = npt.NDArray[np.int32]
"""Shape (n, 2): labels of a part in one tile and of one in the next."""
Place = tuple[int, int]
"""Row and column of a tile."""


@dataclass(frozen=True, eq=False)
class _Tile:
    """The parts of one tile, frame pixels, and the labels along its four sides."""

    parts: Parts
    left: Labels
    right: Labels
    top: Labels
    bottom: Labels


class TiledParts:
    """The parts of one mask that changes from frame to frame."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._tiles: dict[Place, _Tile] = {}
        self._pairs: dict[tuple[Place, Place], Pairs] = {}

    def update(self, mask: Mask, changed: npt.NDArray[np.bool_]) -> Parts:
        """The parts of `mask`, from top to bottom.

        changed  shape as the mask's tiles (rows, columns): where the mask may differ from that of the last call;
                 does not matter at the first call and for a mask of another size
        """
        height, width = mask.shape
        if self._size != (height, width):
            self._size, self._tiles, self._pairs = (height, width), {}, {}
        new = set()
        for row, y in enumerate(range(0, height, TILE)):
            for column, x in enumerate(range(0, width, TILE)):
                if changed[row, column] or (row, column) not in self._tiles:
                    self._tiles[row, column] = _look(mask[y : y + TILE, x : x + TILE], x, y)
                    new.add((row, column))
        for place in new:
            self._join_neighbours(place)
        return _joined(self._tiles, self._pairs)

    def _join_neighbours(self, place: Place) -> None:
        """Works out which parts touch across the four borders of a tile."""
        row, column = place
        for one, other in (((row, column - 1), place), (place, (row, column + 1))):
            if one in self._tiles and other in self._tiles:
                self._pairs[one, other] = _touching(self._tiles[one].right, self._tiles[other].left)
        for one, other in (((row - 1, column), place), (place, (row + 1, column))):
            if one in self._tiles and other in self._tiles:
                self._pairs[one, other] = _touching(self._tiles[one].bottom, self._tiles[other].top)


def tiles_of(height: int, width: int) -> tuple[int, int]:
    """Rows and columns of tiles in a mask."""
    return -(-height // TILE), -(-width // TILE)


def _look(mask: Mask, x: int, y: int) -> _Tile:
    filled = cv2.countNonZero(mask)
    if filled in (0, mask.size):  # much of a screen is one flat area
        parts = np.array([[x, y, mask.shape[1], mask.shape[0], filled]] if filled else [], np.int32).reshape(-1, 5)
        across, down = (np.full(length, filled > 0, np.int32) for length in mask.shape[::-1])
        return _Tile(parts, down, down, across, across)
    count, found = cv2.connectedComponents(mask, connectivity=4, ltype=cv2.CV_32S)
    labels = np.asarray(found, np.int32)
    parts = _measured(mask, labels, count - 1) + np.array([x, y, 0, 0, 0], np.int32)
    sides = (labels[:, 0], labels[:, -1], labels[0], labels[-1])
    return _Tile(parts, *(np.array(side, np.int32) for side in sides))


def _measured(mask: Mask, labels: Labels, count: int) -> Parts:
    """Place and size of each label, by the runs of pixels in each row: they are few where pixels are many."""
    height, width = mask.shape
    padded = np.zeros(height * (width + 1) + 1, np.uint8)  # a gap before each row
    padded[1:].reshape(height, width + 1)[:, :width] = mask
    ends = np.flatnonzero(padded[1:] != padded[:-1])
    rows, left = np.divmod(ends[::2], width + 1)
    right = ends[1::2] - rows * (width + 1)
    label = labels[rows, left] - 1
    low = np.full((2, count), max(height, width), np.int64)
    high = np.zeros((2, count), np.int64)
    np.minimum.at(low[0], label, left)
    np.maximum.at(high[0], label, right)
    np.minimum.at(low[1], label, rows)
    np.maximum.at(high[1], label, rows + 1)
    area = np.bincount(label, weights=right - left, minlength=count)
    return np.stack([*low, *(high - low), area], axis=1).astype(np.int32)


def _touching(one: Labels, other: Labels) -> Pairs:
    """The pairs of parts that lie side by side along a border."""
    both = np.flatnonzero((one > 0) & (other > 0))
    pairs = np.stack([one[both], other[both]], axis=1)
    new = np.ones(len(pairs), np.bool_)
    new[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
    return pairs[new]


def _joined(tiles: dict[Place, _Tile], touching: dict[tuple[Place, Place], Pairs]) -> Parts:
    """All parts, those that touch across a border made one; sorted by y, x and the rest."""
    if not tiles:
        return np.zeros((0, 5), np.int32)
    counts = [len(tile.parts) for tile in tiles.values()]
    before = dict(zip(tiles, np.cumsum([0, *counts]).tolist(), strict=False))
    pairs = [found + np.array([before[one], before[other]]) - 1 for (one, other), found in touching.items()]
    distinct = {(a, b) for a, b in np.concatenate(pairs).tolist()} if pairs else set[tuple[int, int]]()
    return _merged(np.concatenate([tile.parts for tile in tiles.values()]), _roots(sum(counts), distinct))


def _roots(count: int, pairs: Iterable[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """For each part the first one of those it is joined with (union-find)."""
    parent = list(range(count))

    def root(part: int) -> int:
        while parent[part] != part:
            parent[part] = parent[parent[part]]
            part = parent[part]
        return part

    joined = set[int]()
    for a, b in pairs:
        low, high = sorted((root(a), root(b)))
        parent[high] = low
        joined.update((a, b))
    for part in joined:
        parent[part] = root(part)
    return np.array(parent, np.int64)


def _merged(parts: Parts, roots: npt.NDArray[np.int64]) -> Parts:
    if not len(parts):
        return parts
    left, top, width, height, area = parts.T
    right, bottom, area = left + width, top + height, area.copy()
    left, top = left.copy(), top.copy()
    moved = np.flatnonzero(roots != np.arange(len(roots)))
    to = roots[moved]
    np.minimum.at(left, to, left[moved])
    np.minimum.at(top, to, top[moved])
    np.maximum.at(right, to, right[moved])
    np.maximum.at(bottom, to, bottom[moved])
    np.add.at(area, to, area[moved])
    whole = np.stack([left, top, right - left, bottom - top, area], axis=1)
    whole = whole[roots == np.arange(len(roots))]
    order = np.lexsort((whole[:, 4], whole[:, 3], whole[:, 2], whole[:, 0], whole[:, 1]))
    return np.asarray(whole[order], np.int32)
