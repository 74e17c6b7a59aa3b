from __future__ import annotations

from pathlib import Path

import pytest

from fingerpost.app.bench.cases import Case, Rect
from fingerpost.app.bench.comparison import compare
from fingerpost.app.bench.predictions import Prediction
from fingerpost.engine.errors import BenchError
from fingerpost.engine.values import Query

CASES = [Case(name, Path("one.png"), Query("Save"), Rect(0, 0, 10, 10), 1.0, {"app": "paint"}) for name in "abcd"]


def predictions(**points: int | None) -> list[Prediction]:
    return [Prediction(name, None if x is None else (x, 5), None, 1.0) for name, x in points.items()]


def test_cases_that_turned_right_or_wrong_are_listed() -> None:
    result = compare(CASES, predictions(a=5, b=5, c=50, d=None), predictions(a=5, b=50, c=5, d=50))
    assert [case.id for case in result.newly_right] == ["c"]
    assert [case.id for case in result.newly_wrong] == ["b"]
    assert (result.earlier.hits, result.later.hits, result.left_out) == (2, 2, 0)


def test_only_cases_that_both_runs_answered_count() -> None:
    result = compare(CASES, predictions(a=5, z=5), predictions(a=5, b=5, c=5, d=5))
    assert (result.later.cases, result.later.predictions, result.left_out) == (1, 1, 3)
    assert result.earlier.unknown_ids == 0
    assert result.newly_right == ()


def test_a_run_over_other_cases_is_refused() -> None:
    with pytest.raises(BenchError, match="none of these cases"):
        compare(CASES, predictions(z=5), predictions(a=5))
