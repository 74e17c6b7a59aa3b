"""Makes the picture of a line that the recogniser reads best: tight, in full contrast, without underlines."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.lite.ocr import ink
from fingerpost.engine.values import Box, Pixels

HEIGHT = 48  # network pixels: the only height the network takes
MARGIN = 0.2  # of the ink's height, on all sides of a label
PROSE_MARGIN = 0.35  # of prose: smaller letters are less work, and whole sentences read well enough
SMALLEST = 0.35  # of the crop's height: lower ink is a dot or a dash and would look like a letter when it filled all
STRETCH = 1.15  # of a label; the network answers every eight pixels: wider letters are told apart better
LABEL = 12  # a box that is more times wider than high holds prose

Picture = npt.NDArray[np.uint8]
"""Shape (HEIGHT, width, 3): blue, green, red."""


@dataclass(frozen=True)
class LinePicture:
    """A line ready to be read. Its left edge is at `left` of the crop it came from, in the crop's pixels.

    scale  network pixels a pixel of the crop, from left to right
    """

    pixels: Picture
    left: int
    scale: float


def is_prose(box: Box) -> bool:
    """Whether a line so long holds a sentence, not a label."""
    return box.width > LABEL * box.height


def prepare(crop: Pixels, prose: bool) -> LinePicture:
    """The picture of the line in `crop`."""
    picture = np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGRA2BGR), np.uint8)
    ground = ink.background(crop)
    inked = ink.mask(crop, ground)
    for stroke in ink.underlines(inked):
        # One pixel more at the sides: its soft ends.
        area = np.s_[stroke.y : stroke.bottom, max(0, stroke.x - 1) : stroke.right + 1]
        picture[area], inked[area] = ground, 0
    box = _around(ink.extent(inked), crop.shape[0], crop.shape[1], PROSE_MARGIN if prose else MARGIN)
    picture = _cut(picture, box)
    stretch = 1.0 if prose else STRETCH
    size = max(1, round(box.width * HEIGHT / box.height * stretch)), HEIGHT
    method = cv2.INTER_CUBIC if box.height < HEIGHT else cv2.INTER_AREA
    scaled = np.asarray(cv2.resize(_full_contrast(picture), size, interpolation=method), np.uint8)
    return LinePicture(scaled, box.x, size[0] / box.width)


def _around(inked: Box | None, height: int, width: int, share: float) -> Box:
    """The ink with `share` of its height around it; may reach beyond the crop."""
    if inked is None or inked.height < SMALLEST * height:
        return Box(0, 0, width, height)
    margin = max(1, round(share * inked.height))
    return Box(inked.x - margin, inked.y - margin, inked.width + 2 * margin, inked.height + 2 * margin)


def _cut(picture: Picture, box: Box) -> Picture:
    """The part in `box`; what lies beyond the picture continues its edge."""
    height, width = picture.shape[:2]
    inside = box.intersection(Box(0, 0, width, height))
    cut = cv2.copyMakeBorder(
        picture[inside.y : inside.bottom, inside.x : inside.right],
        inside.y - box.y,
        box.bottom - inside.bottom,
        inside.x - box.x,
        box.right - inside.right,
        cv2.BORDER_REPLICATE,
    )
    return np.asarray(cut, np.uint8)


def _full_contrast(picture: Picture) -> Picture:
    low, high = int(picture.min()), int(picture.max())
    if high - low < ink.FAINT:
        return picture
    factor = 255 / (high - low)
    return np.asarray(cv2.convertScaleAbs(picture, alpha=factor, beta=-low * factor), np.uint8)
