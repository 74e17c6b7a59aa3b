"""What the picture says about single nodes of an accessibility tree: confirmed, possible, or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.accessibility.placement import NAMED_BY_TEXT
from fingerpost.engine.lite.names import locate, similarity
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Frame, Pixels

ALIKE = 0.75
"""Likeness from which a line that stands in a node is its name, if misread."""
CONTAINED = 0.85
READ_CLEARLY = 0.8
LEGIBLE = 3  # letters and digits; shorter readings are often pictures
HIGH = 6.0
"""Nodes higher than so many lines hold many things; a text in them need not be their name."""
INK = 14
"""Difference of brightness, 0..255, of anything drawn; greyed out icons have more."""

SAMPLES = 24
"""Pixels looked at along each side of a large box before all of them are."""


@dataclass(frozen=True)
class Evidence:
    """confirmed: the name is read there; contradicted: another text is; `line` is the text that confirms."""

    confirmed: bool = False
    contradicted: bool = False
    line: TextLine | None = None


class Picture:
    """A frame and its texts, made ready for many questions."""

    def __init__(self, frame: Frame, lines: Sequence[TextLine]) -> None:
        self._pixels = frame.pixels
        self._bounds = frame.box
        self._lines = lines
        corners = [(line.box.x, line.box.y, line.box.right, line.box.bottom) for line in lines]
        self._corners = np.array(corners, np.int32).reshape(-1, 4)

    def shows_anything(self, box: Box) -> bool:
        """Whether something is drawn in the box or around it: not one even colour."""
        grown = Box(box.x - 1, box.y - 1, box.width + 2, box.height + 2).intersection(self._bounds)
        if grown.area == 0:
            return False
        part = self._pixels[grown.y : grown.bottom, grown.x : grown.right, :3]
        step_y, step_x = max(1, grown.height // SAMPLES), max(1, grown.width // SAMPLES)
        return _varies(part[::step_y, ::step_x]) or _varies(part)

    def evidence(self, node: AccessibleNode) -> Evidence:
        """What the texts in the node's box say about its name."""
        if not node.name or node.role not in NAMED_BY_TEXT:
            return Evidence()
        contradicted = False
        for line in self._lines_at(node.box):
            if self._is_name(node, line):
                return Evidence(confirmed=True, line=line)
            if _inside(line.box, node.box) and not _says(node.description, line.text):
                contradicted |= _clear(line) or _is_another_key(node.name, line)
        return Evidence(contradicted=contradicted)

    def _lines_at(self, box: Box) -> list[TextLine]:
        """The lines at least half of whose height is in the box, and some of whose width."""
        left, top, right, bottom = self._corners.T
        common_x = np.minimum(right, box.right) - np.maximum(left, box.x)
        common_y = np.minimum(bottom, box.bottom) - np.maximum(top, box.y)
        there = (common_x > 2) & (2 * common_y >= np.minimum(bottom - top, box.height))
        return [
            self._lines[i] for i in np.flatnonzero(there).tolist() if box.height <= HIGH * self._lines[i].box.height
        ]

    def _is_name(self, node: AccessibleNode, line: TextLine) -> bool:
        return _says(node.name, line.text) or (_inside(line.box, node.box) and _is_part(line.text, node.name))


def _varies(part: Pixels) -> bool:
    flat = part.reshape(-1, 3)
    return bool((flat.max(axis=0).astype(int) - flat.min(axis=0)).max() >= INK)


def _says(name: str, text: str) -> bool:
    """Whether a line reads as the name, or holds it among others: menu titles in a row are one line."""
    if not name:
        return False
    if similarity(name, text) >= ALIKE:
        return True
    match = locate(name, text)
    return match is not None and match.score >= CONTAINED


def _is_part(text: str, name: str) -> bool:
    """Whether a line is a piece of the name: a caption that wraps, or is cut off."""
    match = locate(text, name)
    return match is not None and match.score >= CONTAINED


def _clear(line: TextLine) -> bool:
    return line.score >= READ_CLEARLY and sum(c.isalnum() for c in line.text) >= LEGIBLE


def _is_another_key(name: str, line: TextLine) -> bool:
    """Keys of a calculator: one digit each, which OCR would not take for another so surely."""
    return len(name) == len(line.text) == 1 and name.isdigit() and line.text.isdigit() and line.score >= READ_CLEARLY


def _inside(inner: Box, outer: Box) -> bool:
    return inner.intersection(outer).area >= 0.8 * inner.area
