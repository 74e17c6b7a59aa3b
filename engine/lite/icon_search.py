"""Pictures without a text of their own, as candidates for a name ("the gear icon", "reload")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.icons import CONFIDENT, IconReader
from fingerpost.engine.lite.kinds import ENTRY
from fingerpost.engine.lite.layout import enclosing
from fingerpost.engine.lite.scene import Scene, TextLine
from fingerpost.engine.values import Box, Frame

SMALLEST, LARGEST = 8, 72  # logical pixels, each side of an icon or its button
PICTURES = frozenset({"icon", "button", "box", "tab", "check box", "radio button"})
"""Kinds of element that may show an icon. Square marks are often taken for check boxes."""
LONGEST = 3  # times as long as wide; what is longer is a line or a border
MARGIN = 3  # logical pixels around a picture without an outline: icons are learnt with some room around them


def icon_boxes(scene: Scene) -> list[Box]:
    """The boxes that show a picture and no text: a button's outline, or the picture alone where there is none."""
    texts = [line.box for line in scene.lines if _is_text(line)]
    small = [e for e in scene.elements if e.kind in PICTURES and _is_small(e.box, scene.ui_scale)]
    small = [e for e in small if not any(e.box.contains(*t.centre) for t in texts)]
    outlines = [e for e in small if e.kind != "icon"]
    outlines = [e for e in outlines if not any(o is not e and _within(e.box, o.box) for o in outlines)]
    pictures = [e for e in small if e.kind == "icon" and sum(_within(o.box, e.box) for o in outlines) == 0]
    pictures = [e for e in pictures if not any(_within(e.box, o.box) for o in outlines)]
    pictures = [e for e in pictures if not any(p is not e and _within(e.box, p.box) for p in pictures)]
    grown = [_grown(e.box, round(MARGIN * scene.ui_scale), scene) for e in pictures]
    boxes = _distinct([e.box for e in outlines] + grown)
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


def _within(inner: Box, outer: Box) -> bool:
    return inner.intersection(outer).area >= 0.8 * inner.area and inner.area < outer.area


def _grown(box: Box, margin: int, scene: Scene) -> Box:
    whole = Box(0, 0, scene.size.width, scene.size.height)
    return Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin).intersection(whole)


def _distinct(boxes: Sequence[Box]) -> list[Box]:
    kept: list[Box] = []
    for box in boxes:
        if all(box.iou(other) < 0.5 for other in kept):
            kept.append(box)
    return kept
