"""What lies in a box: characters and small drawings. Looked up thousands of times a screen, so with numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box


@dataclass(frozen=True)
class Text:
    """The characters inside a box.

    box           around them all
    letters       how many letters and digits they have
    line_letters  how many their whole lines have: the box may hold a part of a line
    line_height   the median height of these lines, frame pixels
    rows          how many lines stand below each other
    """

    box: Box
    letters: int
    line_letters: int
    line_height: int
    rows: int


class Contents:
    """Characters and pictures of one screen, by place."""

    def __init__(self, lines: Sequence[TextLine], pictures: Sequence[Box]) -> None:
        self._lines = [line for line in lines if len(line.char_x) == len(line.text)]
        rows = [
            (x, line.box.centre[1], index, char.isalnum())
            for index, line in enumerate(self._lines)
            for char, x in zip(line.text, line.char_x, strict=True)
            if not char.isspace()
        ]
        table = np.array(rows, np.float64).reshape(-1, 4)
        self._x, self._y, self._line, self._letter = np.ascontiguousarray(table.T)
        self._letters = [sum(char.isalnum() for char in line.text) for line in self._lines]
        self.pictures = list(pictures)
        centres = np.array([b.centre for b in pictures], np.float64).reshape(-1, 2)
        self._picture_x, self._picture_y = centres.T

    def text(self, box: Box) -> Text | None:
        """What is written in `box`; None when nothing is."""
        inside = (self._x >= box.x) & (self._x < box.right) & (self._y >= box.y) & (self._y < box.bottom)
        chosen = np.flatnonzero(inside)
        if not len(chosen):
            return None
        x, numbers = self._x[chosen], {int(number) for number in self._line[chosen]}
        lines = [self._lines[number] for number in numbers]
        height = int(median(line.box.height for line in lines))
        left, right = x.min() - 0.3 * height, x.max() + 0.3 * height
        top, bottom = min(line.box.y for line in lines), max(line.box.bottom for line in lines)
        rows = {round(line.box.centre[1] / max(1.0, 0.7 * height)) for line in lines}
        around = Box(int(left), top, int(right - left) + 1, bottom - top)
        in_lines = sum(self._letters[number] for number in numbers)
        return Text(around, int(self._letter[chosen].sum()), in_lines, height, len(rows))

    def pictures_in(self, box: Box) -> list[Box]:
        x, y = self._picture_x, self._picture_y
        chosen = (x >= box.x) & (x < box.right) & (y >= box.y) & (y < box.bottom)
        return [self.pictures[int(i)] for i in np.flatnonzero(chosen)]
