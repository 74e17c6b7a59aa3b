"""Where neighbouring pixels differ: the one picture all element proposals are read from."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.values import Pixels

Mask = npt.NDArray[np.uint8]
"""Shape (height, width), 255 where something holds and 0 elsewhere."""
Parts = npt.NDArray[np.int32]
"""Shape (n, 5): x, y, width, height and number of pixels of each connected part of a mask."""

Rectangles = npt.NDArray[np.int32]
"""Shape (n, 4): x, y, width, height."""

CLEAR_EDGE = 12  # channel difference: normal borders, without the noise of gradients and of lossy pictures
FAINT_EDGE = 4  # borders of greyed-out controls and of dark themes


@dataclass(frozen=True, eq=False)
class EdgeMaps:
    """The largest channel difference of each pixel to its neighbours, 0..255, shape (height, width).

    across  to the right neighbour: vertical lines
    down    to the lower neighbour: horizontal lines
    """

    across: Mask
    down: Mask

    def above(self, threshold: int) -> Mask:
        """255 where either difference is greater than `threshold`."""
        return _mask(cv2.threshold(cv2.max(self.across, self.down), threshold, 255, cv2.THRESH_BINARY)[1])

    def horizontal(self, threshold: int) -> Mask:
        return _mask(cv2.threshold(self.down, threshold, 255, cv2.THRESH_BINARY)[1])

    def vertical(self, threshold: int) -> Mask:
        return _mask(cv2.threshold(self.across, threshold, 255, cv2.THRESH_BINARY)[1])


def edge_maps(pixels: Pixels) -> EdgeMaps:
    """Differences in any colour channel count, so equal brightness does not hide a coloured button."""
    height, width = pixels.shape[:2]
    across = np.zeros((height, width), np.uint8)
    down = np.zeros((height, width), np.uint8)
    for channel in range(3):
        plane = np.ascontiguousarray(pixels[:, :, channel])
        if width > 1:
            np.maximum(across[:, :-1], cv2.absdiff(plane[:, 1:], plane[:, :-1]), out=across[:, :-1])
        if height > 1:
            np.maximum(down[:-1], cv2.absdiff(plane[1:], plane[:-1]), out=down[:-1])
    return EdgeMaps(across, down)


def flat_mask(edges: EdgeMaps, threshold: int) -> Mask:
    """255 where a pixel equals its right and lower neighbours, up to `threshold`."""
    return _mask(cv2.bitwise_not(edges.above(threshold)))


def bounds(mask: Mask) -> Rectangles:
    """The rectangles around the 8-connected parts of a mask, of those inside others too; from top to bottom.

    By their contours, which on a mask with little in it takes a fraction of labelling every pixel.
    """
    contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    outer = [contour for contour, links in zip(contours, tree[0], strict=True) if links[3] < 0] if contours else []
    found = np.array([cv2.boundingRect(contour) for contour in outer], np.int32).reshape(-1, 4)
    return found[np.lexsort((found[:, 3], found[:, 2], found[:, 0], found[:, 1]))]


def opened(mask: Mask, width: int, height: int) -> Mask:
    """Keeps only what a `width` x `height` rectangle fits into."""
    return _mask(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _rectangle(width, height)))


def closed(mask: Mask, width: int, height: int) -> Mask:
    """Fills gaps narrower than a `width` x `height` rectangle."""
    return _mask(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _rectangle(width, height)))


def _rectangle(width: int, height: int) -> Mask:
    return np.ones((height, width), np.uint8)


def _mask(array: object) -> Mask:
    return np.asarray(array, np.uint8)
