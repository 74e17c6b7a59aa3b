from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.lite.elements.edges import Mask, Parts, bounds
from fingerpost.engine.lite.elements.tiled_parts import TILE, TiledParts, tiles_of

SIZES = st.tuples(st.integers(1, 2 * TILE + 40), st.integers(1, 2 * TILE + 40))


def blobs(size: tuple[int, int], seed: int, share: float) -> Mask:
    """Random shapes of all sizes, some of them across several tiles."""
    noise = np.random.default_rng(seed).random(size, np.float32)
    smooth = cv2.GaussianBlur(noise, (0, 0), 1 + seed % 9)
    return np.asarray(np.where(smooth <= np.quantile(smooth, share), 255, 0), np.uint8)


def labelled(mask: Mask, connectivity: int) -> Parts:
    """The parts as OpenCV tells them, sorted by y, x and the rest."""
    stats = np.asarray(cv2.connectedComponentsWithStats(mask, connectivity=connectivity)[2][1:], np.int32)
    return stats[np.lexsort((stats[:, 4], stats[:, 3], stats[:, 2], stats[:, 0], stats[:, 1]))]


def everywhere(mask: Mask) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return np.ones(tiles_of(*mask.shape), np.bool_)


@settings(max_examples=40, deadline=None)
@given(SIZES, st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_the_parts_are_those_of_the_whole_mask(size: tuple[int, int], seed: int, share: float) -> None:
    mask = blobs(size, seed, share)
    assert np.array_equal(TiledParts().update(mask, everywhere(mask)), labelled(mask, 4))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500)), max_size=3))
def test_after_a_change_only_its_tiles_need_another_look(seed: int, places: list[tuple[int, int]]) -> None:
    mask = blobs((2 * TILE + 40, 2 * TILE + 40), seed, 0.5)
    parts = TiledParts()
    parts.update(mask, everywhere(mask))
    for number, (y, x) in enumerate(places):
        mask[y : y + 30, x : x + 40] = blobs((30, 40), seed // 2 + number, 0.5)[
            : mask.shape[0] - y, : mask.shape[1] - x
        ]
        changed = np.zeros(tiles_of(*mask.shape), np.bool_)
        changed[y // TILE : (y + 29) // TILE + 1, x // TILE : (x + 39) // TILE + 1] = True
        assert np.array_equal(parts.update(mask, changed), labelled(mask, 4))


@pytest.mark.parametrize("value", [0, 255])
def test_a_mask_of_one_value_is_one_part_or_none(value: int) -> None:
    mask = np.full((TILE + 1, 3 * TILE), value, np.uint8)
    expected = [[0, 0, 3 * TILE, TILE + 1, mask.size]] if value else []
    assert TiledParts().update(mask, everywhere(mask)).tolist() == expected


def test_a_mask_of_another_size_starts_anew() -> None:
    parts = TiledParts()
    parts.update(blobs((300, 300), 1, 0.5), np.ones((2, 2), np.bool_))
    mask = blobs((300, 90), 2, 0.5)
    assert np.array_equal(parts.update(mask, np.zeros((2, 1), np.bool_)), labelled(mask, 4))


@settings(max_examples=40, deadline=None)
@given(SIZES, st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_bounds_are_the_rectangles_of_all_parts(size: tuple[int, int], seed: int, share: float) -> None:
    mask = blobs(size, seed, share)
    assert sorted(bounds(mask).tolist()) == sorted(labelled(mask, 8)[:, :4].tolist())
