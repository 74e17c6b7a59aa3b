"""Whether a window reacted to a click."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.acting.reaction import (
    Surroundings,
    pixels_reacted,
    restless,
    restless_outside,
    surroundings_reacted,
)
from fingerpost.engine.values import Box, Pixels


def blank() -> Pixels:
    return np.zeros((90, 130, 4), np.uint8)


CALM = restless(blank(), blank())
ALONE = Surroundings(frozenset({1}), None)


@given(st.integers(0, 129), st.integers(0, 89), st.integers(4, 60), st.integers(1, 60))
def test_any_change_wider_than_a_caret_is_a_reaction(x: int, y: int, width: int, height: int) -> None:
    changed = blank()
    changed[y : y + height, max(0, x - width) : max(0, x - width) + width, 1] = 3
    assert pixels_reacted(blank(), changed, CALM)


@given(st.integers(0, 127), st.integers(0, 60))
def test_nothing_and_a_blinking_caret_and_the_unused_channel_are_none(x: int, y: int) -> None:
    changed = blank()
    changed[y : y + 18, x : x + 2, :3] = 255
    changed[..., 3] = 255
    assert not pixels_reacted(blank(), changed, CALM)


def test_what_moves_by_itself_is_left_out_and_the_rest_is_not() -> None:
    video, later = blank(), blank()
    video[0:40, 0:60, 0], later[0:40, 0:60, 0] = 100, 200
    moving = restless(blank(), video)
    assert not pixels_reacted(blank(), later, moving)
    later[60:80, 80:120, 0] = 200
    assert pixels_reacted(blank(), later, moving)


@given(st.builds(Box, st.integers(-20, 120), st.integers(-20, 80), st.integers(1, 60), st.integers(1, 60)))
def test_a_change_on_the_target_itself_is_never_taken_for_a_video(target: Box) -> None:
    moving = restless_outside(blank(), ~blank(), target)
    seen = target.intersection(Box(0, 0, 130, 90))
    clicked = blank()
    clicked[seen.y : seen.bottom, seen.x : seen.right, :3] = 9
    assert pixels_reacted(blank(), clicked, moving) == (seen.width > 3 and seen.height > 0)
    outside = np.kron(moving, np.ones((16, 16), bool))[:90, :130]
    assert not outside[seen.y : seen.bottom, seen.x : seen.right].any()


def test_a_window_that_opens_or_closes_and_a_keyboard_that_goes_elsewhere_are_reactions() -> None:
    assert surroundings_reacted(ALONE, Surroundings(frozenset({1, 2}), None))
    assert surroundings_reacted(ALONE, Surroundings(frozenset(), None))
    assert surroundings_reacted(ALONE, Surroundings(frozenset({1}), 2))


def test_that_the_clicked_window_comes_to_the_front_is_no_reaction() -> None:
    assert not surroundings_reacted(Surroundings(frozenset({1, 2}), 2), Surroundings(frozenset({1, 2}), None))


def test_where_windows_are_unknown_they_do_not_count() -> None:
    assert not surroundings_reacted(Surroundings(None, None), Surroundings(None, None))
    assert not surroundings_reacted(Surroundings(None, None), Surroundings(frozenset({1}), None))


def test_a_window_of_another_size_reacted() -> None:
    assert pixels_reacted(blank(), blank()[:50], CALM)


def test_cut_out_pictures_are_compared_as_well() -> None:
    whole, changed = blank(), blank()
    changed[40:60, 40:60] = 9
    before, after = whole[20:80, 20:80], changed[20:80, 20:80]
    assert pixels_reacted(before, after, restless(before, before))
