from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.elements import find_grid
from fingerpost.engine.lite.elements.grid import column_name, column_number
from fingerpost.engine.lite.scene import Element, TextLine
from fingerpost.engine.values import Box

WIDTH, HEIGHT = 80, 18


def table(columns: int, rows: int, merged: int | None = None) -> list[Element]:
    """Cells below y = 100 and right of x = 40, and the row headers left of them; columns merged, merged + 1 as one."""
    cells = []
    for r in range(rows):
        y = 100 + r * HEIGHT
        cells.append(Box(10, y, 30, HEIGHT))
        for c in range(columns):
            if merged is None or c not in {merged, merged + 1}:
                cells.append(Box(40 + c * WIDTH, y, WIDTH, HEIGHT))
            elif c == merged:
                cells.append(Box(40 + c * WIDTH, y, 2 * WIDTH, HEIGHT))
    return [Element(box, "cell", 0.6) for box in cells]


def word(text: str, x: int, y: int) -> TextLine:
    return TextLine(text, Box(x - 5, y - 7, 10, 14), 0.9, tuple(float(x) for _ in text))


def headers(columns: list[tuple[int, str]], rows: list[tuple[int, str]]) -> list[TextLine]:
    above = [word(text, 40 + c * WIDTH + WIDTH // 2, 90) for c, text in columns]
    return above + [word(text, 25, 100 + r * HEIGHT + HEIGHT // 2) for r, text in rows]


def test_cells_are_named_by_the_headers() -> None:
    lines = headers([(0, "A"), (1, "B"), (2, "C")], [(0, "1"), (1, "2"), (2, "3"), (3, "4")])
    grid = find_grid(table(3, 4), lines)
    assert len(grid) == 12
    assert grid["B3"] == Box(40 + WIDTH, 100 + 2 * HEIGHT, WIDTH, HEIGHT)


def test_headers_that_were_not_read_count_on_from_the_others() -> None:
    grid = find_grid(table(5, 6), headers([(1, "Z"), (2, "AA")], [(2, "41"), (5, "44")]))
    assert grid["Y39"] == Box(40, 100, WIDTH, HEIGHT)
    assert grid["AC44"] == Box(40 + 4 * WIDTH, 100 + 5 * HEIGHT, WIDTH, HEIGHT)


def test_a_header_that_was_read_wrongly_is_outvoted() -> None:
    lines = headers([(0, "A"), (1, "B"), (2, "Z"), (3, "D")], [(0, "1"), (1, "2"), (2, "9"), (3, "4"), (4, "5")])
    grid = find_grid(table(4, 5), lines)
    assert grid["C3"] == Box(40 + 2 * WIDTH, 100 + 2 * HEIGHT, WIDTH, HEIGHT)
    assert "Z1" not in grid


def test_columns_that_run_into_each_other_are_parted() -> None:
    lines = headers([(0, "A"), (1, "B"), (2, "C"), (3, "D")], [(0, "1"), (1, "2"), (2, "3")])
    grid = find_grid(table(4, 3, merged=1), lines)
    assert grid["B1"] == Box(40 + WIDTH, 100, WIDTH, HEIGHT)
    assert grid["C1"] == Box(40 + 2 * WIDTH, 100, WIDTH, HEIGHT)


def test_a_table_without_letters_above_it_is_no_spreadsheet() -> None:
    assert find_grid(table(3, 4), headers([(0, "Name"), (1, "Size")], [(0, "1"), (1, "2")])) == {}


def test_no_cells_no_spreadsheet() -> None:
    assert find_grid([], headers([(0, "A"), (1, "B")], [(0, "1"), (1, "2")])) == {}


@given(st.integers(1, 18278))
def test_names_of_columns_and_their_numbers_are_inverse(number: int) -> None:
    assert column_number(column_name(number)) == number
