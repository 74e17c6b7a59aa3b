from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingerpost.app.bench.cases import read_cases
from fingerpost.app.bench.runner import run
from fingerpost.app.bench.verdicts import judge
from fingerpost.engine.errors import ImageError
from fingerpost.engine.values import Engine

Line = dict[str, Any]
WriteCases = Callable[[list[Line]], Path]


def test_each_case_gets_the_answer_on_its_own_picture(
    engine: Engine, lines: list[Line], write_cases: WriteCases
) -> None:
    cases = read_cases(write_cases(lines))
    predictions = list(run(engine, cases))
    assert {p.id: p.point for p in predictions} == {
        "a": (20, 20),
        "b": (20, 20),
        "c": (70, 20),
        "d": None,
        "e": (20, 20),
    }
    assert [verdict.right for verdict in judge(cases, predictions)] == [True, True, True, True, False]
    assert all(prediction.latency_ms for prediction in predictions)


def test_a_picture_is_loaded_once_for_all_its_cases(engine: Any, lines: list[Line], write_cases: WriteCases) -> None:
    predictions = list(run(engine, read_cases(write_cases(lines))))
    assert "".join(prediction.id for prediction in predictions) == "acdbe"
    frames = [frame for frame, _ in engine.looked]
    assert frames == [frames[0]] * 3 + [frames[3]] * 2
    assert frames[0] != frames[3]


def test_answers_before_a_damaged_picture_are_kept(
    engine: Engine, lines: list[Line], write_cases: WriteCases, tmp_path: Path
) -> None:
    (tmp_path / "two.png").write_bytes((tmp_path / "two.png").read_bytes()[:60])
    answers = run(engine, read_cases(write_cases(lines)))
    assert "".join(next(answers).id for _ in range(3)) == "acd"
    with pytest.raises(ImageError):
        next(answers)
