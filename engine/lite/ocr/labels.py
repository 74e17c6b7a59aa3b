"""Corrects the network's lines by what is drawn: parts labels that stand far apart, sets right spaces and dots.

The detector takes a menu bar, a row of tabs or of cells for one line when the gaps are small.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fingerpost.engine.lite.ocr import ink
from fingerpost.engine.lite.ocr.ink import Gap
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Pixels

# The pitch is the mean distance of two letters. A space is about 0.7 of it wide, 1.2 in a typewriter's font.
APART = 1.0  # of the box's height: a gap so wide parts two labels in any font
WIDE = 1.6  # of the pitch: so does such a gap
CLEAR = 1.15  # of the pitch: so does such a gap if it is UNLIKE the line's other spaces, as between a table's cells
PAIR = 1.45  # of the pitch: so does one where there is no more than another to compare it with
UNLIKE = 1.6  # times the line's narrower spaces
ROW = 1.3  # of the pitch: if SEVERAL gaps are all as wide, the line is a row of labels
SEVERAL = 3
CLOSED = 0.25  # of the pitch: where letters stand closer there is no space
OPEN = 0.7  # of the pitch: where they stand wider apart there is one
USUAL_PITCH = 0.3  # of the box's height, for single letters
ELLIPSIS = 3  # dots
SIDE = 0.25  # of the box's height: what a label keeps at most of the gap at its side


def columns(gaps: Sequence[Gap], box: Box) -> list[Box]:
    """The box cut, before anything is read, at gaps that part labels in any font; from left to right.

    gaps  of the box, see `ink.gaps`
    """
    return _cut(box, [gap for gap in gaps if gap[1] - gap[0] > APART * box.height])


def parts(gaps: Sequence[Gap], line: TextLine) -> list[Box]:
    """The boxes of the labels on the line, from left to right; the line's own box when it is one label."""
    pitch = _pitch(line)
    spaces = sorted(stop - start for start, stop in gaps if stop - start > 0.5 * pitch)
    common = spaces[(len(spaces) - 1) // 3] if spaces else 0
    wide = WIDE if len(spaces) >= SEVERAL else PAIR
    if len(spaces) >= SEVERAL and common > ROW * pitch:
        wide = ROW
    wide = min(wide * pitch, max(CLEAR * pitch, UNLIKE * common))
    return _cut(line.box, [(start, stop) for start, stop in gaps if stop - start > wide])


def correct(pixels: Pixels, gaps: Sequence[Gap], line: TextLine) -> TextLine:
    """The line with its spaces and its last dots set right."""
    return _dotted(pixels, _spaced(line, gaps))


def _cut(box: Box, cuts: Sequence[Gap]) -> list[Box]:
    side = round(SIDE * box.height)
    lefts = [box.x, *(stop - min(side, (stop - start) // 2) for start, stop in cuts)]
    rights = [*(start + min(side, (stop - start) // 2) for start, stop in cuts), box.right]
    return [Box(left, box.y, right - left, box.height) for left, right in zip(lefts, rights, strict=True)]


def _spaced(line: TextLine, gaps: Sequence[Gap]) -> TextLine:
    """The line without spaces where letters touch, and with one in every wide gap."""
    pitch = _pitch(line)
    middles = [(start + stop) / 2 for start, stop in gaps if stop - start > OPEN * pitch]
    text: list[str] = []
    char_x: list[float] = []
    for character, x in zip(line.text, line.char_x, strict=True):
        if character == " " and _widest(gaps, x - 0.75 * pitch, x + 0.75 * pitch) < CLOSED * pitch:
            continue
        if text and " " not in (character, text[-1]):
            between = [middle for middle in middles if char_x[-1] < middle < x]
            text += [" "] * len(between[:1])
            char_x += between[:1]
        text.append(character)
        char_x.append(x)
    return TextLine("".join(text), line.box, line.score, tuple(char_x))


def _pitch(line: TextLine) -> float:
    """The mean distance of neighbouring letters within words, frame pixels."""
    steps = [
        right - left
        for (first, left), (second, right) in pairwise(zip(line.text, line.char_x, strict=True))
        if first != " " and second != " "
    ]
    return sum(steps) / len(steps) if steps else USUAL_PITCH * line.box.height


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
