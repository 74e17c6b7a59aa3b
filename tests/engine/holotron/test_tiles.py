"""The grid of tiles: NVIDIA's rule, and where the pixels of a frame go."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.holotron.tiles import MAX_TILES, Grid, choose_grid, cut
from fingerpost.engine.values import FrameSize

SCREENS = {
    (1280, 720): (2, 1), (1366, 768): (4, 2), (1536, 864): (4, 2), (1600, 900): (4, 2), (1920, 1080): (4, 2),
    (2560, 1440): (4, 2), (3840, 2160): (4, 2), (1440, 900): (3, 2), (1680, 1050): (3, 2), (1920, 1200): (3, 2),
    (2560, 1600): (3, 2), (2880, 1800): (3, 2), (1024, 768): (4, 3), (2048, 1536): (4, 3), (3440, 1440): (5, 2),
    (3840, 1600): (5, 2), (5120, 1440): (4, 1),
}  # fmt: skip
"""Screen → columns and rows, worked out by hand from the rule."""

SIDES = st.integers(min_value=1, max_value=9000)


@pytest.mark.parametrize(("screen", "grid"), SCREENS.items())
def test_known_screens_get_the_grid_of_the_rule(screen: tuple[int, int], grid: tuple[int, int]) -> None:
    assert choose_grid(FrameSize(*screen)) == Grid(*grid)


@pytest.mark.parametrize(("columns", "rows", "tokens"), [(4, 2, 2304), (3, 2, 1792), (5, 2, 2816), (1, 1, 256)])
def test_a_thumbnail_is_added_when_there_are_several_tiles(columns: int, rows: int, tokens: int) -> None:
    assert Grid(columns, rows).count * 256 == tokens


@given(SIDES, SIDES, st.integers(min_value=1, max_value=MAX_TILES))
def test_no_allowed_grid_is_nearer_to_the_shape_of_the_picture(width: int, height: int, most: int) -> None:
    grid = choose_grid(FrameSize(width, height), most)
    assert grid.columns * grid.rows <= most
    chosen = abs(width / height - grid.columns / grid.rows)
    others = [abs(width / height - i / j) for i in range(1, most + 1) for j in range(1, most + 1) if i * j <= most]
    assert chosen == min(others)


def test_a_small_picture_is_not_blown_up_to_a_grid_of_the_same_shape() -> None:
    assert choose_grid(FrameSize(300, 300)) == Grid(1, 1)
    assert choose_grid(FrameSize(1100, 1100)) == Grid(3, 3)


@settings(deadline=None)
@given(st.integers(1, 4), st.integers(1, 3), st.data())
def test_a_pixel_lies_in_its_tile(columns: int, rows: int, data: st.DataObject) -> None:
    grid = Grid(columns, rows, 32)
    frame = FrameSize(columns * 32, rows * 32)  # one to one: nothing is stretched
    x, y = data.draw(st.integers(0, frame.width - 1)), data.draw(st.integers(0, frame.height - 1))
    pixels = np.zeros((frame.height, frame.width, 4), np.uint8)
    pixels[y, x] = (1, 2, 255, 0)
    lit = frozenset(number for number, tile in enumerate(cut(pixels, grid)[: columns * rows]) if tile.any())
    assert lit == {y // 32 * columns + x // 32}


def test_tiles_are_red_green_blue_row_by_row_and_the_thumbnail_is_last() -> None:
    pixels = np.zeros((64, 96, 4), np.uint8)
    pixels[32:, 64:] = (10, 20, 200, 0)  # blue, green, red: the last tile
    tiles = cut(pixels, Grid(3, 2, 32))
    assert [tuple(int(v) for v in tile[16, 16]) for tile in tiles] == [(0, 0, 0)] * 5 + [(200, 20, 10), (0, 0, 0)]
    assert tuple(tiles[-1][28, 28]) == (200, 20, 10)
    assert all(tile.shape == (32, 32, 3) and tile.dtype == np.uint8 for tile in tiles)


@pytest.mark.parametrize(("x", "y", "expected"), [(470, 530, {0, 1, 4, 5, 8}), (100, 100, {0, 8}), (1900, 600, {7, 8})])
def test_a_change_touches_the_tiles_that_show_it_and_the_thumbnail(x: int, y: int, expected: set[int]) -> None:
    before = np.full((1080, 1920, 4), 128, np.uint8)
    after = before.copy()
    after[y : y + 20, x : x + 20] = 255
    pairs = zip(cut(before, Grid(4, 2)), cut(after, Grid(4, 2)), strict=True)
    assert {number for number, (old, new) in enumerate(pairs) if not np.array_equal(old, new)} == expected
