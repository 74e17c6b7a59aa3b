"""Many mixed requests to the large model's engine in a row: no growth of memory, no wrong answer, no lost sequence.

python tests/bench/model_soak.py [--requests 1000] [--model FILE] [--json]
"""

from __future__ import annotations

import gc
import json
import random
import resource
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from fingerpost.app.bench.models import tiny_or
from fingerpost.app.bench.synthetic import Screen, change, draw_screen
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.llama import StoppedError
from fingerpost.engine.holotron.runtime import SEQUENCES, Options, Runtime
from fingerpost.engine.session import Session
from fingerpost.engine.values import Answer, Box, Frame, Query

SETTLED = 200
"""Requests after which caches are full; growth is counted from there."""
QUESTIONS = 3  # asked about each screen
MOST_GROWTH_MIB = 4.0
MIB = 1024 * 1024

Places = list[tuple[int, int, float]]
"""x and y of the answers, frame pixels, and how sure the model was of each."""


@dataclass(frozen=True)
class Soak:
    """`settled_mib` and `end_mib`: resident memory after the requests that fill the caches, and after all.
    `wrong_answers`: of those checked, those that a model which has seen nothing else does not give. `leaked_sequences`:
    of the context's, those that hold something of which the cache does not know."""

    requests: int
    answers_checked: int
    wrong_answers: int
    cancelled: int
    turns_acted_on: int
    most_sequences: int
    leaked_sequences: int
    most_host_bytes: int
    most_tile_bytes: int
    settled_mib: float
    end_mib: float

    @property
    def is_well(self) -> bool:
        grown = self.end_mib - self.settled_mib
        return self.wrong_answers == self.leaked_sequences == 0 and grown < MOST_GROWTH_MIB


def soak(
    model: Path,
    requests: int,
    settled: int = SETTLED,
    size: tuple[int, int] = (640, 360),
    n_ctx: int = 4096,
    host_budget: int = 24 * MIB,
    tile_budget: int = 8 * MIB,
    seed: int = 0,
) -> Soak:
    """Screens, changed screens, questions, conversations, looks ahead and cancels, in any order.

    settled  growth is counted from behind so many of the requests
    """
    if settled >= requests:
        raise ValueError(f"of {requests} requests none is behind the {settled} that fill the caches")
    options = Options(model, n_ctx=n_ctx, host_budget=host_budget, tile_budget=tile_budget)
    screens = [draw_screen(*size, 10, number) for number in range(4)]
    expected = cold_answers(options, screens)
    runtime = Runtime(options)
    try:
        fill(runtime)
        return _Requests(runtime, seed, screens, expected).run(requests, settled)
    finally:
        runtime.close()


def cold_answers(options: Options, screens: Sequence[Screen]) -> dict[tuple[int, str], Places]:
    """To all questions about all screens, by the number of the screen and the words; each asked as the first one."""
    runtime = Runtime(options)
    found = {}
    try:
        for number, screen in enumerate(screens):
            for goal in screen.goals[:QUESTIONS]:
                runtime.cache.clear()
                runtime.tiles.clear()
                engine = HolotronEngine(runtime, least_sure=0.0)
                found[number, goal.words] = _places(engine.find(screen.frame, Query(goal.words)))
    finally:
        runtime.close()
    return found


def fill(runtime: Runtime) -> None:
    """Fill each sequence to its end once: llama.cpp reserves memory for that, but the system counts it only when it is
    first used, which with requests alone comes in steps, as longer and longer conversations happen to come."""
    context = runtime.context
    token = runtime.model.tokenize("a")[:1]
    for sequence in range(SEQUENCES):
        context.decode(token * context.options.n_ctx, 0, sequence, want_logits=True)
    context.clear()


class _Requests:
    def __init__(
        self, runtime: Runtime, seed: int, screens: Sequence[Screen], expected: dict[tuple[int, str], Places]
    ) -> None:
        self._runtime = runtime
        self._engine = HolotronEngine(runtime, least_sure=0.0)
        self._chance = random.Random(seed)
        self._screens = screens
        self._expected = expected
        self._talk = Session()
        self._checked = self._wrong = self._cancelled = self._acted = 0

    def run(self, requests: int, settled: int) -> Soak:
        sequences = host = tiles = 0
        settled_mib = 0.0
        for number in range(1, requests + 1):
            self._request()
            sequences = max(sequences, self._runtime.cache.sequences)
            host, tiles = max(host, self._runtime.cache.host_bytes), max(tiles, self._runtime.tiles.bytes)
            if number == settled:
                settled_mib = _resident_mib()
        return Soak(
            requests=requests,
            answers_checked=self._checked,
            wrong_answers=self._wrong,
            cancelled=self._cancelled,
            turns_acted_on=self._acted,
            most_sequences=sequences,
            leaked_sequences=self._leaked(),
            most_host_bytes=host,
            most_tile_bytes=tiles,
            settled_mib=settled_mib,
            end_mib=_resident_mib(),
        )

    def _request(self) -> None:
        kind = self._chance.choice(("ask", "ask", "ask", "changed", "talk", "talk", "look", "cancel", "new talk"))
        number = self._chance.randrange(len(self._screens))
        screen = self._screens[number]
        query = Query(self._chance.choice(screen.goals[:QUESTIONS]).words)
        if kind == "ask":
            self._ask_and_check(number, screen.frame, query)
        elif kind == "changed":
            x, y = self._chance.randrange(screen.frame.width - 20), self._chance.randrange(screen.frame.height - 20)
            self._engine.find(change(screen.frame, Box(x, y, 16, 16)), query)
        elif kind == "talk":
            self._type_and_act(screen.frame, query)
        elif kind == "look":
            self._engine.prefill(screen.frame)
        elif kind == "cancel":
            self._cancel(screen.frame)
        else:
            self._talk = Session()

    def _type_and_act(self, frame: Frame, query: Query) -> None:
        """As from the palette: the line while it is typed, and now and then a click."""
        for text in (query.text[:3], query.text):
            self._talk.find(self._engine, frame, Query(text), typing=True)
        if self._chance.random() < 0.5:
            self._talk.settle(query.text)
            self._acted += 1

    def _leaked(self) -> int:
        held = sum(self._runtime.context.length(sequence) > 0 for sequence in range(SEQUENCES))
        return held - self._runtime.cache.sequences

    def _ask_and_check(self, number: int, frame: Frame, query: Query) -> None:
        self._checked += 1
        self._wrong += _places(self._engine.find(frame, query)) != self._expected[number, query.text]

    def _cancel(self, frame: Frame) -> None:
        left = self._chance.randrange(6)
        calls = iter(range(10_000))
        box = Box(self._chance.randrange(frame.width - 20), self._chance.randrange(frame.height - 20), 9, 9)
        try:
            self._engine.prefill(change(frame, box), stopped=lambda: next(calls) >= left)
        except StoppedError:
            self._cancelled += 1


def _places(answer: Answer) -> Places:
    return [(target.x, target.y, target.confidence) for target in answer.targets]


def _resident_mib() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / MIB


@click.command()
@click.option("--requests", type=click.IntRange(min=SETTLED + 1), default=1000, show_default=True)
@click.option("--model", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Default: a tiny one.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(requests: int, model: Path | None, as_json: bool) -> None:
    """Send mixed requests and print what grew and what went wrong; leaves with 1 when anything did. Linux only."""
    with tiny_or(model) as path:
        result = soak(path, requests)
    if as_json:
        click.echo(json.dumps(asdict(result), indent=2))
    else:
        for name, value in asdict(result).items():
            click.echo(f"{name.replace('_', ' '):18} {value:,}")
    raise SystemExit(0 if result.is_well else 1)


if __name__ == "__main__":
    main()
