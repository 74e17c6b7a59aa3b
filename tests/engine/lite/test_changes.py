from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.changes import BLOCK, ChangeDetector, block_digests
from fingerpost.engine.values import Box, Frame, Pixels

SIZES = st.tuples(st.integers(1, 300), st.integers(1, 300))


def noise(height: int, width: int, seed: int = 0) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)


def test_the_first_frame_has_changed_all_over() -> None:
    changes = ChangeDetector().update(Frame(noise(100, 200)))
    assert not changes.unchanged
    assert changes.rects == (Box(0, 0, 200, 100),)


def test_an_equal_frame_is_unchanged_even_as_a_copy_or_a_view() -> None:
    detector = ChangeDetector()
    wide = noise(130, 300)
    detector.update(Frame(wide[:, 50:250]))
    assert detector.update(Frame(wide[:, 50:250].copy())).unchanged
    assert detector.update(Frame(wide[:, 50:250])).rects == ()


def test_another_size_is_a_change_all_over() -> None:
    detector = ChangeDetector()
    pixels = np.zeros((64, 128, 4), np.uint8)
    detector.update(Frame(pixels))
    changes = detector.update(Frame(pixels.reshape(128, 64, 4)))
    assert changes.rects == (Box(0, 0, 64, 128),)


def test_an_open_menu_is_one_rectangle() -> None:
    detector = ChangeDetector()
    before = noise(600, 800)
    detector.update(Frame(before))
    after = before.copy()
    after[100:400, 200:350] = 0
    assert detector.update(Frame(after)).rects == (Box(192, 96, 160, 320),)


def test_what_lies_on_a_changed_block_is_touched() -> None:
    detector = ChangeDetector()
    before = noise(200, 300)
    detector.update(Frame(before))
    after = before.copy()
    after[70, 130] ^= 1
    changes = detector.update(Frame(after))
    assert [changes.touch(box) for box in (Box(129, 0, 2, 71), Box(-9, -9, 400, 400))] == [True, True]
    assert [changes.touch(box) for box in (Box(0, 0, 300, 64), Box(0, 64, 128, 32), Box(290, 190, 90, 90))] == [
        False
    ] * 3
    assert not detector.update(Frame(after.copy())).touch(Box(0, 0, 300, 200))


def test_a_change_is_told_once() -> None:
    detector = ChangeDetector()
    pixels = noise(70, 70)
    detector.update(Frame(pixels))
    changed = pixels.copy()
    changed[69, 69] ^= 1
    assert detector.update(Frame(changed)).rects == (Box(64, 64, 6, 6),)
    assert detector.update(Frame(changed.copy())).unchanged


@pytest.mark.parametrize("size", [(1, 1), (64, 64), (65, 64), (64, 65), (200, 129)])
def test_there_is_one_digest_a_block(size: tuple[int, int]) -> None:
    digests = block_digests(noise(*size))
    assert digests.shape == (-(-size[0] // BLOCK), -(-size[1] // BLOCK))
    assert len(np.unique(digests)) == digests.size


@given(SIZES, st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=8))
def test_the_rectangles_cover_every_change_once_and_stay_inside(
    size: tuple[int, int], points: list[tuple[float, float]]
) -> None:
    detector = ChangeDetector()
    before = noise(*size)
    detector.update(Frame(before))
    after = before.copy()
    for y, x in points:
        after[int(y * (size[0] - 1)), int(x * (size[1] - 1)), 0] ^= 255
    changes = detector.update(Frame(after))
    covered = np.zeros(size, np.uint8)
    for box in changes.rects:
        assert box.intersection(Box(0, 0, size[1], size[0])) == box
        covered[box.y : box.bottom, box.x : box.right] += 1
    changed = (before != after).any(axis=2)
    assert changes.unchanged == (not changed.any())
    assert covered.max(initial=0) <= 1
    assert (covered[changed] == 1).all()
    # No block without a change is named.
    for y in range(0, size[0], BLOCK):
        for x in range(0, size[1], BLOCK):
            block = np.s_[y : y + BLOCK, x : x + BLOCK]
            assert bool(covered[block].any()) == bool(changed[block].any())
