"""Runs our engine and the baseline over the same cases, and prints both side by side with the CPU time of finding.

python tests/bench/compare.py CASES [--threads 1] [--save FOLDER]
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from baseline import Baseline
from rich.console import Console
from rich.table import Table

from fingerpost.app.bench import report
from fingerpost.app.bench.cases import Case, read_cases, select
from fingerpost.app.bench.predictions import PredictionFile
from fingerpost.app.bench.runner import by_picture, run
from fingerpost.app.bench.score import Score, score
from fingerpost.engine.errors import FingerpostError
from fingerpost.engine.finder import make_engine
from fingerpost.engine.values import Answer, Engine, Frame, Query


class Timed:
    """An engine that counts the CPU seconds its finding takes, all threads together."""

    def __init__(self, engine: Engine) -> None:
        self.name = engine.name
        self.cpu_s = 0.0
        self._engine = engine

    def find(self, frame: Frame, query: Query) -> Answer:
        start = time.process_time()
        try:
            return self._engine.find(frame, query)
        finally:
            self.cpu_s += time.process_time() - start


@dataclass(frozen=True)
class Result:
    """The score of one engine, and the CPU seconds it took for all cases."""

    score: Score
    cpu_s: float


def measure(engine: Engine, cases: tuple[Case, ...], save: Path | None, err: Console) -> Result:
    timed = Timed(engine)
    with report.progress_bar(err) as progress:
        predictions = list(progress.track(run(timed, cases), total=len(cases), description=engine.name))
    if save:
        with PredictionFile(save / f"{engine.name}.jsonl") as file:
            for prediction in predictions:
                file.write(prediction)
    return Result(score(cases, predictions), timed.cpu_s)


def cpu_table(results: dict[str, Result], pictures: int) -> Table:
    table = Table("CPU seconds", *results, title="Cost", title_justify="left", title_style="bold", box=None)
    table.add_row("all cases", *(f"{result.cpu_s:.1f}" for result in results.values()))
    table.add_row("a picture", *(f"{result.cpu_s / pictures:.2f}" for result in results.values()))
    return table


@click.command()
@click.argument("cases", type=click.Path(path_type=Path))
@click.option("--engine", default="lite", show_default=True, help="Our engine.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="CPU threads of each.")
@click.option("--limit", type=click.IntRange(min=1), help="Run the first N cases only.")
@click.option("--save", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Save the answers there.")
@click.option("--json", "as_json", is_flag=True, help="Print all numbers as one JSON object.")
def main(**options: Any) -> None:
    """Score our engine and the baseline on the file CASES."""
    try:
        cases = select(read_cases(options["cases"]), (), options["limit"])
        engines: list[Engine] = [Baseline(options["threads"]), make_engine(options["engine"], options["threads"])]
        results = {e.name: measure(e, cases, options["save"], Console(stderr=True)) for e in engines}
    except FingerpostError as error:
        raise click.ClickException(f"{error.message}\n{error.hint}") from error
    if options["as_json"]:
        print(json.dumps({n: {"cpu_s": r.cpu_s, "score": r.score.as_json()} for n, r in results.items()}, indent=2))
        return
    console = Console(highlight=False)
    for table in report.tables({name: result.score for name, result in results.items()}, difference=True):
        console.print(table, "", sep="\n")
    console.print(cpu_table(results, len(by_picture(cases))))


if __name__ == "__main__":
    main()
