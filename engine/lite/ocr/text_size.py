"""Tells large text from small: on a HiDPI screen the detector can work at half the resolution."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.lite.cache import LeastRecentlyUsed
from fingerpost.engine.lite.changes import BLOCK, Digests
from fingerpost.engine.values import Pixels

LARGE = 2_400_000  # pixels: smaller frames are read in full, which takes little time
REGION = 16  # blocks, both sides: what is counted and kept at once
STROKE = 24  # grey levels between neighbours that make an edge
SMALLEST, LARGEST = 4, 60  # frame pixels: heights of shapes that may be letters
HIDPI = 13  # frame pixels: half the letters are at least so high. At scale 1 a letter of common size has 7 to 10
ENOUGH = 30  # letters: with fewer nothing can be said
CACHE_REGIONS = 2000

Heights = npt.NDArray[np.int64]
"""Shape (LARGEST + 1,): how many letters have each height."""


class TextSize:
    """Counts the heights of letters, and keeps the counts of the regions seen lately."""

    def __init__(self) -> None:
        self._known: LeastRecentlyUsed[bytes, Heights] = LeastRecentlyUsed(CACHE_REGIONS)

    def shrink(self, pixels: Pixels, digests: Digests) -> int:
        """Frame pixels a detector pixel: 2 where most text is so large that half the resolution will do, else 1."""
        if pixels.shape[0] * pixels.shape[1] <= LARGE:
            return 1
        total = np.zeros(LARGEST + 1, np.int64)
        for row in range(0, digests.shape[0], REGION):
            for column in range(0, digests.shape[1], REGION):
                total += self._region(pixels, digests, row, column)
        count = int(total.sum())
        if count < ENOUGH:
            return 1
        median = int(np.searchsorted(np.cumsum(total), count / 2))
        return 2 if median >= HIDPI else 1

    def _region(self, pixels: Pixels, digests: Digests, row: int, column: int) -> Heights:
        window = np.s_[row : row + REGION, column : column + REGION]
        key = digests[window].tobytes()
        heights = self._known.get(key)
        if heights is None:
            y, x, side = row * BLOCK, column * BLOCK, REGION * BLOCK
            heights = letter_heights(pixels[y : y + side, x : x + side])
            self._known.put(key, heights)
        return heights


def letter_heights(pixels: Pixels) -> Heights:
    """The heights of shapes that look like letters: about as wide as high, bounded by sharp edges."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGRA2GRAY)
    if grey.shape[1] < 2:
        return np.zeros(LARGEST + 1, np.int64)
    steps = cv2.absdiff(grey[:, 1:], grey[:, :-1])
    edges = cv2.threshold(steps, STROKE, 255, cv2.THRESH_BINARY)[1]
    stats = cv2.connectedComponentsWithStats(edges, connectivity=8, ltype=cv2.CV_32S)[2][1:]
    width, height = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    letters = (height >= SMALLEST) & (height <= LARGEST) & (width >= height * 0.3) & (width <= height * 1.5)
    return np.bincount(height[letters], minlength=LARGEST + 1)
