"""Counts how many predictions are right, in all and by group; `verdicts` tells which are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fingerpost.app.bench.cases import Case, Rect
from fingerpost.app.bench.predictions import Prediction
from fingerpost.app.bench.reliability import Reliability, reliability
from fingerpost.app.bench.verdicts import Verdict, judge

GROUPINGS = (
    "category", "kind", "role", "app", "toolkit", "resolution", "theme", "lang", "instruction_lang", "style", "state",
    "size",
)  # fmt: skip
"""Traits the cases are grouped by; "size" is that of the box."""

SMALL, LARGE = 24, 48  # logical pixels, side of a square as large as the box


@dataclass(frozen=True)
class Tally:
    """How many of the `n` cases of a group that have a place were right, and how many were answered "not found"."""

    hits: int = 0
    n: int = 0
    not_found: int = 0

    @property
    def accuracy(self) -> float:
        return self.hits / self.n if self.n else 0.0

    def plus(self, verdict: Verdict) -> Tally:
        return Tally(self.hits + verdict.right, self.n + 1, self.not_found + (verdict.point is None))


@dataclass(frozen=True)
class Latency:
    """Milliseconds over `n` answers: the value that half and 95 % of them do not exceed, and the largest."""

    n: int
    median: float | None
    p95: float | None
    max: float | None


@dataclass(frozen=True)
class Score:
    """The numbers of one run; shares are 0..1, None when there is nothing to count.

    accuracy                  right among the cases that have a place
    accuracy_ci95             its 95 % confidence interval (Wilson)
    precision_when_answered   right among all answers that gave a point
    absent_rejected           "not found" among the absent cases
    mean_iou                  of the boxes answered, where there were any, with the true ones
    latency_ms                of all answers
    first_latency_ms          of the first answer on each picture, when nothing of it had been read before
    reliability               whether the confidence of the answers is the share of them that is right
    """

    cases: int
    positives: int
    absent: int
    predictions: int
    duplicate_ids: int
    unknown_ids: int
    missing: int
    accuracy: float | None
    accuracy_ci95: tuple[float, float]
    hits: int
    abstained_on_positives: int
    wrong_point_on_positives: int
    precision_when_answered: float | None
    absent_rejected: float | None
    absent_rejected_n: int
    overall_with_absent: float | None
    macro_accuracy_by_app: float | None
    mean_iou: float | None
    latency_ms: Latency
    first_latency_ms: Latency
    reliability: Reliability
    groups: Mapping[str, Mapping[str, Tally]]

    def as_json(self) -> dict[str, Any]:
        fields = asdict(self)
        fields["groups"] = {
            name: {value: {**asdict(tally), "accuracy": round(tally.accuracy, 4)} for value, tally in tallies.items()}
            for name, tallies in self.groups.items()
        }
        return fields


def score(cases: Sequence[Case], predictions: Sequence[Prediction]) -> Score:
    """The numbers of a run over these cases."""
    verdicts = judge(cases, predictions)
    positives = [verdict for verdict in verdicts if verdict.case.bbox]
    negatives = [verdict for verdict in verdicts if not verdict.case.bbox]
    by_id = {prediction.id: prediction for prediction in predictions}
    known = {case.id for case in cases}
    hits = sum(verdict.right for verdict in positives)
    rejected = sum(verdict.right for verdict in negatives)
    answered = sum(verdict.point is not None for verdict in verdicts)
    abstained = sum(verdict.point is None for verdict in positives)
    groups = {grouping: _group(positives, grouping) for grouping in GROUPINGS}
    apps = groups["app"].values()
    return Score(
        cases=len(cases),
        positives=len(positives),
        absent=len(negatives),
        predictions=len(predictions),
        duplicate_ids=len(predictions) - len(by_id),
        unknown_ids=len(by_id.keys() - known),
        missing=len(known - by_id.keys()),
        accuracy=_share(hits, len(positives)),
        accuracy_ci95=wilson(hits, len(positives)),
        hits=hits,
        abstained_on_positives=abstained,
        wrong_point_on_positives=len(positives) - hits - abstained,
        precision_when_answered=_share(hits, answered),
        absent_rejected=_share(rejected, len(negatives)),
        absent_rejected_n=rejected,
        overall_with_absent=_share(hits + rejected, len(verdicts)),
        macro_accuracy_by_app=_share(sum(tally.accuracy for tally in apps), len(apps)),
        mean_iou=_mean_iou(positives, by_id),
        latency_ms=_latency(by_id[case.id] for case in cases if case.id in by_id),
        first_latency_ms=_latency(_first_on_each_picture(cases, predictions)),
        reliability=reliability(verdicts, by_id),
        groups=groups,
    )


def wilson(hits: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """The confidence interval of a share (E. B. Wilson, 1927): 95 % with this z."""
    if n == 0:
        return 0.0, 0.0
    share, scale = hits / n, 1 + z * z / n
    centre = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (centre - spread) / scale, (centre + spread) / scale


def percentile(values: Iterable[float], share: float) -> float | None:
    """The smallest value that at least `share` of all do not exceed (nearest rank); None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def iou(a: Rect, b: Rect) -> float:
    """Intersection over union, 0..1."""
    width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    common = max(0.0, width) * max(0.0, height)
    total = a.width * a.height + b.width * b.height - common
    return common / total if total > 0 else 0.0


def _group(verdicts: Iterable[Verdict], grouping: str) -> dict[str, Tally]:
    """The tally of each value of a trait, the largest group first."""
    tallies: dict[str, Tally] = {}
    for verdict in verdicts:
        value = _size(verdict.case) if grouping == "size" else verdict.case.trait(grouping)
        tallies[value] = tallies.get(value, Tally()).plus(verdict)
    return dict(sorted(tallies.items(), key=lambda item: -item[1].n))


def _size(case: Case) -> str:
    assert case.bbox
    side = math.sqrt(case.bbox.width * case.bbox.height) / case.scale
    return f"<{SMALL}" if side < SMALL else f"{SMALL}-{LARGE}" if side < LARGE else f">={LARGE}"


def _mean_iou(verdicts: Iterable[Verdict], predictions: Mapping[str, Prediction]) -> float | None:
    overlaps = []
    for verdict in verdicts:
        prediction = predictions.get(verdict.case.id)
        if verdict.case.bbox and prediction and prediction.bbox:
            overlaps.append(iou(prediction.bbox, verdict.case.bbox))
    return _share(sum(overlaps), len(overlaps))


def _first_on_each_picture(cases: Iterable[Case], predictions: Iterable[Prediction]) -> list[Prediction]:
    pictures = {case.id: case.image for case in cases}
    first: dict[Any, Prediction] = {}
    for prediction in predictions:
        if prediction.id in pictures:
            first.setdefault(pictures[prediction.id], prediction)
    return list(first.values())


def _latency(predictions: Iterable[Prediction]) -> Latency:
    values = [prediction.latency_ms for prediction in predictions if prediction.latency_ms is not None]
    return Latency(len(values), percentile(values, 0.5), percentile(values, 0.95), max(values, default=None))


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None
