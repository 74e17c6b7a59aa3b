"""Whether a window reacted: its pixels, the windows around it, the keyboard's place, before and after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fingerpost.engine.values import Box, Pixels

BLOCK = 16
CARET = 3
"""Pixels: a change that is so thin is a blinking caret."""

Mask = npt.NDArray[np.bool_]
"""Shape (rows, columns): one entry for each BLOCK x BLOCK block of a picture, cut ones included; or one a pixel."""


@dataclass(frozen=True)
class Surroundings:
    """The windows around the one that is clicked.

    windows  the ids of all windows on the screen, None where the system does not tell
    active   the window with the keyboard; None where the system does not tell, and for the one that is clicked: every
             click brings that to the front
    """

    windows: frozenset[int] | None
    active: int | None


def restless(first: Pixels, second: Pixels) -> Mask:
    """The blocks that changed without anybody doing anything: a video, an animation."""
    return _changed_blocks(first, second)


def restless_outside(first: Pixels, second: Pixels, target: Box) -> Mask:
    """The same, but not where `target` (pixels of the pictures) is: a highlight under the pointer is no video."""
    changed = _changed_blocks(first, second)
    rows = slice(max(0, target.y) // BLOCK, -(-max(0, target.bottom) // BLOCK))
    changed[rows, max(0, target.x) // BLOCK : -(-max(0, target.right) // BLOCK)] = False
    return changed


def pixels_reacted(before: Pixels, after: Pixels, ignored: Mask) -> bool:
    """Whether a window's pixels changed outside of the `ignored` blocks, by more than a blinking caret."""
    if before.shape != after.shape:
        return True
    changed = _changed_blocks(before, after) & ~ignored
    return bool(changed.any()) and not _is_caret(before, after, changed)


def surroundings_reacted(before: Surroundings, after: Surroundings) -> bool:
    """Whether a window opened or closed, or the keyboard went to another window than the clicked one."""
    if before.windows is not None and after.windows is not None and before.windows != after.windows:
        return True
    return after.active is not None and before.active != after.active


def _changed_blocks(one: Pixels, two: Pixels) -> Mask:
    differs = _differs(one, two)
    rows, columns = (-(-side // BLOCK) for side in differs.shape)
    padded = np.zeros((rows * BLOCK, columns * BLOCK), bool)
    padded[: differs.shape[0], : differs.shape[1]] = differs
    return np.asarray(padded.reshape(rows, BLOCK, columns, BLOCK).any(axis=(1, 3)), np.bool_)


def _differs(one: Pixels, two: Pixels) -> Mask:
    """Shape (height, width): which pixels differ in blue, green or red; one number a pixel compares far faster."""
    if one.strides[1:] == (4, 1) and two.strides[1:] == (4, 1):
        colours = np.array([255, 255, 255, 0], np.uint8).view(np.uint32)  # the fourth byte means nothing
        return np.asarray(((one.view(np.uint32) ^ two.view(np.uint32)) & colours)[..., 0] != 0, np.bool_)
    return np.asarray((one[..., :3] != two[..., :3]).any(axis=2), np.bool_)


def _is_caret(one: Pixels, two: Pixels, changed: Mask) -> bool:
    """Whether all that changed in these blocks is one thin line."""
    pixels = _differs(one, two) & np.kron(changed, np.ones((BLOCK, BLOCK), bool))[: one.shape[0], : one.shape[1]]
    columns = np.flatnonzero(pixels.any(axis=0))
    return int(columns[-1] - columns[0]) < CARET
