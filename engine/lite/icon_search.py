"""Pictures without a text of their own, as candidates for a name ("the gear icon", "reload")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.choice_marks import captioned
from fingerpost.engine.lite.icons import CONFIDENT, IconReader
from fingerpost.engine.lite.kinds import CHOICE, ENTRY
from fingerpost.engine.lite.layout import enclosing
from fingerpost.engine.lite.scene import Scene, TextLine
from fingerpost.engine.values import Box, Frame

Table = npt.NDArray[np.int64]
"""Shape (n, 4): x, y, width and height of boxes."""

SMALLEST, LARGEST = 8, 72  # logical pixels, each side of an icon or its button
PICTURES = frozenset({"icon", "button", "box", "tab", "check box", "radio button"})
"""Kinds of element that may show an icon. Square marks are often taken for check boxes."""
LONGEST = 3  # times as long as wide; what is longer is a line or a border
MARGIN = 3  # logical pixels around a picture without an outline: icons are learnt with some room around them


def icon_boxes(scene: Scene) -> list[Box]:
    """The boxes that show a picture and no text: a button's outline, or the picture alone where there is none.

    The tick in the check box of a caption is no picture of its own: it means "on", not "done" or "save".
    """
    lines = [line for line in scene.lines if _is_text(line)]
    texts = [line.box.centre for line in lines]
    small = [e for e in scene.elements if e.kind in PICTURES and _is_small(e.box, scene.ui_scale)]
    marks = [e.box for e in scene.elements if e.kind in CHOICE and captioned(e.box, lines)]
    small = [e for e in small if not any(mark.contains(*e.box.centre) for mark in marks)]
    outlines = _without([e.box for e in small if e.kind != "icon"], texts)
    outlines = _not_within(outlines, outlines)
    pictures = _without([e.box for e in small if e.kind == "icon"], texts)
    pictures = _around_none(pictures, outlines)
    pictures = _not_within(pictures, outlines)
    pictures = _not_within(pictures, pictures)
    grown = [_grown(box, round(MARGIN * scene.ui_scale), scene) for box in pictures]
    boxes = _distinct(outlines + grown)
    return [box for box in boxes if max(box.width, box.height) <= LONGEST * min(box.width, box.height)]


def by_icon(frame: Frame, scene: Scene, icons: IconReader, names: Iterable[str]) -> list[Candidate]:
    """One candidate a picture, scored by the first of the names that the icon model knows."""
    boxes = icon_boxes(scene)
    vectors = icons.describe(frame, boxes)
    for name in names:
        scores = icons.rank(name, vectors)
        if scores.known:
            return [
                Candidate(box, box.centre, name, "icon", float(score), 1.0, "icon")
                for box, score in zip(boxes, scores.scores, strict=True)
            ]
    return []


def field_with_icon(frame: Frame, scene: Scene, icons: IconReader, name: str) -> list[Candidate]:
    """Fields that no text names but a picture in them does, such as the magnifier in a search field."""
    found = []
    fields = [e for e in scene.elements if e.kind in ENTRY]
    for icon in by_icon(frame, scene, icons, [name]):
        around = enclosing(icon.box, fields)
        if around is not None and icon.name_score >= CONFIDENT:
            found.append(Candidate(around.box, around.box.centre, name, around.kind, 0.9, 1.0, "icon"))
    return found


def _is_text(line: TextLine) -> bool:
    """OCR reads many icons as one or two characters; real labels are clearly wider than high."""
    letters = sum(c.isalnum() for c in line.text)
    return line.box.width > 1.5 * line.box.height and letters >= 2


def _is_small(box: Box, scale: float) -> bool:
    return SMALLEST * scale <= max(box.width, box.height) <= LARGEST * scale and min(box.width, box.height) >= 3 * scale


def _without(boxes: Sequence[Box], points: Sequence[tuple[int, int]]) -> list[Box]:
    """The boxes that hold none of the points."""
    x, y = np.array(points, np.int64).reshape(-1, 2).T
    return [box for box in boxes if not ((x >= box.x) & (x < box.right) & (y >= box.y) & (y < box.bottom)).any()]


def _not_within(boxes: Sequence[Box], others: Sequence[Box]) -> list[Box]:
    """The boxes that lie in none of the others."""
    inside = _lie_within(_table(boxes), _table(others))
    return [box for box, places in zip(boxes, inside, strict=True) if not places.any()]


def _around_none(boxes: Sequence[Box], others: Sequence[Box]) -> list[Box]:
    """The boxes that none of the others lies in."""
    around = _lie_within(_table(others), _table(boxes)).T
    return [box for box, places in zip(boxes, around, strict=True) if not places.any()]


def _lie_within(inner: Table, outer: Table) -> npt.NDArray[np.bool_]:
    """Shape (inner, outer): whether most of an inner box lies in the outer one, and it is the smaller."""
    area, outer_area = inner[:, 2] * inner[:, 3], outer[:, 2] * outer[:, 3]
    return np.asarray((_common(inner, outer) >= 0.8 * area[:, None]) & (area[:, None] < outer_area), np.bool_)


def _common(ones: Table, others: Table) -> npt.NDArray[np.int64]:
    """Shape (ones, others): the area common to each two boxes."""
    x, y, width, height = ones.T[:, :, None]
    left, top, across, down = others.T
    common_x = np.minimum(x + width, left + across) - np.maximum(x, left)
    common_y = np.minimum(y + height, top + down) - np.maximum(y, top)
    return np.asarray(np.maximum(0, common_x) * np.maximum(0, common_y), np.int64)


def _table(boxes: Sequence[Box]) -> Table:
    return np.array(boxes, np.int64).reshape(-1, 4)


def _grown(box: Box, margin: int, scene: Scene) -> Box:
    whole = Box(0, 0, scene.size.width, scene.size.height)
    return Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin).intersection(whole)


def _distinct(boxes: Sequence[Box]) -> list[Box]:
    """Of boxes that cover each other by half or more the first one."""
    table = _table(boxes)
    area = table[:, 2] * table[:, 3]
    free = np.ones(len(boxes), np.bool_)
    for index in range(len(boxes)):
        if free[index]:
            common = _common(table[index : index + 1], table)[0]
            free &= common < 0.5 * np.maximum(1, area + area[index] - common)
            free[index] = True
    return [box for box, kept in zip(boxes, free, strict=True) if kept]
