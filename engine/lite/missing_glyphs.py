"""Boxes that stand for characters no font has: a frame around the character's number, "E0" above "01".

Text toolkits draw them in place of an emoji or a picture in a font. The icon model takes them for floppy disks,
buildings and chips; they show nothing that anybody would name.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.values import Pixels

Ink = npt.NDArray[np.bool_]
"""Shape (height, width): where something is drawn."""

CONTRAST = 0.5  # of the strongest in the picture: fainter pixels are soft edges
FULL = 0.9  # of a side of the frame
LINES = 2  # of digits
IN_A_LINE = (2, 3)  # digits: four or six in all
ALIKE = 0.3  # of their height: how much the lines' heights may differ
SOLID = 0.9  # of the space of the digits: a grid of squares has more ink than digits


def shows_missing_glyphs(pixels: Pixels) -> bool:
    """Whether all that is drawn in `pixels` (BGRA, not empty) are such boxes."""
    ink = _ink(pixels)
    contours, _ = cv2.findContours(ink.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [cv2.boundingRect(contour) for contour in contours]
    return bool(boxes) and all(_is_numbered_frame(ink[y : y + height, x : x + width]) for x, y, width, height in boxes)


def _ink(pixels: Pixels) -> Ink:
    colours = pixels[..., :3].astype(np.int16)
    ground = np.median(np.concatenate([colours[0], colours[-1], colours[:, 0], colours[:, -1]]), axis=0)
    contrast = np.abs(colours - ground).max(axis=2)
    return np.asarray(contrast > max(1.0, CONTRAST * float(contrast.max())), np.bool_)


def _is_numbered_frame(ink: Ink) -> bool:
    """`ink` is tight around one drawing."""
    if min(ink.shape) < 9 or min(float(side.mean()) for side in (ink[0], ink[-1], ink[:, 0], ink[:, -1])) < FULL:
        return False
    border = int((ink.mean(axis=1) < FULL).argmax())
    inside = ink[border:-border, border:-border] if border else ink[:0]
    lines = _runs(np.asarray(inside.any(axis=1), np.bool_)) if inside.size else []
    if len(lines) != LINES:
        return False
    heights = [stop - start for start, stop in lines]
    if max(heights) - min(heights) > max(1, ALIKE * max(heights)):
        return False
    upper, lower = (_count_digits(inside[start:stop]) for start, stop in lines)
    return upper == lower > 0


def _count_digits(line: Ink) -> int:
    """How many digits a line holds, 0 when it is no line of digits: they are upright and not solid."""
    digits = _runs(np.asarray(line.any(axis=0), np.bool_))
    space = sum(stop - start for start, stop in digits) * len(line)
    upright = all(stop - start <= len(line) for start, stop in digits)
    return len(digits) if len(digits) in IN_A_LINE and upright and line.sum() <= SOLID * space else 0


def _runs(filled: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and stop of every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], filled, [False])).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]
