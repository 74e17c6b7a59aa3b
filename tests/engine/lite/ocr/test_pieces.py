"""Prose is cut between words, at places that a change elsewhere in the line does not move."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.lite.network import Network, Tensor
from fingerpost.engine.lite.ocr import ink
from fingerpost.engine.lite.ocr.pieces import GRID, LONGEST, Gap, Piece, pieces
from fingerpost.engine.lite.ocr.recognizer import MODEL, Recognizer
from fingerpost.engine.values import Box, Frame

Draw = Callable[..., Frame]

SENTENCE = "When we speak of free software we are referring to freedom and not to the price of the copies"
LINE = Box(16, 26, 860, 20)

WORDS = st.lists(st.tuples(st.integers(1, 9), st.integers(4, 8)), min_size=1, max_size=60)
"""Letters of each word, and the space after it in pixels."""


class Counted(Network):
    """The recogniser's network, adding up the widths of what it reads."""

    width = 0

    def __call__(self, batch: Tensor) -> Tensor:
        self.width += batch.shape[0] * batch.shape[3]
        return super().__call__(batch)


def gaps_in(words: list[tuple[int, int]], start: int = 10) -> tuple[list[Gap], int]:
    """The gaps between letters of 6 pixels, 2 apart, and where the last one ends."""
    gaps, x = [], start
    for letters, space in words:
        for letter in range(letters):
            x += 6
            wide = space if letter == letters - 1 else 2
            gaps.append((x, x + wide))
            x += wide
    return gaps[:-1], gaps[-1][0]


def cuts(found: list[Piece]) -> list[int]:
    return [piece.box.x for piece in found[1:]]


@given(WORDS, st.integers(0, 400), st.sampled_from([12, 20, 40]))
def test_pieces_are_the_whole_line_cut_in_spaces(words: list[tuple[int, int]], start: int, height: int) -> None:
    gaps, end = gaps_in(words, start)
    line = Box(start, 5, end - start, height)
    found = pieces(line, lambda _: gaps)
    assert found[0].box.x == line.x
    assert found[-1].box.right == line.right
    assert all(left.box.right == right.box.x for left, right in pairwise(found))
    spaces = {(a + b) // 2 for a, b in gaps if b - a > 2}
    assert all(cut in spaces for cut in cuts(found))


@given(WORDS, WORDS, WORDS)
def test_other_words_behind_a_place_leave_the_cuts_before_it(
    words: list[tuple[int, int]], one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    ends = [gaps_in(words + behind) for behind in (one, other)]
    common = gaps_in(words)[1]
    lines = [(Box(10, 5, end - 10, 20), gaps) for gaps, end in ends]
    if all(line.width > 12 * line.height for line, _ in lines):
        first, second = (pieces(line, lambda _, gaps=gaps: gaps) for line, gaps in lines)
        settled = common - GRID  # nearer to the change, and to a line's end, other cuts may be chosen
        assert [x for x in cuts(first) if x < settled] == [x for x in cuts(second) if x < settled]


@given(st.integers(1, 40), st.integers(1, 20_000))
def test_no_piece_is_longer_than_the_network_reads(height: int, width: int) -> None:
    found = pieces(Box(3, 3, width, height), lambda _: [])
    assert all(piece.box.width <= max(1, LONGEST * height // 48) for piece in found)
    assert sum(piece.box.width for piece in found) == width


def test_a_label_is_one_piece(draw: Draw) -> None:
    frame = draw(("Restore last session", 20, 30))
    label = Box(16, 26, 150, 20)
    assert pieces(label, lambda box: ink.gaps(frame.pixels, box)) == [Piece(label, False)]


@settings(max_examples=5, deadline=None)
@given(st.integers(1, 16))
def test_prose_in_which_a_word_changed_is_read_right_and_mostly_known(draw: Draw, number: int) -> None:
    words = SENTENCE.split()
    changed = [*words[:number], words[number][::-1], *words[number + 1 :]]
    network = Counted(MODEL)
    recognizer = Recognizer(network)
    texts, widths = [], []
    for sentence in (words, changed):
        network.width = 0
        (line,) = recognizer.read(draw(*_placed(sentence), size=(900, 70)), [LINE])
        texts.append(line.text)
        widths.append(network.width)
    assert texts[0] == SENTENCE
    assert SequenceMatcher(None, texts[1], " ".join(changed)).ratio() > 0.97
    assert widths[1] < 0.7 * widths[0]


def _placed(words: list[str]) -> list[tuple[str, int, int]]:
    """Each word at its own place, wherever the one before it ends."""
    starts = accumulate((len(word) for word in words[:-1]), lambda x, letters: x + 9 * letters + 5, initial=20)
    return [(word, x, 30) for word, x in zip(words, starts, strict=True)]
