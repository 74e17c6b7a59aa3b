"""What changed between two runs over the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fingerpost.app.bench.cases import Case
from fingerpost.app.bench.predictions import Prediction
from fingerpost.app.bench.score import Score, score
from fingerpost.app.bench.verdicts import judge
from fingerpost.engine.errors import BenchError


@dataclass(frozen=True)
class Comparison:
    """Two runs over the cases that both have answered.

    newly_right  cases that only the later run has right, in the order of the case file
    newly_wrong  cases that only the earlier run had right
    left_out     how many cases of the later run the earlier one has no answer to
    """

    earlier: Score
    later: Score
    newly_right: tuple[Case, ...]
    newly_wrong: tuple[Case, ...]
    left_out: int

    def as_json(self) -> dict[str, Any]:
        return {
            "earlier": self.earlier.as_json(),
            "later": self.later.as_json(),
            "newly_right": [case.id for case in self.newly_right],
            "newly_wrong": [case.id for case in self.newly_wrong],
            "left_out": self.left_out,
        }


def compare(cases: Sequence[Case], earlier: Sequence[Prediction], later: Sequence[Prediction]) -> Comparison:
    """Raises `BenchError` when the earlier run answered none of the cases."""
    answered = {prediction.id for prediction in earlier}
    common = [case for case in cases if case.id in answered]
    if not common:
        raise BenchError(
            "The earlier run answered none of these cases.", "Give a file that was saved from the same case file."
        )
    pairs = list(zip(judge(common, earlier), judge(common, later), strict=True))
    return Comparison(
        earlier=score(common, _of(common, earlier)),
        later=score(common, _of(common, later)),
        newly_right=tuple(now.case for before, now in pairs if now.right and not before.right),
        newly_wrong=tuple(now.case for before, now in pairs if before.right and not now.right),
        left_out=len(cases) - len(common),
    )


def _of(cases: Sequence[Case], predictions: Sequence[Prediction]) -> list[Prediction]:
    ids = {case.id for case in cases}
    return [prediction for prediction in predictions if prediction.id in ids]
