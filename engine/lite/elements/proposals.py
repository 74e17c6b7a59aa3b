"""Rectangles that may be operable: flat areas with an outline or a fill of their own, and small pictures.

Flat areas are connected components of pixels that equal their neighbours: a bordered or filled button, a field,
a check box or a selected row comes out exact to the pixel, in any colour and theme. Pictures are what is left of the
edges once text and long straight lines are taken away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.lite.elements.canvas import Canvas
from fingerpost.engine.lite.elements.edges import (
    CLEAR_EDGE,
    EdgeMaps,
    Mask,
    Parts,
    bounds,
    closed,
    opened,
)
from fingerpost.engine.lite.elements.overlaps import AT_ONCE, outside
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box

Columns = npt.NDArray[np.int64]
"""x, y, width and height of boxes, each as an array."""

MAX_OUTLINES = 8000  # more than a spreadsheet on a 4K screen has; the largest are kept
MIN_FILL = 0.45  # part of its rectangle that a flat area covers; text and icons are the holes


def control_outlines(parts: Parts, frame: Box, ui_scale: float) -> list[Box]:
    """Outlines around flat parts, 8..90 px high and at least 8 px wide at scale 1, tight to the drawn border."""
    _, _, width, height, area = parts.T
    low, high = 8 * ui_scale, 90 * ui_scale
    good = (width >= low) & (height >= low) & (height <= high) & (area >= MIN_FILL * width * height)
    # An edge is marked on the left and upper one of two different pixels. So an area starts right after the border
    # on the left and top, and ends one pixel early on the right and bottom: the border lies one and two pixels away.
    chosen = parts[good]
    if len(chosen) > MAX_OUTLINES:
        chosen = chosen[np.sort(np.argsort(-chosen[:, 4], kind="stable")[:MAX_OUTLINES])]
    return [Box(int(x) - 1, int(y) - 1, int(w) + 3, int(h) + 3).intersection(frame) for x, y, w, h, _ in chosen]


def bars(parts: Parts, ui_scale: float) -> list[Box]:
    """Level bars of one colour, 2..7 px thick and at least 14 px long at scale 1: they underline the open tab."""
    _, _, width, height, area = parts.T
    thin = (height >= 1) & (height + 1 >= 2 * ui_scale) & (height + 1 <= 7 * ui_scale)
    good = thin & (width >= 14 * ui_scale) & (width >= 4 * height) & (area >= 0.85 * width * height)
    return [Box(int(x), int(y), int(w) + 1, int(h) + 1) for x, y, w, h, _ in parts[good]]


def without_insides(areas: Sequence[Box], written: Sequence[Box], drawings: Sequence[Box]) -> list[Box]:
    """Drops the flat areas inside letters ("o") and inside the drawing of an icon."""
    square = [d for d in drawings if max(d.width, d.height) <= 1.8 * min(d.width, d.height)]
    inside = np.zeros(len(areas), np.bool_)
    _, _, width, height = places = np.array(areas, np.int64).reshape(-1, 4).T
    for words in _some_at_once(written):
        inside |= (_within(places, words) & (height < 0.7 * words[3])).any(axis=0)
    for drawn in _some_at_once(square):
        inside |= (_within(places, drawn) & (width * height < 0.6 * drawn[2] * drawn[3])).any(axis=0)
    return [area for area, dropped in zip(areas, inside, strict=True) if not dropped]


def _some_at_once(boxes: Sequence[Box]) -> Iterator[Columns]:
    """The boxes as columns to compare with rows of others, a few at a time, which bounds the memory."""
    table = np.array(boxes, np.int64).reshape(-1, 4)
    for start in range(0, len(table), AT_ONCE):
        yield table[start : start + AT_ONCE].T[:, :, None]


def _within(places: Columns, boxes: Columns) -> npt.NDArray[np.bool_]:
    """Shape (boxes, places): which of the places lie in a box with all their pixels."""
    x, y, width, height = places
    left, top, across, down = boxes
    inside = (x >= left) & (y >= top) & (x + width <= left + across) & (y + height <= top + down)
    return np.asarray(inside, np.bool_)


def without_doubles(boxes: Sequence[Box], same: float = 0.8) -> list[Box]:
    """Drops each box that nearly equals an earlier one (intersection over union greater than `same`)."""
    kept: list[Box] = []
    near: dict[tuple[int, int], list[Box]] = {}
    for box in boxes:
        cell = (box.centre[0] // 32, box.centre[1] // 32)
        around = (near.get((cell[0] + i, cell[1] + j), ()) for i in (-1, 0, 1) for j in (-1, 0, 1))
        if not any(box.iou(other) > same for group in around for other in group):
            kept.append(box)
            near.setdefault(cell, []).append(box)
    return kept


def pictures(edges: EdgeMaps, written: Sequence[Box], areas: Sequence[Box], ui_scale: float) -> list[Box]:
    """Boxes of small drawings without text: toolbar icons, arrows, window buttons; 5..80 px at scale 1.

    What is `written` and the borders of `areas` are taken away before.
    """
    ink = edges.above(CLEAR_EDGE)
    ink = np.asarray(cv2.subtract(ink, long_lines(edges, CLEAR_EDGE, round(48 * ui_scale))), np.uint8)
    for box in written:
        ink[max(0, box.y) : box.bottom, max(0, box.x) : box.right] = 0
    _erase_borders(ink, areas, ui_scale)
    reach = max(3, round(5 * ui_scale))
    ink = closed(ink, reach, reach)
    parts = bounds(ink)
    longest, low, high = parts[:, 2:].max(axis=1, initial=0), 5 * ui_scale * 0.9, 80 * ui_scale
    parts = parts[(longest >= low) & (longest <= high)]
    frame = Box(0, 0, ink.shape[1], ink.shape[0])
    # An edge is marked one pixel before the drawing starts, on the left and on the top.
    drawn = (Box(*place) for place in parts.tolist())
    found = [box.moved(1, 1).intersection(frame) for box in drawn if _inked(ink, box) >= 6 * ui_scale]
    return _without_slivers(found, written, ui_scale)


def _inked(ink: Mask, box: Box) -> int:
    """How many pixels of the box are drawn."""
    return cv2.countNonZero(ink[box.y : box.bottom, box.x : box.right])


def _without_slivers(boxes: Sequence[Box], written: Sequence[Box], ui_scale: float) -> list[Box]:
    """Drops separators, and thin rests of wide letters at the ends of a text."""
    boxes = [b for b in boxes if b.width > 3 * ui_scale or b.height < 10 * ui_scale]
    pad = round(2 * ui_scale)
    near = [Box(b.x - 3 * pad, b.y - pad, b.width + 6 * pad, b.height + 2 * pad) for b in written]
    narrow = [b for b in boxes if b.width <= 5 * ui_scale and b.height >= b.width]
    slivers = set(narrow) - set(outside(narrow, near, 0.9))
    return [b for b in boxes if b not in slivers]


def _erase_borders(ink: Mask, areas: Sequence[Box], ui_scale: float) -> None:
    """Takes the outlines of controls out of `ink`; not those of small squares, which may be parts of an icon."""
    for box in areas:
        if max(box.width, box.height) >= 28 * ui_scale and min(box.width, box.height) >= 14 * ui_scale:
            top_left, bottom_right = (box.x - 1, box.y - 1), (box.right - 1, box.bottom - 1)
            cv2.rectangle(ink, top_left, bottom_right, 0, 1 + 2 * max(1, round(1.5 * ui_scale)))


def long_lines(edges: EdgeMaps, threshold: int, length: int) -> Mask:
    """Straight edges at least `length` px long: borders, separators, underlines."""
    rows = opened(edges.horizontal(threshold), length, 1)
    columns = opened(edges.vertical(threshold), 1, length)
    return np.asarray(cv2.max(rows, columns), np.uint8)


def text_boxes(canvas: Canvas, lines: Sequence[TextLine]) -> list[Box]:
    """The parts of the lines that surely are text.

    OCR reads icons as one or two odd characters, alone or in front of a label: those parts are left out.
    """
    return [box for line in lines if line.score > 0.6 for box in canvas.of_line(_word_runs, line)]


def _word_runs(line: TextLine) -> list[Box]:
    """Stretches of `line` made of words, broken where a sign stands well apart from the rest."""
    if len(line.char_x) != len(line.text):
        return [line.box] if sum(c.isalnum() for c in line.text) >= 3 else []
    runs: list[list[int]] = []
    for i, char in enumerate(line.text):
        if char.isspace():
            continue
        if runs and line.char_x[i] - line.char_x[runs[-1][-1]] <= 0.8 * line.box.height:
            runs[-1].append(i)
        else:
            runs.append([i])
    if runs and _reads_like_a_mark(line.text):
        runs[0] = runs[0][1:]
    if _may_be_an_icon(line.text):
        return []
    words = [run for run in runs if sum(line.text[i].isalnum() for i in run) >= 2]
    return [_stretch(line, run[0], run[-1]) for run in words]


def _may_be_an_icon(text: str) -> bool:
    """Icons that show letters are read as text: "ab", "0.0", "fx". Words begin with a capital or are longer."""
    plain = text.strip()
    letters = sum(c.isalpha() for c in plain)
    return (
        len(plain) <= 2
        or (len(plain) <= 3 and not (letters == 3 and plain[0].isupper()))
        or (not letters and len(plain) <= 4)
    )


def _reads_like_a_mark(text: str) -> bool:
    """OCR reads a check box or radio button in front of a caption as a round letter or as an odd sign."""
    first, rest = text[:1], text[1:].lstrip()
    odd = not first.isalnum() or ord(first) >= 0x2000
    return bool(rest) and (odd or (first in "O0oQ" and rest[0].isupper()))


def _stretch(line: TextLine, first: int, last: int) -> Box:
    """From the left of one character to the right of another; the OCR knows their middles only."""
    half = 0.4 * line.box.height
    left = max(line.box.x, round(line.char_x[first] - half))
    right = min(line.box.right, round(line.char_x[last] + half))
    return Box(left, line.box.y, max(0, right - left), line.box.height)
