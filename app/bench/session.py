"""A benchmark from start to end: read the cases, run the engine, save and print."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType

from fingerpost.app.bench import report
from fingerpost.app.bench.cases import Case, read_cases, select
from fingerpost.app.bench.comparison import Comparison, compare
from fingerpost.app.bench.predictions import Prediction, PredictionFile, read_predictions
from fingerpost.app.bench.runner import run
from fingerpost.app.bench.score import score
from fingerpost.app.bench.verdicts import judge
from fingerpost.engine.errors import UsageError
from fingerpost.engine.finder import make_engine
from fingerpost.engine.values import Engine

STOPPED = 130  # what a shell calls a program that ended by Ctrl-C


@dataclass(frozen=True)
class Request:
    """What `fingerpost bench` was asked to do; the fields are its options."""

    cases: Path
    engine: str = "auto"
    threads: int = 1
    device: str = "auto"
    only: tuple[tuple[str, str], ...] = ()
    limit: int | None = None
    save: Path | None = None
    compare: Path | None = None
    misses: int = 0
    json: bool = False


@dataclass(frozen=True)
class Run:
    """What an engine answered; `cases` are those it came to."""

    engine: str
    cases: Sequence[Case]
    predictions: Sequence[Prediction]


def bench(request: Request, out: Console, err: Console) -> int:
    """Run and print; the exit code: 0 when all cases were run, 130 when Ctrl-C stopped it before.

    Everything that can be wrong with the request is found out before the first case is run.
    Raises `FingerpostError`; the predictions saved until then stay.
    """
    if request.save and request.save.resolve() == request.cases.resolve():
        raise UsageError("--save would replace the file of cases.", "Name another file for the answers.")
    cases = select(read_cases(request.cases), request.only, request.limit)
    earlier = read_predictions(request.compare) if request.compare else ()
    if request.compare:
        compare(cases, earlier, earlier)
    done = _run(make_engine(request.engine, request.threads, request.device), cases, request.save, err)
    if done.cases:
        comparison = _comparison(done, earlier)
        if request.json:
            fields = _as_json(done, comparison, request.misses)
            out.file.write(json.dumps(fields, ensure_ascii=False, indent=2) + "\n")
        else:
            _print(done, comparison, request.misses, out)
    if len(done.cases) < len(cases):
        err.print(f"Stopped after {len(done.cases)} of {len(cases)} cases.")
        return STOPPED
    return 0


def _comparison(done: Run, earlier: Sequence[Prediction]) -> Comparison | None:
    """None also when Ctrl-C came before the first case that the earlier run has answered."""
    answered = {prediction.id for prediction in earlier}
    return compare(done.cases, earlier, done.predictions) if any(case.id in answered for case in done.cases) else None


def _run(engine: Engine, cases: Sequence[Case], save: Path | None, err: Console) -> Run:
    """All cases, or those that were done before Ctrl-C."""
    predictions: list[Prediction] = []
    with PredictionFile(save) if save else nullcontext() as file, report.progress_bar(err) as progress:
        task = progress.add_task(engine.name, total=len(cases))
        try:
            for prediction in run(engine, cases):
                if file:
                    file.write(prediction)
                predictions.append(prediction)
                progress.advance(task)
        except KeyboardInterrupt:
            pass  # `bench` sees that cases are missing
    ids = {prediction.id for prediction in predictions}
    return Run(engine.name, [case for case in cases if case.id in ids], predictions)


def _print(done: Run, comparison: Comparison | None, misses: int, out: Console) -> None:
    parts: list[RenderableType] = [*report.tables({done.engine: score(done.cases, done.predictions)})]
    if misses:
        parts.append(report.misses(judge(done.cases, done.predictions), misses))
    if comparison:
        parts += report.comparison(comparison)
    for part in parts:
        out.print(part, "", sep="\n")


def _as_json(done: Run, comparison: Comparison | None, misses: int) -> dict[str, Any]:
    wrong = [verdict for verdict in judge(done.cases, done.predictions) if not verdict.right]
    return {
        "engine": done.engine,
        "score": score(done.cases, done.predictions).as_json(),
        "misses": [
            {"id": miss.case.id, "instruction": miss.case.query.text, "point": miss.point, "bbox": miss.case.bbox}
            for miss in wrong[:misses]
        ],
        "comparison": comparison.as_json() if comparison else None,
    }
