"""Which targets are marked on the screen, and how."""

from __future__ import annotations

import numpy as np
import pytest

from fingerpost.app.desktop.marks import MOST, marks_of
from fingerpost.engine.values import Answer, Box, Frame, FrameSize, Target

FRAME = Frame(np.zeros((100, 400, 4), np.uint8), origin=(-400, 50))


def answer(*confidences: float, ambiguous: bool = False) -> Answer:
    targets = tuple(
        Target("x", "button", 30 * i + 5, 10, Box(30 * i, 5, 20, 10), confidence, "text")
        for i, confidence in enumerate(confidences)
    )
    return Answer(bool(targets), ambiguous, "lite", 12.0, FrameSize(400, 100), targets)


def test_a_certain_answer_is_marked_alone_and_solid_in_pixels_of_the_desktop() -> None:
    (mark,), active = marks_of(answer(0.98, 0.4), FRAME)
    assert (mark.box, (mark.point.x, mark.point.y)) == (Box(-400, 55, 20, 10), (-395, 60))
    assert (mark.certain, mark.number, active) == (True, 1, 0)


def test_another_candidate_of_a_certain_answer_is_marked_by_its_own_number_and_as_a_guess() -> None:
    (mark,), active = marks_of(answer(0.98, 0.4), FRAME, chosen=1)
    assert (mark.box.x, mark.number, mark.certain, active) == (-370, 2, False, 0)


@pytest.mark.parametrize("ambiguous", [True, False])
def test_guesses_and_ambiguous_answers_show_all_candidates_and_none_as_certain(ambiguous: bool) -> None:
    found = answer(*([0.98 if ambiguous else 0.6] * 12), ambiguous=ambiguous)
    marks, active = marks_of(found, FRAME, chosen=3)
    assert [mark.number for mark in marks] == list(range(1, MOST + 1))
    assert not any(mark.certain for mark in marks)
    assert active == 3
