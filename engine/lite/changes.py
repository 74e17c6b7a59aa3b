"""What changed on the screen since the last look, by digests of small blocks.

Only digests are kept, never the picture itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xxhash

from fingerpost.engine.values import Box, Frame, Pixels

BLOCK = 32  # frame pixels, both sides

Digests = npt.NDArray[np.uint64]
"""Shape (rows, columns): one digest for each BLOCK x BLOCK block; those at the right and bottom edge may be smaller."""

Blocks = npt.NDArray[np.bool_]
"""Shape (rows, columns): whether something holds for each block."""


@dataclass(frozen=True, eq=False)
class Changes:
    """What differs from the frame before.

    unchanged  every pixel is as before; then `rects` is empty
    rects      disjoint boxes that cover all changed pixels, aligned to blocks, clipped to the frame;
               the whole frame at the first look and when its size changed
    digests    of the frame that was compared
    blocks     for each of its blocks whether it changed
    """

    unchanged: bool
    rects: tuple[Box, ...]
    digests: Digests
    blocks: Blocks

    def touch(self, box: Box) -> bool:
        """Whether a block changed that holds a part of the box."""
        rows = slice(max(0, box.y) // BLOCK, -(-box.bottom // BLOCK))
        return bool(self.blocks[rows, max(0, box.x) // BLOCK : -(-box.right // BLOCK)].any())


class ChangeDetector:
    """Compares each frame with the one given before. Memory: 8 bytes a block."""

    def __init__(self) -> None:
        self._whole = b""
        self._size = (0, 0)
        self._digests: Digests = np.zeros((0, 0), np.uint64)

    def update(self, frame: Frame) -> Changes:
        """What changed since the frame given at the last call."""
        whole, size = _digest(frame.pixels), (frame.width, frame.height)
        if whole == self._whole and size == self._size:
            return Changes(True, (), self._digests, np.zeros(self._digests.shape, np.bool_))
        digests = block_digests(frame.pixels)
        known = size == self._size
        blocks = digests != self._digests if known else np.ones(digests.shape, np.bool_)
        rects = changed_rects(blocks, frame.box) if known else (frame.box,)
        self._whole, self._size, self._digests = whole, size, digests
        return Changes(False, rects, digests, blocks)


def block_digests(pixels: Pixels) -> Digests:
    """The digest of every block. Copies one row of blocks at a time."""
    height, width = pixels.shape[:2]
    rows, columns = -(-height // BLOCK), -(-width // BLOCK)
    digests = np.empty((rows, columns), np.uint64)
    for row in range(rows):
        band = pixels[row * BLOCK : (row + 1) * BLOCK]
        full = width // BLOCK
        blocks = np.ascontiguousarray(band[:, : full * BLOCK].reshape(len(band), full, BLOCK * 4).swapaxes(0, 1))
        for column in range(full):
            digests[row, column] = xxhash.xxh3_64_intdigest(blocks[column].data)
        if full < columns:
            digests[row, full] = xxhash.xxh3_64_intdigest(np.ascontiguousarray(band[:, full * BLOCK :]).data)
    return digests


def changed_rects(blocks: Blocks, frame: Box) -> tuple[Box, ...]:
    """Boxes around the blocks that changed: runs within a row, joined with equal runs in the rows below."""
    done: list[Box] = []
    open_runs: dict[tuple[int, int], Box] = {}
    for row, changed in enumerate(blocks):
        runs: dict[tuple[int, int], Box] = {}
        for start, stop in _runs(changed):
            box = Box(start * BLOCK, row * BLOCK, (stop - start) * BLOCK, BLOCK)
            above = open_runs.pop((start, stop), None)
            runs[start, stop] = above.union(box) if above else box
        done.extend(open_runs.values())
        open_runs = runs
    done.extend(open_runs.values())
    return tuple(sorted((box.intersection(frame) for box in done), key=lambda box: (box.y, box.x)))


def _runs(flags: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and stop of every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]


def _digest(pixels: Pixels) -> bytes:
    if pixels.flags.c_contiguous:
        return xxhash.xxh3_128_digest(pixels.data)
    state = xxhash.xxh3_128()
    for band in range(0, pixels.shape[0], BLOCK):
        state.update(np.ascontiguousarray(pixels[band : band + BLOCK]).data)
    return state.digest()
