"""What an engine answered to each case, as lines of JSON.

The fields are {"id", "found", "x", "y", "bbox", "confidence", "latency_ms"}.
Coordinates are pixels of the picture; x, y, bbox and confidence are null when nothing was found.
"""

from __future__ import annotations

import errno
import json
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from fingerpost.app.bench.cases import LineError, Rect, number, read_lines
from fingerpost.engine.errors import BenchError
from fingerpost.engine.values import Answer


@dataclass(frozen=True)
class Prediction:
    """The answer to one case; `point` is None when it was "not found"."""

    id: str
    point: tuple[float, float] | None
    bbox: Rect | None
    latency_ms: float | None
    confidence: float | None = None

    def line(self) -> str:
        x, y = self.point or (None, None)
        latency = None if self.latency_ms is None else round(self.latency_ms, 3)
        found = self.point is not None
        bbox = [*self.bbox] if found and self.bbox else None
        sure = None if self.confidence is None or not found else round(self.confidence, 4)
        place = {"id": self.id, "found": found, "x": x, "y": y, "bbox": bbox}
        fields = {**place, "latency_ms": latency, "confidence": sure}
        return json.dumps(fields, ensure_ascii=False) + "\n"


def from_answer(case_id: str, answer: Answer, latency_ms: float) -> Prediction:
    """The best target of an answer as a prediction."""
    if not answer.found:
        return Prediction(case_id, None, None, latency_ms)
    best = answer.targets[0]
    return Prediction(case_id, (best.x, best.y), Rect(*best.box), latency_ms, best.confidence)


def read_predictions(path: Path) -> tuple[Prediction, ...]:
    """An earlier run. Raises `BenchError`, which explains each bad line with its number."""
    return read_lines(path, _prediction)


class PredictionFile:
    """Writes each prediction at once, so that what was done is kept when a run is stopped. Begins the file anew.

    Raises `BenchError` when the file cannot be written; a line that did not fit is taken back.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise self._error(error) from error

    def __enter__(self) -> PredictionFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def write(self, prediction: Prediction) -> None:
        line = prediction.line().encode()
        written = 0
        try:
            while written < len(line):
                written += self._file.write(line[written:]) or 0
        except OSError as error:
            if written:
                self._file.truncate(self._file.tell() - written)
            raise self._error(error) from error

    def _error(self, error: OSError) -> BenchError:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            return BenchError(f"The disk is full, so {self._path} is not complete.", "Free some space and run again.")
        return BenchError(f"{self._path} cannot be written: {error.strerror}.", "Choose another file for --save.")


def _prediction(fields: dict[str, Any]) -> Prediction:
    if not isinstance(fields.get("id"), str):
        raise LineError("id missing")
    latency, bbox = number(fields.get("latency_ms")), _rect(fields.get("bbox"))
    sure = number(fields.get("confidence"))
    sure = sure if sure is not None and 0 <= sure <= 1 else None
    return Prediction(fields["id"], _point(fields, bbox), bbox, latency, sure)


def _point(fields: dict[str, Any], bbox: Rect | None) -> tuple[float, float] | None:
    """The point that counts; without one the centre of the box, as other tools write only that."""
    if fields.get("error") or fields.get("found") is False:
        return None
    if fields.get("x") is None or fields.get("y") is None:
        return (bbox.x + bbox.width / 2, bbox.y + bbox.height / 2) if bbox else None
    x, y = number(fields["x"]), number(fields["y"])
    return None if x is None or y is None else (x, y)


def _rect(value: Any) -> Rect | None:
    if not value:
        return None
    numbers = [number(part) for part in value] if isinstance(value, list) else []
    if len(numbers) != 4:
        raise LineError("bbox must be [x, y, width, height] or null")
    x, y, width, height = numbers
    if x is None or y is None or width is None or height is None:
        raise LineError("bbox must be [x, y, width, height] or null")
    return Rect(x, y, width, height)
