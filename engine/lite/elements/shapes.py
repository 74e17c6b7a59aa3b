"""The shape of a small drawing: arrow, plus, minus, square or disc. For telling controls apart by their marks."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.lite.elements.edges import Mask
from fingerpost.engine.values import Box, Pixels

Shape = npt.NDArray[np.bool_]
"""Shape (height, width): True where a pixel belongs to the drawing; tight to it on all sides."""

MIN_CONTRAST = 10  # channel difference to the background from which a pixel belongs to the drawing


def drawing(pixels: Pixels, box: Box, margin: int = 2) -> Mask:
    """255 where a pixel of `box`, with `margin` pixels around, differs from the colour around the box."""
    height, width = pixels.shape[:2]
    x0, y0 = max(0, box.x - margin), max(0, box.y - margin)
    x1, y1 = min(width, box.right + margin), min(height, box.bottom + margin)
    crop = pixels[y0:y1, x0:x1, :3].astype(np.int16)
    ring = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    difference = np.abs(crop - np.median(ring, axis=0)).max(axis=2)
    contrast = max(MIN_CONTRAST, 0.35 * float(difference.max(initial=0)))
    return np.where(difference > contrast, 255, 0).astype(np.uint8)


def silhouette(pixels: Pixels, box: Box) -> tuple[float, Box]:
    """How much of its bounding rectangle a drawing covers, with its holes, and that rectangle in frame pixels.

    About 1 for a square, .79 for a disc; 0 for drawings that cover less than .6 of it.
    """
    height, width = pixels.shape[:2]
    x0, y0, x1, y1 = max(0, box.x - 2), max(0, box.y - 2), min(width, box.right + 2), min(height, box.bottom + 2)
    crop = pixels[y0:y1, x0:x1, :3].astype(np.int16)
    ring = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    difference = np.abs(crop - np.median(ring, axis=0)).max(axis=2)
    # The stronger contrast leaves soft shadows out; a fixed one, as a border may be fainter than the tick in it.
    for contrast in (2 * MIN_CONTRAST, MIN_CONTRAST):
        filled = _filled((difference > contrast).astype(np.uint8))
        ys, xs = np.nonzero(filled)
        if len(ys):
            tight = Box(x0 + int(xs.min()), y0 + int(ys.min()), int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1)
            if filled.sum() >= 0.6 * tight.area:
                return float(filled.sum() / tight.area), tight
    return 0.0, box


def _filled(mask: Mask) -> Mask:
    """With the holes in its outer contours filled; 1 where it holds."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(mask)
    cv2.drawContours(filled, contours, -1, 1, cv2.FILLED)
    return filled


def sign(pixels: Pixels, box: Box) -> str:
    """ "down" or "up" for an arrow (triangle or chevron), "plus", "minus", else "". `box` is tight to the drawing."""
    mask = drawing(pixels, box)
    ys, xs = np.nonzero(mask)
    if len(ys) < 4:
        return ""
    shape = mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] > 0
    height, width = shape.shape
    if width >= 2.5 * height:
        return "minus" if shape.mean() > 0.8 else ""
    return _arrow(shape) or ("plus" if _is_plus(shape) else "")


def _arrow(mask: Shape) -> str:
    """The outer width of an arrow shrinks evenly from one end to the other, and it is its own mirror image."""
    height, width = mask.shape
    if not (1.1 * height <= width + 1 and width >= 5 and height >= 3):
        return ""
    if float((mask == mask[:, ::-1]).mean()) < 0.75:
        return ""
    columns = np.arange(width)
    spans = np.array([np.ptp(columns[row]) + 1 if row.any() else 0 for row in mask], float)
    third = max(1, height // 3)
    top, bottom = spans[:third].mean() / width, spans[-third:].mean() / width
    if top > 0.7 and bottom < 0.55:
        return "down"
    return "up" if bottom > 0.7 and top < 0.55 else ""


def _is_plus(mask: Shape) -> bool:
    """A full middle row and column, and empty corners."""
    height, width = mask.shape
    if not 0.8 <= width / height <= 1.25 or height < 5:
        return False
    a, b = height // 3, width // 3
    corners = mask[:a, :b].mean() + mask[:a, -b:].mean() + mask[-a:, :b].mean() + mask[-a:, -b:].mean()
    row, column = mask[height // 2].mean(), mask[:, width // 2].mean()
    return bool(row > 0.9 and column > 0.9 and corners < 0.3)
