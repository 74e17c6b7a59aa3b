"""Cuts lines of prose into pieces that are recognised, and remembered, one by one.

The cuts lie near the lines of a grid that is fixed on the screen, and depend on the pixels around them only. So where
something changes in the middle of a sentence, the pieces before and after it are the same as before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median_low
from typing import NamedTuple

from fingerpost.engine.lite.ocr.ink import Gap
from fingerpost.engine.lite.ocr.picture import HEIGHT, is_prose
from fingerpost.engine.values import Box

GRID = 128  # frame pixels from cut to cut in text of the usual size; twice as many in text twice as high
USUAL = 32  # frame pixels: lines of the usual size are lower
REACH = 0.25  # of the grid: how far from its line a cut may be
BETWEEN_WORDS = 2.0  # times the usual gap around: only a wider one parts words
LEAST = 0.2  # of the line's height: a gap between words is wider
SHORTEST = 4  # times the line's height: less at a line's end is no piece of its own, a single word is read worse
LONGEST = 2048  # network pixels: what is longer is cut anywhere


class Piece(NamedTuple):
    """What is recognised at once: all of a line or a part of it. `prose` tells what the line holds, see `picture`."""

    box: Box
    prose: bool


def pieces(box: Box, gaps_of: Callable[[Box], Sequence[Gap]]) -> list[Piece]:
    """The box, cut between words if it holds prose, and wherever it is too long for the network; left to right.

    gaps_of  `ink.gaps` of a box on the frame
    """
    longest, prose = max(1, LONGEST * box.height // HEIGHT), is_prose(box)
    if box.width <= longest and not prose:
        return [Piece(box, prose)]
    gaps = gaps_of(box)
    wanted = [*(_between_words(gaps, box) if prose else ()), box.right]
    cuts = [box.x]
    for cut in wanted:
        while cut - cuts[-1] > longest:
            cuts.append(_widest_before(gaps, cuts[-1] + longest, longest // 4))
        cuts.append(cut)
    return [Piece(Box(start, box.y, stop - start, box.height), prose) for start, stop in pairwise(cuts)]


def _between_words(gaps: Sequence[Gap], box: Box) -> list[int]:
    """The middles of the gaps that are cut: the widest near each line of the grid, if it is wide enough."""
    grid = GRID << (box.height // USUAL).bit_length()
    reach = round(REACH * grid)
    left, right = box.x + SHORTEST * box.height, box.right - SHORTEST * box.height
    cuts = []
    for line in range(box.x // grid * grid + grid, box.right, grid):
        near = [gap for gap in gaps if line - reach <= gap[0] and gap[1] < line + reach]
        if near:
            start, stop = max(near, key=_width)
            least = max(BETWEEN_WORDS * median_low(map(_width, near)), LEAST * box.height)
            if stop - start > least and left <= start and stop <= right:
                cuts.append((start + stop) // 2)
    return cuts


def _widest_before(gaps: Sequence[Gap], limit: int, reach: int) -> int:
    """The middle of the widest gap at most `reach` pixels before `limit`, which it is when there is none."""
    near = [gap for gap in gaps if limit - reach < gap[0] and gap[1] <= limit]
    start, stop = max(near, key=_width, default=(limit, limit))
    return (start + stop) // 2


def _width(gap: Gap) -> int:
    return gap[1] - gap[0]
