"""Spreadsheets: which cell lies where, by the letters above the columns and the numbers left of the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from fingerpost.engine.lite.scene import Element, TextLine
from fingerpost.engine.values import Box

MIN_CELLS = 3  # cells of one column, or row, that must be seen
MIN_LABELS = 2  # headers that must be read in rising order

Span = tuple[int, int]
"""Start and length of a column or a row, frame pixels."""
Label = tuple[int, int]
"""Place of a header's text along the row of headers, frame pixels, and the number it says."""


def find_grid(elements: Sequence[Element], lines: Sequence[TextLine]) -> Mapping[str, Box]:
    """Cell name ("A1", "AC12") to the cell's box in frame pixels; empty when there is no spreadsheet.

    `elements` as `find_elements` returned them. Headers that were not read count on from their neighbours, so two
    of the columns and two of the rows are enough, if none is hidden in between.
    """
    cells = [e.box for e in elements if e.kind == "cell"]
    columns = _spans([(b.x, b.width) for b in cells])
    rows = _spans([(b.y, b.height) for b in cells])
    if len(columns) < 2 or len(rows) < 2:
        return {}
    numbered_columns = _numbered(columns, _column_labels(columns, rows, lines))
    numbered_rows = _numbered(rows, _row_labels(columns, rows, lines))
    return {
        f"{column_name(c)}{r}": Box(x, y, width, height)
        for c, (x, width) in numbered_columns.items()
        for r, (y, height) in numbered_rows.items()
    }


def column_name(number: int) -> str:
    """1 is "A", 26 "Z", 27 "AA"."""
    name = ""
    while number > 0:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def column_number(name: str) -> int | None:
    """The inverse of `column_name`; None when `name` is not one to three capital letters."""
    if not (1 <= len(name) <= 3 and name.isascii() and name.isalpha() and name.isupper()):
        return None
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _spans(found: Sequence[Span]) -> list[Span]:
    """The spans that occur often, none overlapping a more frequent one by more than its border, in order."""
    kept: list[Span] = []
    for (start, length), count in Counter(found).most_common():
        middle = start + length // 2
        if count >= MIN_CELLS and not any(s <= middle < s + n or start <= s + n // 2 < start + length for s, n in kept):
            kept.append((start, length))
    return sorted(kept)


def _column_labels(columns: Sequence[Span], rows: Sequence[Span], lines: Sequence[TextLine]) -> list[Label]:
    """The letters right above the cells, or in their first row."""
    top, height = rows[0]
    left, right = columns[0][0], sum(columns[-1])
    read = [(line.box.centre, column_number(line.text.strip())) for line in lines]
    return [
        (x, n) for (x, y), n in read if n is not None and top - 4 * height <= y < top + height and left <= x < right
    ]


def _row_labels(columns: Sequence[Span], rows: Sequence[Span], lines: Sequence[TextLine]) -> list[Label]:
    """The numbers left of the cells, or in their first column."""
    left, width = columns[0]
    top, bottom = rows[0][0], sum(rows[-1])
    read = [(line.box.centre, line.text.strip()) for line in lines]
    inside = [(y, text) for (x, y), text in read if left - 4 * rows[0][1] <= x < left + width and top <= y < bottom]
    return [(y, int(text)) for y, text in inside if text.isascii() and text.isdigit() and len(text) <= 7]


def _numbered(spans: Sequence[Span], labels: Sequence[Label]) -> dict[int, Span]:
    """Spans by number: from their own label, else one more than the span before, or one less than the span after."""
    known = _rising(labels)
    if len(known) < MIN_LABELS:
        return {}
    pieces = [(span, number) for whole in spans for span, number in _split(whole, known)]
    numbers = _counted([number for _, number in pieces])
    usual = sorted(length for _, length in spans)[len(spans) // 2]
    found: dict[int, Span] = {}
    last = 0
    for ((start, length), labelled), number in zip(pieces, numbers, strict=True):
        unread = number - last - 1 if last and labelled else 0
        if unread > 0 and length >= 0.7 * usual * (unread + 1):
            parts = _equal_parts((start, length), unread + 1)
            found.update({last + 1 + k: part for k, part in enumerate(parts)})
        elif number and (labelled or number not in found):
            found[number] = (start, length)
        last = number
    return found


def _counted(numbers: Sequence[int]) -> list[int]:
    """With the unknown ones (0) counted on from the one before, and at the beginning back from the one after."""
    counted = list(numbers)
    for index in range(1, len(counted)):
        counted[index] = counted[index] or _next(counted[index - 1], 1)
    for index in range(len(counted) - 2, -1, -1):
        counted[index] = counted[index] or _next(counted[index + 1], -1)
    return counted


def _next(number: int, step: int) -> int:
    """0 stands for unknown: the headers themselves, left of A or above 1, get no number."""
    return max(0, number + step) if number else 0


def _rising(labels: Sequence[Label]) -> list[Label]:
    """The most labels of which place and number rise together; the others were read wrongly."""
    ordered = sorted(labels)
    best: list[list[Label]] = []
    for label in ordered:
        before = [chain for chain in best if chain[-1][0] < label[0] and chain[-1][1] < label[1]]
        best.append([*max(before, key=_size, default=[]), label])
    return max(best, key=_size, default=[])


def _size(chain: Sequence[Label]) -> tuple[int, int]:
    """Of equally long chains the one that rises less."""
    return len(chain), -chain[-1][1]


def _split(span: Span, known: Sequence[Label]) -> list[tuple[Span, int]]:
    """Cells that run into each other through a dashed page border have several labels: equal parts, one a label."""
    start, length = span
    inside = [number for place, number in known if start <= place < start + length]
    if len(inside) < 2 or inside[-1] - inside[0] != len(inside) - 1:
        return [(span, inside[0] if len(inside) == 1 else 0)]
    return list(zip(_equal_parts(span, len(inside)), inside, strict=True))


def _equal_parts(span: Span, count: int) -> list[Span]:
    start, length = span
    edges = [start + length * i // count for i in range(count + 1)]
    return [(a, b - a) for a, b in pairwise(edges)]
