"""Screens for a model's eyes: things as large as it is to see them, and goals that lie on the frame."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.app.bench.things import LARGEST, SEEN, draw_things, plan_for
from fingerpost.engine.holotron.tiles import choose_grid
from fingerpost.engine.values import FrameSize

DESKTOP = FrameSize(1920, 1080)


@pytest.mark.parametrize("side", [128, 512])
def test_things_are_as_large_as_the_model_is_to_see_them(side: int) -> None:
    """Also for the 12B, whose tiles have 512 pixels: there they are about as large as a button with its name."""
    sent = choose_grid(DESKTOP, side=side).size
    plan = plan_for(DESKTOP, sent, 10)
    for seen, drawn in zip(SEEN, plan.sizes, strict=True):
        assert seen * 0.9 < drawn * sent.width / DESKTOP.width < seen * 1.1
    if side == 512:
        assert plan.sizes[0] < 40


def test_a_model_that_sees_next_to_nothing_still_gets_things_that_fit() -> None:
    plan = plan_for(DESKTOP, FrameSize(32, 32), 10)
    assert plan.sizes[1] == LARGEST * DESKTOP.height
    assert draw_things(plan, 0).goals


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_goals_have_words_of_their_own_and_boxes_apart_on_the_frame(seed: int) -> None:
    screen = draw_things(plan_for(FrameSize(640, 400), FrameSize(384, 256), 12), seed)
    assert len({goal.words for goal in screen.goals}) == len(screen.goals)
    for number, goal in enumerate(screen.goals):
        assert goal.box.intersection(screen.frame.box) == goal.box
        assert all(goal.box.intersection(other.box).area == 0 for other in screen.goals[:number])


def test_the_frame_has_the_colours_that_are_asked_for() -> None:
    """Frames have blue first."""
    for seed in range(40):
        screen = draw_things(plan_for(FrameSize(640, 400), FrameSize(640, 400), 12), seed)
        for goal in screen.goals:
            if goal.words in {"the red circle", "the red square", "the red diamond"}:
                blue, _, red, _ = map(int, screen.frame.pixels[goal.box.centre[1], goal.box.centre[0]])
                assert red > blue + 100
                return
    pytest.fail("no red thing was drawn")
