"""Whether the place to click still shows the same thing: two pictures of it, compared by what is drawn there.

Edges are compared rather than colours: a highlight under the pointer, a selection that went grey or a dimmed window
keep every edge where it was, while another text or icon has its edges elsewhere. A blinking caret is let through. The
surroundings are compared in blocks, so that a video beside the target does not count, but a list that scrolled does.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fingerpost.engine.values import Box, Pixels

Gray = npt.NDArray[np.float32]
"""Shape (height, width): brightness 0..255."""

MARGIN = (160, 48)
"""Pixels right and left of the target, and above and below it, that count as its surroundings."""
LARGEST = (480, 240)
"""Of a larger target only so much around the point to click is compared."""
RIM = 2
"""Pixels at the target's edge that are left out: borders light up when the focus comes and goes."""
CARET = 3
"""Pixels; nothing but a caret or an underline is so thin."""
NOISE = 16.0
"""Brightness steps that are no change: dithering, gamma of another capture."""
FLAT = 10.0
"""An area whose steepest edge is less than this shows nothing."""
SAME_TARGET = 0.8
SAME_TILE = 0.7
"""Correlation of the edges, as a whole and in each tile, from which on two targets are the same. A highlight keeps it
above 0.99; other words have 0 to 0.6, and "Save 3" against "Save 8" shows in a tile, not in the whole."""
TILE = (16, 8)
"""Height and width in pixels, about one letter."""
SAME_BLOCK = 0.5
BLOCK = (16, 16)
FEW_BLOCKS = 6
"""With less than that many blocks that show something, the surroundings prove nothing."""
OTHER_SURROUNDINGS = 0.6
"""Share of the surrounding blocks that show something else, from which on this is another place."""


def patch_box(target: Box, point: tuple[int, int], limits: Box) -> Box:
    """The part of the picture to compare: the target with its surroundings, inside `limits`."""
    core = core_box(target, point)
    across, down = MARGIN
    return Box(core.x - across, core.y - down, core.width + 2 * across, core.height + 2 * down).intersection(limits)


def core_box(target: Box, point: tuple[int, int]) -> Box:
    """The target, or the part of a large one around the point to click."""
    width, height = LARGEST
    x, y = point
    return target.intersection(Box(x - width // 2, y - height // 2, width, height))


def shows_the_same(before: Pixels, now: Pixels, core: Box) -> bool:
    """Whether both pictures, of one size, show the same target in `core` (pixels of the pictures) and around it."""
    if before.shape != now.shape:
        return False
    if np.array_equal(before[..., :3], now[..., :3]):
        return True
    old, new = _gray(before), _gray(now)
    rows, columns = _slices(_shrunk(core))
    if not _same_drawing(old[rows, columns], new[rows, columns]):
        return False
    return _share_of_other_blocks(old, new, core) < OTHER_SURROUNDINGS


def _same_drawing(old: Gray, new: Gray) -> bool:
    if _is_caret(np.abs(old - new) > NOISE):
        return True
    one, two = _edges(old), _edges(new)
    whole = _correlations(_blocks(one, one.shape), _blocks(two, two.shape))
    tiles = _correlations(_blocks(one, TILE), _blocks(two, TILE))
    return bool((whole >= SAME_TARGET).all() and (tiles >= SAME_TILE).all())


def _is_caret(changed: npt.NDArray[np.bool_]) -> bool:
    """Whether all that changed is thin, or nothing did."""
    columns, rows = np.flatnonzero(changed.any(axis=0)), np.flatnonzero(changed.any(axis=1))
    if not len(columns):
        return True
    width, height = int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1
    is_thin = width <= CARET < height or height <= CARET < width
    return is_thin and max(width, height) < 64 and changed.size >= 8 * width * height


def _share_of_other_blocks(old: Gray, new: Gray, core: Box) -> float:
    """Of the blocks outside the target that show something before or now: how many show something else."""
    one, two = _edges(old), _edges(new)
    for plane in (one, two):
        plane[_slices(core)] = 0
    correlations = _correlations(_blocks(one, BLOCK), _blocks(two, BLOCK))
    return float(np.mean(correlations < SAME_BLOCK)) if len(correlations) >= FEW_BLOCKS else 0.0


def _correlations(one: Gray, two: Gray) -> Gray:
    """Of each pair of blocks in which either picture shows something: -1..1.

    Without the mean of each row, since lines of text and rules are at the same height whatever they say.
    """
    one, two = (blocks - blocks.mean(axis=2, keepdims=True) for blocks in (one, two))
    drawn = np.maximum(np.abs(one).max(axis=(1, 2)), np.abs(two).max(axis=(1, 2))) >= FLAT
    one, two = one[drawn], two[drawn]
    length = np.sqrt((one**2).sum(axis=(1, 2)) * (two**2).sum(axis=(1, 2)))
    return np.asarray((one * two).sum(axis=(1, 2)) / np.maximum(length, 1e-6), np.float32)


def _edges(plane: Gray) -> Gray:
    """How much each pixel differs from the one before it and the one above it; same shape."""
    edges = np.zeros_like(plane)
    np.abs(np.diff(plane, axis=1), out=edges[:, 1:])
    np.maximum(edges[1:], np.abs(np.diff(plane, axis=0)), out=edges[1:])
    return edges


def _blocks(plane: Gray, size: tuple[int, ...]) -> Gray:
    """Shape (blocks, height, width): the picture cut into blocks of that size; those at the end are filled with 0."""
    height, width = size
    rows, columns = -(-plane.shape[0] // height), -(-plane.shape[1] // width)
    filled = np.zeros((rows * height, columns * width), np.float32)
    filled[: plane.shape[0], : plane.shape[1]] = plane
    return filled.reshape(rows, height, columns, width).swapaxes(1, 2).reshape(rows * columns, height, width)


def _gray(pixels: Pixels) -> Gray:
    blue, green, red = (pixels[..., channel].astype(np.float32) for channel in range(3))
    brightness: Gray = (blue + green + green + red) * np.float32(0.25)
    return brightness


def _shrunk(box: Box) -> Box:
    rim = RIM if min(box.width, box.height) > 4 * RIM else 0
    return Box(box.x + rim, box.y + rim, box.width - 2 * rim, box.height - 2 * rim)


def _slices(box: Box) -> tuple[slice, slice]:
    return slice(box.y, box.bottom), slice(box.x, box.right)
