"""Whether a window reacted to a click."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.acting.reaction import Scene, reacted, restless
from fingerpost.engine.values import Pixels


def blank() -> Pixels:
    return np.zeros((90, 130, 4), np.uint8)


def scene(pixels: Pixels, windows: frozenset[int] | None = frozenset({1}), active: int | None = 1) -> Scene:
    return Scene(pixels, windows, active)


CALM = restless(blank(), blank())


@given(st.integers(0, 129), st.integers(0, 89), st.integers(4, 60), st.integers(1, 60))
def test_any_change_wider_than_a_caret_is_a_reaction(x: int, y: int, width: int, height: int) -> None:
    changed = blank()
    changed[y : y + height, max(0, x - width) : max(0, x - width) + width, 1] = 3
    assert reacted(scene(blank()), scene(changed), CALM)


@given(st.integers(0, 127), st.integers(0, 60))
def test_nothing_and_a_blinking_caret_and_the_unused_channel_are_none(x: int, y: int) -> None:
    changed = blank()
    changed[y : y + 18, x : x + 2, :3] = 255
    changed[..., 3] = 255
    assert not reacted(scene(blank()), scene(changed), CALM)


def test_what_moves_by_itself_is_left_out_and_the_rest_is_not() -> None:
    video, later = blank(), blank()
    video[0:40, 0:60, 0], later[0:40, 0:60, 0] = 100, 200
    moving = restless(blank(), video)
    assert not reacted(scene(blank()), scene(later), moving)
    later[60:80, 80:120, 0] = 200
    assert reacted(scene(blank()), scene(later), moving)


def test_a_window_that_opens_or_closes_and_a_keyboard_that_goes_elsewhere_are_reactions() -> None:
    before = scene(blank())
    assert reacted(before, scene(blank(), windows=frozenset({1, 2})), CALM)
    assert reacted(before, scene(blank(), windows=frozenset()), CALM)
    assert reacted(before, scene(blank(), active=2), CALM)
    assert reacted(scene(blank(), active=None), scene(blank(), active=2), CALM)


def test_that_the_clicked_window_comes_to_the_front_is_no_reaction() -> None:
    assert not reacted(scene(blank(), active=2), scene(blank(), active=None), CALM)


def test_where_windows_are_unknown_only_pixels_count() -> None:
    assert not reacted(scene(blank(), None, None), scene(blank(), None, None), CALM)


def test_a_window_of_another_size_reacted() -> None:
    assert reacted(scene(blank()), scene(blank()[:50]), CALM)


def test_cut_out_pictures_are_compared_as_well() -> None:
    whole, changed = blank(), blank()
    changed[40:60, 40:60] = 9
    before, after = whole[20:80, 20:80], changed[20:80, 20:80]
    assert reacted(scene(before), scene(after), restless(before, before))
