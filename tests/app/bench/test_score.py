from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.bench.cases import Case, Rect
from fingerpost.app.bench.predictions import Prediction
from fingerpost.app.bench.score import Tally, iou, percentile, score, wilson
from fingerpost.app.bench.verdicts import judge
from fingerpost.engine.values import Query

BOX = Rect(10, 10, 20, 20)


def case(name: str, bbox: Rect | None = BOX, picture: str = "one.png", **traits: str) -> Case:
    return Case(name, Path(picture), Query("Save"), bbox, 1.0, traits)


def answer(name: str, x: float, y: float, ms: float = 1.0, bbox: Rect | None = None) -> Prediction:
    return Prediction(name, (x, y), bbox, ms)


def nothing(name: str, ms: float = 1.0) -> Prediction:
    return Prediction(name, None, None, ms)


@pytest.mark.parametrize(
    ("x", "y", "right"),
    [(20, 20, True), (10, 10, True), (30, 30, True), (9.9, 20, False), (20, 30.1, False), (0, 0, False)],
)
def test_a_point_is_right_inside_the_box_and_on_its_edges(x: float, y: float, right: bool) -> None:
    assert [verdict.right for verdict in judge([case("a")], [answer("a", x, y)])] == [right]


def test_an_absent_case_is_right_when_nothing_is_found() -> None:
    cases = [case("a", None), case("b", None), case("c", None)]
    verdicts = judge(cases, [nothing("a"), answer("b", 1, 1)])
    assert [verdict.right for verdict in verdicts] == [True, False, True]


def test_a_case_without_a_prediction_counts_as_not_found() -> None:
    result = score([case("a")], [])
    assert (result.missing, result.abstained_on_positives, result.accuracy) == (1, 1, 0)


def test_the_last_prediction_of_a_case_counts_and_unknown_ones_are_told() -> None:
    result = score([case("a")], [answer("a", 0, 0), answer("a", 20, 20), answer("z", 1, 1)])
    assert (result.hits, result.duplicate_ids, result.unknown_ids) == (1, 1, 1)


def test_the_numbers_of_a_run_counted_by_hand() -> None:
    cases = [
        case("right", app="paint", theme="dark"),
        case("wrong", app="paint", theme="light"),
        case("silent", app="draw", theme="light", picture="two.png"),
        case("also right", app="draw", theme="light", picture="two.png"),
        case("rejected", None, app="draw"),
        case("accepted", None, app="draw"),
    ]
    predictions = [
        answer("right", 20, 20, 100, Rect(10, 10, 20, 10)),
        answer("wrong", 50, 50, 10, Rect(40, 40, 20, 20)),
        nothing("silent", 200),
        answer("also right", 10, 30, 20),
        nothing("rejected", 30),
        answer("accepted", 5, 5, 40),
    ]
    result = score(cases, predictions)
    assert (result.cases, result.positives, result.absent, result.hits) == (6, 4, 2, 2)
    assert (result.abstained_on_positives, result.wrong_point_on_positives) == (1, 1)
    assert result.accuracy == 0.5
    assert result.precision_when_answered == 0.5  # 2 of 3 on positives and one on an absent case
    assert (result.absent_rejected_n, result.absent_rejected) == (1, 0.5)
    assert result.overall_with_absent == 0.5
    assert result.macro_accuracy_by_app == 0.5
    assert result.mean_iou == 0.25  # a half and none; the third right answer gave no box
    assert result.groups["theme"] == {"light": Tally(1, 3, 1), "dark": Tally(1, 1, 0)}
    assert list(result.groups["theme"]) == ["light", "dark"]  # the largest first
    assert result.groups["size"] == {"<24": Tally(2, 4, 1)}
    assert (result.latency_ms.n, result.latency_ms.median) == (6, 30)
    assert (result.latency_ms.p95, result.latency_ms.max) == (200, 200)
    assert (result.first_latency_ms.n, result.first_latency_ms.median) == (2, 100)


def test_sizes_are_those_on_an_unscaled_screen() -> None:
    square = Rect(0, 0, 48, 48)
    cases = [Case(str(scale), Path("one.png"), Query("Save"), square, scale, {}) for scale in (1.0, 1.5, 3.0)]
    assert score(cases, []).groups["size"] == {">=48": Tally(0, 1, 1), "24-48": Tally(0, 1, 1), "<24": Tally(0, 1, 1)}


def test_nothing_to_count_gives_no_number() -> None:
    result = score([], [])
    assert (result.accuracy, result.absent_rejected, result.mean_iou, result.latency_ms.median) == (None,) * 4


def test_a_score_survives_json() -> None:
    fields = json.loads(json.dumps(score([case("a", app="paint")], [answer("a", 20, 20)]).as_json()))
    assert fields["groups"]["app"] == {"paint": {"hits": 1, "n": 1, "not_found": 0, "accuracy": 1.0}}
    assert fields["latency_ms"] == {"n": 1, "median": 1.0, "p95": 1.0, "max": 1.0}


def test_the_wilson_interval_of_a_known_sample() -> None:
    """Newcombe (1998), table I: 81 of 263 is 0.2553 to 0.3662, 0 of 20 is 0 to 0.1611."""
    assert wilson(81, 263, z=1.959964) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20, z=1.959964) == pytest.approx((0, 0.1611), abs=5e-5)


@given(st.lists(st.integers(0, 1000), min_size=1), st.floats(0.01, 1))
def test_a_percentile_is_the_smallest_value_that_enough_values_do_not_exceed(values: list[int], share: float) -> None:
    found = percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-6
    assert sum(value < found for value in values) < share * len(values)


RECTS = st.builds(Rect, *[st.integers(-50, 50)] * 2, *[st.integers(1, 100)] * 2)


@given(RECTS, RECTS)
def test_the_overlap_of_two_boxes_is_a_share_and_symmetric(a: Rect, b: Rect) -> None:
    assert iou(a, a) == 1
    assert 0 <= iou(a, b) == iou(b, a) <= 1
    assert (iou(a, b) == 1) == (a == b)


def test_the_overlap_of_boxes_counted_by_hand() -> None:
    assert iou(Rect(0, 0, 10, 10), Rect(5, 0, 10, 10)) == pytest.approx(50 / 150)
    assert iou(Rect(0, 0, 10, 10), Rect(10, 0, 10, 10)) == 0
