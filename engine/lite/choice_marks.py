"""Which check box, radio button or switch a caption belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from fingerpost.engine.lite.kinds import CHOICE
from fingerpost.engine.lite.layout import overlap_y, text_between
from fingerpost.engine.lite.scene import Element, Scene, TextLine
from fingerpost.engine.values import Box

BLANK_KINDS = frozenset({"box", "button", "icon"})
"""What a mark is taken for when its looks say too little."""
SQUARE, PILL = (0.75, 1.35), (1.4, 2.7)
"""Width through height of a check box and of a switch."""


def mark_of(scene: Scene, caption: Box, asked: frozenset[str]) -> Element | None:
    """The mark right before a caption; when one was asked for also what may be a mark, or one at the row's end.

    asked  kinds that the query names; empty for none
    """
    if asked and not asked & CHOICE:
        return None
    around = [e for e in scene.elements if e.kind in CHOICE and e.name and e.box.contains(*caption.centre)]
    if around:
        return around[0]  # told by the program, with its caption
    before = _before(caption, [e for e in scene.elements if e.kind in CHOICE])
    if before is not None or not asked:
        return before
    return _unclear_mark(scene, caption, asked) or _at_the_end(scene, caption, asked)


def _before(caption: Box, marks: list[Element]) -> Element | None:
    return next((mark for mark in marks if _leads(mark.box, caption)), None)


def _leads(mark: Box, text: Box) -> bool:
    """Whether a mark stands right before a text, or at the beginning of its box: OCR often takes it for a letter."""
    beside = text.x - mark.right < 2 * text.height and mark.centre[0] < text.x + text.height
    return beside and overlap_y(mark, text) > 0.5


def _at_the_end(scene: Scene, caption: Box, asked: frozenset[str]) -> Element | None:
    """The nearest mark to the right of a caption that has the row for itself, as settings pages show switches."""
    marks = [e for e in scene.elements if e.kind in CHOICE or ("switch" in asked and _may_be(e, scene, PILL, caption))]
    there = [m for m in marks if m.box.x >= caption.right and _in_row(m.box, caption)]
    there = [m for m in there if not captioned(m.box, scene.lines)]
    nearest = min(there, key=lambda m: m.box.x, default=None)
    if nearest is None or text_between(caption, nearest.box, scene.lines):
        return None
    return nearest if nearest.kind in CHOICE else Element(nearest.box, "switch", nearest.score)


def _unclear_mark(scene: Scene, caption: Box, asked: frozenset[str]) -> Element | None:
    """A small square right before a caption, or a pill when a switch was asked for: what else should it be."""
    shape = PILL if asked == {"switch"} else SQUARE
    found = _before(caption, [e for e in scene.elements if _may_be(e, scene, shape, caption)])
    return None if found is None else Element(found.box, min(asked & CHOICE), found.score)


def _may_be(element: Element, scene: Scene, shape: tuple[float, float], caption: Box) -> bool:
    box = element.box
    if element.name or element.kind not in BLANK_KINDS or not 0.5 * caption.height <= box.height <= 2 * caption.height:
        return False
    if not shape[0] <= box.width / box.height <= shape[1]:
        return False
    return not any(box.contains(*line.box.centre) for line in scene.lines)


def _in_row(mark: Box, caption: Box) -> bool:
    """Beside the caption, or beside it and a second line of smaller text under it."""
    return caption.y <= mark.centre[1] <= caption.bottom + 1.2 * caption.height


def captioned(mark: Box, lines: Iterable[TextLine]) -> bool:
    """Whether one of the texts follows the mark closely: then the mark is that text's."""
    return any(_leads(mark, line.box) for line in lines)
