from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.ocr.windows import GRID, MARGIN, changed_windows, grid, seen_area, work
from fingerpost.engine.values import Box

SIZES = st.tuples(st.integers(1, 1200), st.integers(1, 1200))


@given(SIZES)
def test_the_tiles_cover_every_pixel_once(size: tuple[int, int]) -> None:
    covered = np.zeros(size, np.uint8)
    for core in grid(size):
        covered[core.y : core.bottom, core.x : core.right] += 1
    assert (covered == 1).all()


@given(SIZES, st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=6), st.sampled_from([16, 32]))
def test_the_windows_cover_what_changed(size: tuple[int, int], places: list[tuple[float, float]], block: int) -> None:
    changed = np.zeros((-(-size[0] // block), -(-size[1] // block)), np.bool_)
    for y, x in places:
        changed[int(y * (changed.shape[0] - 1)), int(x * (changed.shape[1] - 1))] = True
    windows = changed_windows(changed, block, size)
    if windows is None:
        assert changed.mean() > 0.5
        return
    covered = np.zeros(size, np.bool_)
    for core in windows:
        assert core.intersection(Box(0, 0, size[1], size[0])) == core
        assert core.x % GRID == 0
        assert core.y % GRID == 0
        covered[core.y : core.bottom, core.x : core.right] = True
    assert covered[changed.repeat(block, axis=0).repeat(block, axis=1)[: size[0], : size[1]]].all()


def test_changes_far_apart_have_windows_of_their_own_and_close_ones_share_one() -> None:
    changed = np.zeros((30, 30), np.bool_)
    changed[2, 2] = changed[2, 4] = changed[25, 25] = True
    windows = changed_windows(changed, 32, (960, 960))
    assert windows is not None
    assert sorted(windows) == [Box(64, 64, 96, 32), Box(800, 800, 32, 32)]
    assert work(windows, (960, 960)) == (96 + 2 * MARGIN) * (32 + 2 * MARGIN) + (32 + 2 * MARGIN) ** 2


@pytest.mark.parametrize("share", [0.6, 1.0])
def test_tiles_serve_better_where_most_changed(share: float) -> None:
    changed = np.zeros((20, 20), np.bool_)
    changed[: round(20 * share)] = True
    assert changed_windows(changed, 32, (640, 640)) is None


def test_scattered_changes_are_left_to_the_tiles() -> None:
    changed = np.zeros((40, 40), np.bool_)
    changed[::3, ::3] = True
    assert changed_windows(changed, 32, (1280, 1280)) is None


def test_a_margin_ends_at_the_frame() -> None:
    assert seen_area(Box(0, 64, 32, 36), (100, 200)) == Box(0, 32, 64, 68)
