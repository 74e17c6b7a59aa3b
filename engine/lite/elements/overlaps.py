"""Overlaps of many boxes with many others, with numpy: a spreadsheet has thousands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fingerpost.engine.values import Box

AT_ONCE = 64  # boxes compared with all others; bounds the memory


def shares_inside(boxes: Sequence[Box], others: Sequence[Box]) -> npt.NDArray[np.float64]:
    """For each box the largest share of its area that lies in one of `others`, 0..1."""
    largest = np.zeros(len(boxes))
    if not boxes:
        return largest
    x, y, width, height = np.array(boxes, np.int64).T[:, :, None]
    table = np.array(others, np.int64).reshape(-1, 4)
    for start in range(0, len(table), AT_ONCE):
        left, top, across, down = table[start : start + AT_ONCE].T
        common_x = np.minimum(x + width, left + across) - np.maximum(x, left)
        common_y = np.minimum(y + height, top + down) - np.maximum(y, top)
        common = (np.maximum(0, common_x) * np.maximum(0, common_y)).max(axis=1)
        np.maximum(largest, common / np.maximum(1, width * height)[:, 0], out=largest)
    return largest


def outside(boxes: Sequence[Box], others: Sequence[Box], share: float = 0.6) -> list[Box]:
    """The boxes of which at most `share` lies in any one of `others`."""
    inside = shares_inside(boxes, others)
    return [box for box, part in zip(boxes, inside, strict=True) if part <= share]
