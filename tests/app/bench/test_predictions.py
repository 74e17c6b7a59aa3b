from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.bench.cases import Rect
from fingerpost.app.bench.predictions import Prediction, PredictionFile, from_answer, read_predictions
from fingerpost.engine.errors import BenchError
from fingerpost.engine.values import Answer, Box, FrameSize, Target

NUMBERS = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
POINTS = st.tuples(NUMBERS, NUMBERS)
BOXES = st.builds(Rect, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
SHARES = st.none() | st.floats(0, 1).map(lambda value: round(value, 4))
FOUND = st.builds(Prediction, st.text(min_size=1), POINTS, BOXES, NUMBERS, SHARES)
NOT_FOUND = st.builds(Prediction, st.text(min_size=1), st.none(), st.none(), NUMBERS)


def test_the_best_target_is_what_is_predicted() -> None:
    best = Target("Save", "button", 12, 13, Box(10, 10, 5, 6), 0.9, "text")
    other = Target("Save", "button", 1, 1, Box(0, 0, 5, 6), 0.8, "text")
    prediction = from_answer("a", Answer(True, True, "lite", 1.0, FrameSize(100, 100), (best, other)), 2.5)
    assert json.loads(prediction.line()) == {
        "id": "a", "found": True, "x": 12, "y": 13, "bbox": [10, 10, 5, 6], "confidence": 0.9,
        "latency_ms": 2.5,
    }  # fmt: skip


def test_not_found_has_neither_point_nor_box() -> None:
    prediction = from_answer("a", Answer(False, False, "lite", 1.0, FrameSize(100, 100)), 2.5)
    assert json.loads(prediction.line()) == {
        "id": "a", "found": False, "x": None, "y": None, "bbox": None, "confidence": None,
        "latency_ms": 2.5,
    }  # fmt: skip


@given(st.lists(FOUND | NOT_FOUND, min_size=1))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, predictions: list[Prediction]) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.jsonl"
    with PredictionFile(path) as file:
        for prediction in predictions:
            file.write(prediction)
    assert list(read_predictions(path)) == predictions


@pytest.mark.parametrize(
    ("fields", "point"),
    [
        ({"x": 1, "y": 2}, (1, 2)),
        ({"x": 0, "y": 0, "found": True}, (0, 0)),
        ({"bbox": [10, 20, 4, 6]}, (12, 23)),
        ({"x": 1, "bbox": [10, 20, 4, 6]}, (12, 23)),
        ({"x": float("nan"), "y": 2, "bbox": [10, 20, 4, 6]}, None),
        ({"x": 1, "y": 2, "found": False}, None),
        ({"x": 1, "y": 2, "error": "crashed"}, None),
        ({}, None),
    ],
)
def test_the_point_that_counts(tmp_path: Path, fields: dict[str, object], point: tuple[float, float] | None) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"id": "a", **fields}), "utf-8")
    assert read_predictions(path)[0].point == point


@pytest.mark.parametrize("line", ['{"x": 1}', '{"id": "a", "bbox": [1]}', '{"id": "a", "bbox": [1, 2, 3, null]}', "1"])
def test_a_line_that_is_no_prediction_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"id": "a"}\n' + line, "utf-8")
    with pytest.raises(BenchError, match="line 2: "):
        read_predictions(path)


def test_a_place_where_nothing_can_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"cannot be written: No such file"):
        PredictionFile(tmp_path / "none" / "run.jsonl")


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file can grow beyond `size` bytes, as on a full disk."""
    resource = pytest.importorskip("resource", reason="needs a file size limit")
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_line_that_does_not_fit_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    prediction = Prediction("a", (1, 2), Rect(1, 2, 3, 4), 5.0)
    with PredictionFile(path) as file, file_size_limit(len(prediction.line()) + 10):
        file.write(prediction)
        with pytest.raises(BenchError, match="cannot be written: File too large"):
            file.write(prediction)
    assert path.read_text("utf-8") == prediction.line()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_in_one_sentence() -> None:
    with pytest.raises(BenchError, match="The disk is full"):
        PredictionFile(Path("/dev/full")).write(Prediction("a", None, None, None))
