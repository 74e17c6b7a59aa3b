"""The picture that elements are looked for on, and what was measured on it. Kept from frame to frame: only where
pixels changed is anything measured again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, TypeVarTuple, cast

import numpy as np

from fingerpost.engine.lite.cache import WhileUnchanged
from fingerpost.engine.lite.changes import BLOCK, Blocks, ChangeDetector, Changes
from fingerpost.engine.lite.elements.edges import CLEAR_EDGE, FAINT_EDGE, EdgeMaps, Mask, Parts, edge_maps, flat_mask
from fingerpost.engine.lite.elements.tiled_parts import TILE, TiledParts, tiles_of
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Frame, Pixels

Value = TypeVar("Value")
Others = TypeVarTuple("Others")


class Canvas:
    """One frame after the other. Answers depend on the frame shown last alone; what is kept only saves work.

    pixels  of that frame, see `values.Pixels`
    edges   its `EdgeMaps`
    clear   the connected areas in which no pixel differs from its neighbour by more than CLEAR_EDGE
    faint   the same for FAINT_EDGE
    """

    def __init__(self, frame: Frame | None = None) -> None:
        self._measured: WhileUnchanged[Hashable, object] = WhileUnchanged()
        self._clear, self._faint = TiledParts(), TiledParts()
        self._size = (0, 0)
        self._across: Mask = np.zeros((0, 0), np.uint8)
        self._down: Mask = np.zeros((0, 0), np.uint8)
        if frame is not None:
            self.show(frame, ChangeDetector().update(frame))

    def show(self, frame: Frame, changes: Changes) -> None:
        """The next frame; `changes` tells what differs from the one shown before."""
        self._measured.begin(changes.touch)
        self.pixels: Pixels = frame.pixels
        self.edges: EdgeMaps = self._edges(frame, changes)
        tiles = _changed_tiles(changes.blocks, frame.height, frame.width)
        self.clear: Parts = self._clear.update(flat_mask(self.edges, CLEAR_EDGE), tiles)
        self.faint: Parts = self._faint.update(flat_mask(self.edges, FAINT_EDGE), tiles)

    def measure(
        self, function: Callable[[Pixels, Box, *Others], Value], box: Box, reach: int = 0, *others: *Others
    ) -> Value:
        """`function` of the pixels, the box and the rest.

        It may look at the pixels in the box and at most `reach` pixels around it, no further.
        """
        around = Box(box.x - reach, box.y - reach, box.width + 2 * reach, box.height + 2 * reach)
        return cast(
            Value, self._measured.get((function, box, others), around, lambda: function(self.pixels, box, *others))
        )

    def of_line(self, function: Callable[[TextLine], Value], line: TextLine) -> Value:
        """`function` of the line."""
        return cast(Value, self._measured.get((function, line), line.box, lambda: function(line)))

    def _edges(self, frame: Frame, changes: Changes) -> EdgeMaps:
        """The edges of the frame before, made anew where pixels changed and at the pixels beside."""
        if self._across.shape != frame.pixels.shape[:2]:
            edges = edge_maps(frame.pixels)
            self._across, self._down = edges.across, edges.down
            return edges
        for rect in changes.rects:
            # An edge is marked on the left or upper one of two pixels.
            part = Box(rect.x - 1, rect.y - 1, rect.width + 1, rect.height + 1).intersection(frame.box)
            fresh = edge_maps(frame.pixels[part.y : part.bottom + 1, part.x : part.right + 1])
            area = np.s_[part.y : part.bottom, part.x : part.right]
            self._across[area] = fresh.across[: part.height, : part.width]
            self._down[area] = fresh.down[: part.height, : part.width]
        return EdgeMaps(self._across, self._down)


def _changed_tiles(blocks: Blocks, height: int, width: int) -> Blocks:
    """The tiles in which something changed, or right beside them below or on the right: edges reach one pixel back."""
    rows, columns = tiles_of(height, width)
    side = TILE // BLOCK
    return np.array(
        [
            [
                blocks[row * side : (row + 1) * side + 1, column * side : (column + 1) * side + 1].any()
                for column in range(columns)
            ]
            for row in range(rows)
        ],
        np.bool_,
    ).reshape(rows, columns)
