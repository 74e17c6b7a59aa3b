"""Runs an engine over cases."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from fingerpost.app.bench.cases import Case
from fingerpost.app.bench.predictions import Prediction, from_answer
from fingerpost.engine import pictures
from fingerpost.engine.values import Engine


def run(engine: Engine, cases: Iterable[Case]) -> Iterator[Prediction]:
    """The engine's answer to each case, as soon as it is there.

    The cases of a picture come one after another, so that it is loaded once and an engine that remembers the screen
    shows it; pictures come in the order of their first case. The latency is that of `Engine.find` alone.
    Raises `ImageError` when a picture cannot be read, and what the engine raises.
    """
    for image, group in by_picture(cases).items():
        frame = pictures.load(image)
        for case in group:
            start = time.perf_counter()
            answer = engine.find(frame, case.query)
            yield from_answer(case.id, answer, (time.perf_counter() - start) * 1000)


def by_picture(cases: Iterable[Case]) -> dict[Path, list[Case]]:
    """The cases of each picture, both in the order given."""
    groups: dict[Path, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.image, []).append(case)
    return groups
