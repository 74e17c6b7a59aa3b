"""Controls that are only text: links in a page, and tabs of which the open one is underlined."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from fingerpost.engine.lite.elements.canvas import Canvas
from fingerpost.engine.lite.scene import Element, TextLine
from fingerpost.engine.values import Box, Pixels

LINK_SATURATION = 0.22  # colour strength (max - min channel, 0..1) of link text


def find_links(canvas: Canvas, lines: Sequence[TextLine]) -> list[Element]:
    """Lines written in blue: most links are. The box is the line's. Lines on a coloured background do not count."""
    worded = [line for line in lines if sum(c.isalpha() for c in line.text) >= 2]
    return [Element(line.box, "link", 0.55) for line in worded if canvas.measure(_is_blue, line.box)]


def _is_blue(pixels: Pixels, box: Box) -> bool:
    seen = pixels[max(0, box.y) : box.bottom, max(0, box.x) : box.right]
    if seen.size == 0 or int(cv2.subtract(seen[..., 0], seen[..., 2]).max()) < 255 * LINK_SATURATION:
        return False  # where no pixel is blue, the medians below are not either
    crop = seen[..., :3].astype(np.int16)
    paper = np.median(crop.reshape(-1, 3), axis=0)
    difference = np.abs(crop - paper).max(axis=2)
    strongest = float(difference.max(initial=0))
    if strongest < 60 or paper.max() - paper.min() > 40:
        return False
    blue, green, red = np.median(crop[difference > 0.6 * strongest], axis=0)
    return bool(blue - red >= 255 * LINK_SATURATION and blue >= green)


def find_underlined_tabs(bars: Sequence[Box], lines: Sequence[TextLine], ui_scale: float) -> list[Element]:
    """Texts in one row of which exactly one has a thick line below it, a little wider than itself."""
    found: list[Element] = []
    for line in lines:
        if sum(c.isalpha() for c in line.text) >= 3 and any(_underlines(bar, line.box, ui_scale) for bar in bars):
            row = _row_around(line, lines, ui_scale)
            if len(row) > 1:
                found += [Element(_padded(other.box, ui_scale), "tab", 0.7) for other in row]
    return found


def _underlines(bar: Box, text: Box, ui_scale: float) -> bool:
    below = -3 * ui_scale <= bar.y - text.bottom <= 14 * ui_scale
    centred = abs(bar.centre[0] - text.centre[0]) <= 6 * ui_scale
    return below and centred and 0.85 * text.width <= bar.width <= text.width + 60 * ui_scale


def _row_around(line: TextLine, lines: Sequence[TextLine], ui_scale: float) -> list[TextLine]:
    """The lines of the same height and baseline, as far as the gaps between them stay small."""
    level = [o for o in lines if abs(o.box.centre[1] - line.box.centre[1]) <= 3 * ui_scale]
    level = sorted((o for o in level if o.box.height <= 1.5 * line.box.height), key=lambda o: o.box.x)
    start = end = level.index(line)
    while start > 0 and level[start].box.x - level[start - 1].box.right <= 70 * ui_scale:
        start -= 1
    while end + 1 < len(level) and level[end + 1].box.x - level[end].box.right <= 70 * ui_scale:
        end += 1
    return level[start : end + 1]


def _padded(box: Box, ui_scale: float) -> Box:
    pad = min(round(4 * ui_scale), box.x, box.y)
    return Box(box.x - pad, box.y - pad, box.width + 2 * pad, box.height + 2 * pad)
