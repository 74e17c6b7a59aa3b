"""Which predictions are right.

A case is right when the point lies inside the true box, edges included; an absent case when the answer is "not found".
A case without a prediction counts as answered "not found".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fingerpost.app.bench.cases import Case
from fingerpost.app.bench.predictions import Prediction


@dataclass(frozen=True)
class Verdict:
    """One case with the point that was answered, None for "not found"."""

    case: Case
    point: tuple[float, float] | None
    right: bool


def judge(cases: Iterable[Case], predictions: Iterable[Prediction]) -> tuple[Verdict, ...]:
    """Each case with its answer; of several predictions for a case the last counts."""
    points = {prediction.id: prediction.point for prediction in predictions}
    return tuple(Verdict(case, points.get(case.id), _right(case, points.get(case.id))) for case in cases)


def _right(case: Case, point: tuple[float, float] | None) -> bool:
    if case.bbox is None or point is None:
        return case.bbox is None and point is None
    x, y, width, height = case.bbox
    return x <= point[0] <= x + width and y <= point[1] <= y + height
