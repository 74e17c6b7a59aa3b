"""What the miniature is told to learn is what is on the screens."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.models.miniature.scenes import KINDS, Screen, Thing, draw_screen, questions
from fingerpost.models.miniature.training import batches
from fingerpost.models.miniature.training.batches import (
    CELLS,
    IGNORED,
    NAMES,
    ROWS,
    SIDE,
    TOKENS,
    TURNS,
    UNIT,
    Batch,
    make_batch,
    random_plan,
)
from fingerpost.models.miniature.training.cutting import grid_of
from fingerpost.models.miniature.vocabulary import vocabulary

counts = st.sampled_from([1, 3, 5, 7, 9, 13])
seeds = st.integers(0, 2**32)
some = settings(max_examples=15, deadline=None)


def made(count: int, seed: int) -> tuple[Screen, Batch]:
    """One screen, and the batch of it alone."""
    chance = random.Random(seed)
    while True:
        screen = draw_screen(random_plan(chance, count), chance)
        asked = questions(screen, chance)
        if asked:
            return screen, make_batch([(screen, asked)], chance)


def text(tokens: list[int]) -> str:
    known = vocabulary().tokens
    return "".join(known[token] for token in tokens)


@some
@given(counts, seeds)
def test_each_question_is_followed_by_the_place_of_what_it_asks_for_and_the_end(count: int, seed: int) -> None:
    screen, batch = made(count, seed)
    assert batch.tokens.shape == batch.wanted.shape == (ROWS, batch.tokens.shape[1])
    for row in range(ROWS):
        for turn in range(TURNS):
            x, y = (round(1000 * float(share)) for share in batch.places[row, turn])
            answer = f'{{"x":{x},"y":{y}}}'
            begin = int(batch.asked[row, turn])
            wanted = [int(token) for token in batch.wanted[row, begin:] if token != IGNORED]
            assert text(wanted).startswith(f"{answer}<SPECIAL_12>")
            assert text([int(token) for token in batch.tokens[row, begin + 1 :]]).startswith(answer)
            assert batch.wanted[row, begin - 1] == IGNORED
            assert thing_at(screen, x, y, tuple(batch.meant[row, turn]))


def thing_at(screen: Screen, x: int, y: int, meant: tuple[int, int, int]) -> list[Thing]:
    """Those of that kind and name whose middle lies there, in thousandths."""
    wide, high = screen.size
    return [
        thing
        for thing in screen.things
        if (1 + KINDS.index(thing.kind), NAMES.index(thing.name)) == (meant[0], meant[2])
        and abs(1000 * thing.centre[0] / wide - x) <= 1
        and abs(1000 * thing.centre[1] / high - y) <= 1
    ]


@some
@given(counts, seeds)
def test_it_is_told_to_look_at_the_tile_and_at_the_thumbnail_that_show_the_place(count: int, seed: int) -> None:
    screen, batch = made(count, seed)
    columns, rows = grid_of(*screen.size, SIDE)
    for row in range(ROWS):
        for turn in range(TURNS):
            tile, thumbnail = (divmod(int(number), TOKENS) for number in batch.pointed[row, turn])
            x, y = batch.places[row, turn]
            assert thumbnail[0] == batch.pictures - 1
            assert tile[0] < max(1, batch.pictures - 1)
            left, top = tile[0] % columns * SIDE, tile[0] // columns * SIDE
            assert (x * columns * SIDE - left, y * rows * SIDE - top) == in_cell(tile[1])
            assert (x * SIDE, y * SIDE) == in_cell(thumbnail[1])


def in_cell(token: int) -> object:
    """Equal to what lies in the cell of a token, pixels of a picture."""
    middle = ((token % CELLS + 0.5) * UNIT, (token // CELLS + 0.5) * UNIT)
    return pytest.approx(middle, abs=UNIT / 2 + 0.01)


@some
@given(counts, seeds)
def test_names_are_told_only_where_the_picture_shows_them(count: int, seed: int) -> None:
    """Also of fields, whose name stands in front of them, in another tile often."""
    screen, batch = made(count, seed)
    columns, rows = grid_of(*screen.size, SIDE)
    for number, picture in enumerate(batch.marks.name):
        whole = count == 1 or number == count - 1
        left, top = (0, 0) if whole else (number % columns, number // columns)
        across, down = (1, 1) if whole else (columns, rows)
        for name in {int(name) for name in picture if name != IGNORED}:
            places = [thing.named for thing in screen.things if NAMES.index(thing.name) == name]
            middles = [
                ((one[0] + one[2]) / 2 / screen.size[0], (one[1] + one[3]) / 2 / screen.size[1]) for one in places
            ]
            assert any(left <= x * across <= left + 1 and top <= y * down <= top + 1 for x, y in middles)


def test_the_same_number_gives_the_same_batch_and_each_process_its_own() -> None:
    first, again, other = (next(batches.batches(1, 40, rank, 2, 0)) for rank in (0, 0, 1))
    assert (first.tiles == again.tiles).all()
    assert (first.tokens == again.tokens).all()
    assert first.pictures == other.pictures
    assert (first.tiles != other.tiles).any()
