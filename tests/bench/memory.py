"""Resident memory of our engine over many different screens: it must stay flat. Linux only.

python tests/bench/memory.py [PICTURE ...] [--screens 200] [--json]
"""

from __future__ import annotations

import json
import random
import resource
from pathlib import Path

import click
import screens

from fingerpost.engine.finder import make_engine
from fingerpost.engine.values import Query

EVERY = 20  # screens between two looks at the memory
SETTLED = 0.25  # share of the screens after which caches are full; the growth is counted from there


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


@click.command()
@click.argument("pictures", type=click.Path(path_type=Path, exists=True, dir_okay=False), nargs=-1)
@click.option("--screens", "count", type=click.IntRange(min=4), default=200, show_default=True)
@click.option("--size", type=(int, int), default=(1280, 800), show_default=True, help="Width and height of a screen.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(pictures: tuple[Path, ...], count: int, size: tuple[int, int], as_json: bool) -> None:
    """Show the engine variations of PICTURES, each different, and print its memory in MB."""
    rng = random.Random(0)
    engine = make_engine("lite", threads=1)
    bases = [screens.load(path, *size) for path in pictures or (screens.SHIPPED,)]
    settled, memory = round(count * SETTLED), dict[int, float]()
    for number in range(1, count + 1):
        engine.find(screens.variation(rng.choice(bases), rng), Query('the button "Save"'))
        if number % EVERY == 0 or number in (1, settled, count):
            memory[number] = resident_mb()
            if not as_json:
                print(f"after {number:4} screens  {memory[number]:7.1f} MB", flush=True)
    growth = memory[count] - memory[settled]
    if as_json:
        print(json.dumps({"resident_mb": memory, "from": settled, "to": count, "growth_mb": growth}, indent=2))
    else:
        print(f"from {settled} to {count} screens  {growth:+7.1f} MB")


if __name__ == "__main__":
    main()
