"""Many mixed requests to the large model's engine in a row: no growth of memory, no wrong answer, no lost sequence.

python tests/bench/model_soak.py [--requests 1000] [--model FILE] [--json]
"""

from __future__ import annotations

import gc
import json
import random
import resource
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from fingerpost.app.bench.models import tiny_or
from fingerpost.app.bench.synthetic import Screen, change, draw_screen
from fingerpost.engine.holotron.conversation import Conversation
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.llama import StoppedError
from fingerpost.engine.holotron.runtime import SEQUENCES, Options, Runtime
from fingerpost.engine.values import Answer, Box, Frame, Query

SETTLED = 0.3
"""Share of the requests after which caches are full; growth is counted from there."""
MIB = 1024 * 1024


@dataclass(frozen=True)
class Soak:
    """`growth_mib` of resident memory from `SETTLED` to the end."""

    requests: int
    answers_checked: int
    wrong_answers: int
    cancelled: int
    most_sequences: int
    most_host_bytes: int
    most_tile_bytes: int
    growth_mib: float


def soak(model: Path, requests: int, seed: int = 0, size: tuple[int, int] = (640, 360), n_ctx: int = 4096) -> Soak:
    """Screens, changed screens, questions, conversations, looks ahead and cancels, in any order."""
    runtime = Runtime(Options(model, n_ctx=n_ctx, host_budget=24 * MIB, tile_budget=8 * MIB))
    try:
        return _Requests(runtime, seed, size).run(requests)
    finally:
        runtime.close()


class _Requests:
    def __init__(self, runtime: Runtime, seed: int, size: tuple[int, int]) -> None:
        self._runtime = runtime
        self._engine = HolotronEngine(runtime, least_sure=0.0)
        self._chance = random.Random(seed)
        self._screens: list[Screen] = [draw_screen(*size, 10, number) for number in range(4)]
        self._known: dict[tuple[int, str], list[tuple[int, int, float]]] = {}
        self._talk: Conversation = self._engine.converse()
        self._checked = self._wrong = self._cancelled = 0

    def run(self, requests: int) -> Soak:
        sequences = host = tiles = 0
        settled = 0.0
        for number in range(requests):
            self._request()
            sequences = max(sequences, self._runtime.cache.sequences)
            host, tiles = max(host, self._runtime.cache.host_bytes), max(tiles, self._runtime.tiles.bytes)
            if number == round(requests * SETTLED):
                gc.collect()
                settled = _resident_mib()
        gc.collect()
        growth = _resident_mib() - settled
        return Soak(requests, self._checked, self._wrong, self._cancelled, sequences, host, tiles, growth)

    def _request(self) -> None:
        kind = self._chance.choice(("ask", "ask", "ask", "changed", "talk", "talk", "look", "cancel", "new talk"))
        number = self._chance.randrange(len(self._screens))
        screen = self._screens[number]
        query = Query(self._chance.choice(screen.goals[:3]).words)
        if kind == "ask":
            self._ask_and_check(number, screen.frame, query)
        elif kind == "changed":
            x, y = self._chance.randrange(screen.frame.width - 20), self._chance.randrange(screen.frame.height - 20)
            self._engine.find(change(screen.frame, Box(x, y, 16, 16)), query)
        elif kind == "talk":
            self._engine.find(screen.frame, query, conversation=self._talk)
        elif kind == "look":
            self._engine.prefill(screen.frame)
        elif kind == "cancel":
            self._cancel(screen.frame)
        else:
            self._talk = self._engine.converse()

    def _ask_and_check(self, number: int, frame: Frame, query: Query) -> None:
        """The first answer to a question is what all later ones must be."""
        places = _places(self._engine.find(frame, query))
        expected = self._known.setdefault((number, query.text), places)
        self._checked += 1
        self._wrong += places != expected

    def _cancel(self, frame: Frame) -> None:
        left = self._chance.randrange(6)
        calls = iter(range(10_000))
        box = Box(self._chance.randrange(frame.width - 20), self._chance.randrange(frame.height - 20), 9, 9)
        try:
            self._engine.prefill(change(frame, box), stopped=lambda: next(calls) >= left)
        except StoppedError:
            self._cancelled += 1


def _places(answer: Answer) -> list[tuple[int, int, float]]:
    return [(target.x, target.y, target.confidence) for target in answer.targets]


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / MIB


@click.command()
@click.option("--requests", type=click.IntRange(min=10), default=1000, show_default=True)
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
    is_well = result.wrong_answers == 0 and result.most_sequences <= SEQUENCES and result.growth_mib < 32
    raise SystemExit(0 if is_well else 1)


if __name__ == "__main__":
    main()
