"""Time of our engine on one 1920x1080 screen, beside the baseline's in the same run; one thread each.

python tests/bench/speed.py [PICTURE] [--other PICTURE] [--rounds 3] [--json]
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import screens
from baseline import Baseline
from rich.console import Console
from rich.table import Table

from fingerpost.engine.finder import make_engine
from fingerpost.engine.values import Frame, Query

WIDTH, HEIGHT = 1920, 1080
CHANGED, PARTS = 0.05, 5  # share of the screen that changes, in so many places
QUERY = Query('the button "Save"')


@dataclass(frozen=True)
class Cost:
    """Seconds of one call: CPU time of all threads, and wall time."""

    cpu_s: float
    wall_s: float


def cost(call: Callable[[], object]) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return Cost(time.process_time() - cpu, time.perf_counter() - wall)


def median(costs: list[Cost]) -> Cost:
    return Cost(statistics.median(c.cpu_s for c in costs), statistics.median(c.wall_s for c in costs))


def measure_ours(frame: Frame, other: Frame, seed: int) -> dict[str, Cost]:
    """A new engine each time. The first look is at something else, so that loading the models does not count."""
    engine = make_engine("lite", threads=1)
    engine.find(screens.load(screens.SHIPPED, 320, 200), QUERY)
    again = Frame(frame.pixels.copy())
    changed = screens.with_parts_of(frame, other, CHANGED, PARTS, random.Random(seed))
    return {
        "first find": cost(lambda: engine.find(frame, QUERY)),
        "same screen again": cost(lambda: engine.find(again, QUERY)),
        f"{CHANGED:.0%} changed": cost(lambda: engine.find(changed, QUERY)),
    }


def measure(frame: Frame, other: Frame, rounds: int) -> dict[str, Cost]:
    """The median cost of each thing, the baseline's first."""
    baseline = Baseline(threads=1)
    baseline.read(Frame(np.full((200, 320, 4), 255, np.uint8)))
    costs: dict[str, list[Cost]] = {}
    for seed in range(rounds):
        costs.setdefault("baseline", []).append(cost(lambda: baseline.read(frame)))
        for name, value in measure_ours(frame, other, seed).items():
            costs.setdefault(name, []).append(value)
    return {name: median(values) for name, values in costs.items()}


@click.command()
@click.argument("picture", type=click.Path(path_type=Path, exists=True, dir_okay=False), default=screens.SHIPPED)
@click.option("--other", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Changes come from here.")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="Medians of so many rounds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(picture: Path, other: Path | None, rounds: int, as_json: bool) -> None:
    """Measure on PICTURE; one of another size is cut or repeated to 1920x1080.

    What changes on the screen are parts of another picture, or of the same upside down.
    """
    frame = screens.load(picture, WIDTH, HEIGHT)
    costs = measure(frame, screens.load(other, WIDTH, HEIGHT) if other else screens.turned(frame), rounds)
    unit = costs["baseline"].cpu_s
    if as_json:
        fields = {n: {"cpu_s": c.cpu_s, "wall_s": c.wall_s, "ratio": c.cpu_s / unit} for n, c in costs.items()}
        print(json.dumps(fields, indent=2))
        return
    table = Table("", "CPU s", "wall s", "CPU, ratio", title=f"{picture.name}, {WIDTH}x{HEIGHT}", box=None)
    for name, value in costs.items():
        table.add_row(name, f"{value.cpu_s:.3f}", f"{value.wall_s:.3f}", f"{value.cpu_s / unit:.4f}")
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main()
