"""The table that shows whether the stated confidence is the share of right answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.bench.cases import Case, Rect
from fingerpost.app.bench.predictions import Prediction
from fingerpost.app.bench.reliability import Reliability, reliability
from fingerpost.app.bench.verdicts import judge
from fingerpost.engine.values import Query

STATED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def of(answers: list[tuple[float | None, bool]]) -> Reliability:
    """The reliability of answers given as pairs of confidence and whether they are right."""
    cases, predictions = [], []
    for number, (confidence, right) in enumerate(answers):
        cases.append(Case(str(number), Path("a.png"), Query("Save"), Rect(0, 0, 10, 10), 1.0, {}))
        predictions.append(Prediction(str(number), (5.0, 5.0) if right else (50.0, 5.0), None, None, confidence))
    return reliability(judge(cases, predictions), {prediction.id: prediction for prediction in predictions})


def test_each_range_tells_what_was_stated_and_what_was_right() -> None:
    sure, unsure = of([(0.95, True), (0.97, True), (0.99, False), (1.0, True), (0.55, False), (0.5, True)]).bins
    assert (sure.lower, sure.upper, sure.n) == (0.9, 1.0, 4)
    assert (sure.stated, sure.right) == (pytest.approx(0.9775), 0.75)
    assert (unsure.lower, unsure.n, unsure.stated, unsure.right) == (0.5, 2, pytest.approx(0.525), 0.5)


def test_the_error_is_the_distance_weighted_by_the_answers() -> None:
    assert of([(0.95, True)] * 3 + [(0.55, False)]).error == pytest.approx((3 * 0.05 + 0.55) / 4)


def test_an_engine_that_keeps_its_word_has_no_error() -> None:
    assert of([(1.0, True)] * 7 + [(0.0, False)] * 2 + [(0.5, True), (0.5, False)]).error == pytest.approx(0)


def test_answers_without_a_place_or_a_confidence_do_not_count() -> None:
    assert of([(None, True)]) == Reliability((), None)
    case = Case("a", Path("a.png"), Query("Save"), None, 1.0, {})
    missing = Prediction("a", None, None, None, 0.7)
    assert reliability(judge([case], [missing]), {"a": missing}) == Reliability((), None)


@given(STATED)
def test_every_answer_is_in_one_range_and_the_error_is_a_share(answers: list[tuple[float, bool]]) -> None:
    result = of([*answers])
    assert sum(one.n for one in result.bins) == len(answers)
    assert result.error is not None
    assert 0 <= result.error <= 1
    for one in result.bins:
        assert one.lower - 1e-9 <= one.stated <= one.upper + 1e-9
