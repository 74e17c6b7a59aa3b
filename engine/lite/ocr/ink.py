"""What is drawn in a box that holds a line of text: letters, underlines and the gaps between them.

Ink is whatever differs from the box's most common colour, so light text on dark counts the same as dark on light.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.values import Box, Pixels

FAINT = 12  # grey levels from the background below which nothing can be read
PART = 0.35  # of the strongest ink: the soft edges of letters are less and do not count
FLAT = 14  # grey levels: a column of pixels that varies less is empty
BORDER = 0.1  # of an element's shorter side: nothing is written so near to its edge
BORDER_INK = 0.9  # of a row of pixels: a frame's border has more, letters never
DOT = 0.3  # of the tallest letter's height: a dot is at most so wide and high
MIDDLE = 0.7  # of a box's height: above and below may be a frame's border

Mask = npt.NDArray[np.uint8]
"""Shape (height, width): 1 where there is ink, else 0."""

Gap = tuple[int, int]
"""Start and stop of empty columns, frame pixels."""

Colour = npt.NDArray[np.uint8]
"""Shape (3,): blue, green, red."""


def background(crop: Pixels) -> Colour:
    """The colour that half of the pixels have, each channel by itself."""
    middle = crop.shape[0] * crop.shape[1] // 2
    counts = (np.bincount(crop[:, :, channel].ravel(), minlength=256) for channel in range(3))
    return np.array([np.searchsorted(np.cumsum(count), middle, side="right") for count in counts], np.uint8)


def mask(crop: Pixels, ground: Colour) -> Mask:
    """Where there is ink on the background `ground`."""
    colours = np.ascontiguousarray(crop[:, :, :3])
    channels = np.asarray(cv2.absdiff(colours, np.broadcast_to(ground, colours.shape).copy()))
    # Numpy is slow along short axes.
    strength = np.maximum(np.maximum(channels[:, :, 0], channels[:, :, 1]), channels[:, :, 2])
    return np.asarray(strength > max(FAINT, PART * int(strength.max())), np.uint8)


def extent(ink: Mask) -> Box | None:
    """The smallest box around the ink, lines from end to end left out; None when there is none."""
    letters = np.where(ink.mean(axis=1, keepdims=True) > BORDER_INK, np.uint8(0), ink)
    x, y, width, height = cv2.boundingRect(letters)
    return Box(x, y, width, height) if width else None


def underlines(ink: Mask) -> list[Box]:
    """Strokes under single letters, as menus draw them under the key that opens an entry.

    With such a stroke an F reads as an E. It is flat, stands free below the line's letters, and has one of them above.
    """
    height = ink.shape[0]
    stats = cv2.connectedComponentsWithStats(ink, connectivity=8)[2][1:]
    boxes = [Box(*(int(value) for value in row[:4])) for row in stats]
    letters = [box for box in boxes if box.height >= height / 4]
    if not letters:
        return []
    baseline = float(np.median([box.bottom for box in letters]))
    return [
        box
        for box in boxes
        if box.height <= max(1, height // 12)
        and max(4, 3 * box.height) <= box.width <= height
        and baseline <= box.y <= baseline + height / 5
        and any(letter.x < box.right and box.x < letter.right and letter.bottom <= box.y + 1 for letter in letters)
    ]


def line_inside(pixels: Pixels, box: Box, letter: float) -> Box:
    """The line of text in the middle of an element such as a button, empty when nothing is drawn in it.

    letter  frame pixels from the top of a high letter to the bottom of a low one: the line is never lower,
            else a dot or a minus would fill it and look like a letter
    """
    border = max(2, round(BORDER * min(box.width, box.height)))
    inner = Box(box.x + border, box.y + border, box.width - 2 * border, box.height - 2 * border)
    if inner.width < 1 or inner.height < 1:
        return Box(box.x, box.y, 0, 0)
    crop = pixels[inner.y : inner.bottom, inner.x : inner.right]
    inked = extent(mask(crop, background(crop)))
    if inked is None:
        return Box(box.x, box.y, 0, 0)
    middle = inner.height / 2
    half = max(middle - inked.y, inked.bottom - middle, letter / 2)
    margin = max(2, round(letter / 4))
    line = Box(
        inner.x + inked.x - margin,
        inner.y + int(middle - half) - margin,
        inked.width + 2 * margin,
        int(2 * half) + 2 * margin,
    )
    return line.intersection(box)


def columns(pixels: Pixels, box: Box) -> npt.NDArray[np.bool_]:
    """For each column of the box: whether anything but a plain colour is drawn in its middle."""
    cut = round(box.height * (1 - MIDDLE) / 2)
    rows = np.ascontiguousarray(pixels[box.y + cut : box.bottom - cut, box.x : box.right])
    if not rows.size:
        return np.ones(box.width, np.bool_)
    rows = rows[~_borders(rows)]
    if not rows.size:
        return np.zeros(box.width, np.bool_)
    rows = rows.reshape(len(rows), -1)  # again the short axis
    varies = (rows.max(axis=0) - rows.min(axis=0)).reshape(box.width, 4)
    return np.asarray(varies[:, :3].max(axis=1) >= FLAT)


def _borders(rows: Pixels) -> npt.NDArray[np.bool_]:
    """Which rows are of one colour from end to end, and not the background's."""
    level = rows[:, :, 1].astype(np.int16)
    low, high = level.min(axis=1), level.max(axis=1)
    plain = high - low < FLAT
    if not plain.any():
        return np.asarray(plain)
    return np.asarray(plain & (abs(low - int(background(rows)[1])) >= FLAT))


def gaps(pixels: Pixels, box: Box) -> list[Gap]:
    """The empty columns between inked ones, from left to right."""
    inked = np.flatnonzero(columns(pixels, box))
    after = np.flatnonzero(np.diff(inked) > 1)
    return [(box.x + int(inked[index]) + 1, box.x + int(inked[index + 1])) for index in after]


def trailing_dots(crop: Pixels) -> list[float]:
    """The x of each dot that ends the line in `crop`, from left to right, in the crop's pixels."""
    stats = cv2.connectedComponentsWithStats(mask(crop, background(crop)), connectivity=8)[2][1:]
    boxes = sorted((Box(*(int(value) for value in row[:4])) for row in stats), key=lambda box: box.right)
    tallest = max((box.height for box in boxes), default=0)
    baseline = max((box.bottom for box in boxes), default=0)
    dots: list[float] = []
    while boxes and max(boxes[-1].width, boxes[-1].height) <= DOT * tallest and boxes[-1].y >= baseline - tallest / 2:
        dot = boxes.pop()
        dots.insert(0, dot.x + dot.width / 2)
    return dots
