from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.ocr import ink, labels
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Pixels

PITCH = 8
STROKE = 7
TOP, HEIGHT = 8, 26


def drawn(gaps: list[int]) -> tuple[Pixels, TextLine]:
    """Words of four letters, drawn as bars, with gaps between them, and the line that reads them as "nnnn nnnn"."""
    lefts, x = [], 20
    for gap in [*gaps, 0]:
        lefts += [x + PITCH * index for index in range(4)]
        x += 3 * PITCH + STROKE + gap
    pixels = np.full((40, x + 20, 4), 255, np.uint8)
    for left in lefts:
        pixels[TOP + 8 : TOP + 18, left : left + STROKE] = 0
    characters: list[tuple[str, float]] = []
    for index, left in enumerate(lefts):
        if index and index % 4 == 0:
            characters.append((" ", (lefts[index - 1] + STROKE + left) / 2))
        characters.append(("n", left + STROKE / 2))
    text, char_x = "".join(sign for sign, _ in characters), tuple(x for _, x in characters)
    return pixels, TextLine(text, Box(10, TOP, x - 10, HEIGHT), 0.9, char_x)


def parts(pixels: Pixels, line: TextLine) -> list[Box]:
    return labels.parts(ink.gaps(pixels, line.box), line)


def correct(pixels: Pixels, line: TextLine) -> TextLine:
    return labels.correct(pixels, ink.gaps(pixels, line.box), line)


@pytest.mark.parametrize(
    ("gaps", "count"),
    [([5], 1), ([5, 5, 5], 1), ([9, 9, 9], 1), ([14], 2), ([12, 12, 12], 4), ([5, 11, 5], 2), ([30], 2)],
    ids=["two words", "words", "typewriter", "pair", "menu bar", "cells", "far"],
)
def test_labels_part_at_gaps_that_are_wide_for_their_letters(gaps: list[int], count: int) -> None:
    assert len(parts(*drawn(gaps))) == count


@given(st.lists(st.integers(2, 40), max_size=6))
def test_parts_lie_in_the_line_in_order_and_hold_all_ink(gaps: list[int]) -> None:
    pixels, line = drawn(gaps)
    found = parts(pixels, line)
    assert all(part.intersection(line.box) == part for part in found)
    assert all(left.right <= right.x for left, right in pairwise(found))
    inked = (pixels[:, :, 0] == 0).any(axis=0).nonzero()[0]
    assert all(any(part.x <= x < part.right for part in found) for x in inked)


def test_a_space_inside_a_word_is_taken_out() -> None:
    pixels, line = drawn([])
    broken = TextLine("nn nn", line.box, 0.9, (*line.char_x[:2], line.char_x[1] + PITCH / 2, *line.char_x[2:]))
    corrected = correct(pixels, broken)
    assert (corrected.text, corrected.char_x) == ("nnnn", line.char_x)


def test_a_space_is_put_where_words_stand_apart() -> None:
    pixels, line = drawn([8])
    joined = TextLine("nnnnnnnn", line.box, 0.9, line.char_x[:4] + line.char_x[5:])
    corrected = correct(pixels, joined)
    assert corrected.text == "nnnn nnnn"
    assert corrected.char_x[4] == pytest.approx(line.char_x[4], abs=1)


@pytest.mark.parametrize("read", ["nnnn", "nnnn.", "nnnn..", "nnnn…"])
def test_dots_the_network_missed_are_added(read: str) -> None:
    pixels, line = drawn([])
    end = round(line.char_x[-1]) + 5
    for dot in range(3):
        pixels[TOP + 16 : TOP + 18, end + 4 * dot : end + 4 * dot + 2] = 0
    box = Box(10, TOP, end + 4, HEIGHT)
    x = line.char_x + tuple(end + 4.0 * dot for dot in range(len(read) - 4))
    corrected = correct(pixels, TextLine(read, box, 0.9, x))
    assert corrected.text == "nnnn..."
    assert corrected.char_x[4:] == (end + 1, end + 5, end + 9)


def test_a_full_stop_stays_one() -> None:
    pixels, line = drawn([])
    end = round(line.char_x[-1]) + 5
    pixels[TOP + 16 : TOP + 18, end : end + 2] = 0
    assert correct(pixels, TextLine("nnnn.", line.box, 0.9, (*line.char_x, end + 1.0))).text == "nnnn."
