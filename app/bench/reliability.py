"""Whether the confidence that an engine states is the share of answers that are right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fingerpost.app.bench.predictions import Prediction
from fingerpost.app.bench.verdicts import Verdict

BINS = 10


@dataclass(frozen=True)
class Bin:
    """The answers with a confidence of `lower` to `upper`, the last bin with 1 included.

    stated  their mean confidence
    right   the share of them that is right
    """

    lower: float
    upper: float
    n: int
    stated: float
    right: float


@dataclass(frozen=True)
class Reliability:
    """Bins that hold answers, the surest first.

    error  expected calibration error: the mean distance of stated and right, weighted by n; None without any answer
           that states a confidence
    """

    bins: tuple[Bin, ...]
    error: float | None


def reliability(verdicts: Iterable[Verdict], predictions: Mapping[str, Prediction]) -> Reliability:
    """Of all answers that give a place and a confidence."""
    stated: list[tuple[float, bool]] = []
    for verdict in verdicts:
        prediction = predictions.get(verdict.case.id)
        if prediction and prediction.point is not None and prediction.confidence is not None:
            stated.append((prediction.confidence, verdict.right))
    bins = tuple(_bin(number, stated) for number in reversed(range(BINS)) if _in_bin(number, stated))
    error = sum(one.n * abs(one.stated - one.right) for one in bins) / len(stated) if stated else None
    return Reliability(bins, error)


def _in_bin(number: int, stated: Iterable[tuple[float, bool]]) -> list[tuple[float, bool]]:
    return [pair for pair in stated if min(int(pair[0] * BINS), BINS - 1) == number]


def _bin(number: int, stated: Iterable[tuple[float, bool]]) -> Bin:
    inside = _in_bin(number, stated)
    mean = sum(said for said, _ in inside) / len(inside)
    right = sum(right for _, right in inside) / len(inside)
    return Bin(number / BINS, (number + 1) / BINS, len(inside), mean, right)
