"""Corrects a line by what is drawn: parts labels that stand far apart, sets right spaces and trailing dots.

The detector takes a menu bar, a row of tabs or of cells for one line when the gaps are small.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fingerpost.engine.lite.ocr import ink
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Pixels

APART = 1.0  # of the box's height: a gap so wide parts two labels before anything is read
WIDE = 1.6  # of the pitch, the mean distance of two letters: so does such a gap. A space is about 0.7
CLEAR = 1.15  # of the pitch: so does such a gap if it is UNLIKE the line's other spaces. A typewriter's space is 1.2
UNLIKE = 1.6  # times a common space of the line
CLOSED = 0.25  # of the pitch: where letters stand closer there is no space
OPEN = 0.9  # of the pitch: where they stand wider apart there is one
ELLIPSIS = 3  # dots
USUAL_PITCH = 0.3  # of the box's height, for single letters
SIDE = 0.25  # of the box's height: what a label keeps at most of the gap at its side

Gap = tuple[int, int]
"""Start and stop of empty columns, frame pixels."""


def columns(pixels: Pixels, box: Box) -> list[Box]:
    """The box cut at gaps so wide that they part labels in any font, left to right."""
    return _cut(box, [gap for gap in ink.gaps(pixels, box) if gap[1] - gap[0] > APART * box.height])


def correct(pixels: Pixels, line: TextLine) -> list[TextLine]:
    """The labels in `line`, from left to right."""
    gaps = ink.gaps(pixels, line.box)
    pitch = pitch_of(line)
    cuts = _label_gaps(gaps, pitch)
    return [_dotted(pixels, _spaced(part, gaps, pitch)) for part in _parts(line, cuts) if part.text]


def pitch_of(line: TextLine) -> float:
    """The mean distance of neighbouring letters within words, frame pixels."""
    steps = [
        right - left
        for (first, left), (second, right) in pairwise(zip(line.text, line.char_x, strict=True))
        if first != " " and second != " "
    ]
    return sum(steps) / len(steps) if steps and sum(steps) > 0 else USUAL_PITCH * line.box.height


def _label_gaps(gaps: Sequence[Gap], pitch: float) -> list[Gap]:
    spaces = sorted(stop - start for start, stop in gaps if stop - start > 0.5 * pitch)
    common = spaces[(len(spaces) - 1) // 2] if spaces else 0
    return [
        (start, stop)
        for start, stop in gaps
        if stop - start > WIDE * pitch or stop - start > max(CLEAR * pitch, UNLIKE * common)
    ]


def _cut(box: Box, cuts: Sequence[Gap]) -> list[Box]:
    side = round(SIDE * box.height)
    lefts = [box.x, *(stop - min(side, (stop - start) // 2) for start, stop in cuts)]
    rights = [*(start + min(side, (stop - start) // 2) for start, stop in cuts), box.right]
    return [Box(left, box.y, right - left, box.height) for left, right in zip(lefts, rights, strict=True)]


def _parts(line: TextLine, cuts: Sequence[Gap]) -> list[TextLine]:
    if not cuts:
        return [line]
    middles = [float("-inf"), *((start + stop) / 2 for start, stop in cuts), float("inf")]
    parts = []
    for box, (left, right) in zip(_cut(line.box, cuts), pairwise(middles), strict=True):
        inside = [index for index, x in enumerate(line.char_x) if left <= x < right]
        text = "".join(line.text[index] for index in inside)
        start, stop = len(text) - len(text.lstrip()), len(text.rstrip())
        parts.append(TextLine(text.strip(), box, line.score, tuple(line.char_x[index] for index in inside[start:stop])))
    return parts


def _spaced(line: TextLine, gaps: Sequence[Gap], pitch: float) -> TextLine:
    """The line without spaces where letters touch, and with one in every wide gap."""
    text: list[str] = []
    char_x: list[float] = []
    for index, (character, x) in enumerate(zip(line.text, line.char_x, strict=True)):
        if character == " " and _widest(gaps, x - 0.75 * pitch, x + 0.75 * pitch) < CLOSED * pitch:
            continue
        if text and " " not in (character, text[-1]):
            inside = [gap for gap in gaps if char_x[-1] < (gap[0] + gap[1]) / 2 < x and gap[1] - gap[0] > OPEN * pitch]
            if inside:
                text.append(" ")
                char_x.append((inside[0][0] + inside[0][1]) / 2)
        text.append(character)
        char_x.append(line.char_x[index])
    return TextLine("".join(text), line.box, line.score, tuple(char_x))


def _widest(gaps: Sequence[Gap], left: float, right: float) -> int:
    return max((stop - start for start, stop in gaps if start < right and stop > left), default=0)


def _dotted(pixels: Pixels, line: TextLine) -> TextLine:
    """The line with all three dots of "...", of which the network often sees one or two."""
    box = line.box
    left = max(box.x, box.right - 2 * box.height)
    dots = ink.trailing_dots(pixels[box.y : box.bottom, left : box.right])
    if len(dots) < ELLIPSIS:
        return line
    text = line.text.rstrip(".… ")
    dots_x = tuple(left + x for x in dots[-ELLIPSIS:])
    return TextLine(text + "." * ELLIPSIS, box, line.score, line.char_x[: len(text)] + dots_x)
