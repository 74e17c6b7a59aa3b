"""`fingerpost bench`: score an engine on a file of cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fingerpost.app.cli.bench_measurements import BenchCommand
from fingerpost.app.cli.engine_options import engine_name, engine_options, running_options


def _traits(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    parts = [value.partition("=") for value in values]
    for value, (name, _, wanted) in zip(values, parts, strict=True):
        if not name or not wanted:
            raise click.BadParameter(f"{value!r} is not of the form TRAIT=VALUE.", ctx, param)
    return tuple((name, wanted) for name, _, wanted in parts)


FILE = click.Path(path_type=Path)
COUNT = click.IntRange(min=1)


@click.command(cls=BenchCommand, short_help="Score an engine on a file of cases.")
@click.argument("cases", type=FILE)
@engine_options
@running_options
@click.option("--only", metavar="TRAIT=VALUE", multiple=True, callback=_traits, help="Run these cases only; see above.")
@click.option("--limit", metavar="N", type=COUNT, help="Run the first N cases only.")
@click.option("--save", metavar="FILE", type=FILE, help="Write each answer to FILE, one JSON line a case.")
@click.option("--compare", metavar="FILE", type=FILE, help="Show what changed since the run saved in FILE.")
@click.option("--misses", metavar="N", type=click.IntRange(min=0), default=0, help="List the first N wrong answers.")
@click.option("--json", is_flag=True, help="Print all numbers as one JSON object instead of tables.")
def bench(engine: str | None, model: str | None, **options: Any) -> None:
    """Score an engine on the file CASES and print how often it is right, by group, and how fast.

    CASES holds one JSON object a line: an instruction, a picture, and the box of the one element that is meant:

    \b
      {"id": "save-1", "image": "shots/editor.png", "instruction": "the Save button",
       "bbox": [12, 40, 64, 28], "category": "text", "kind": "button", "app": "editor"}

    The path of the image is relative to CASES; bbox is [x, y, width, height] in pixels of the image. A case whose
    element is not on the picture has "absent": true and no bbox: "not found" is right. Further fields are traits to
    group by: category, kind, app, theme, resolution, style and any other.

    Below "Confidence" stands, for each range of the confidence that answers state, how many of them are right; the
    calibration error is the mean distance of the two.

    --only can be given several times: values of the same trait add up, different traits narrow down.

    --save writes {"id", "found", "x", "y", "bbox", "latency_ms", "confidence"} for each case at once. Ctrl-C keeps
    what was done, prints its score and leaves with exit code 130. The latency is that of finding, without loading the
    picture.

    \b
    Examples:
      fingerpost bench cases.jsonl
      fingerpost bench cases.jsonl --only category=icon --only theme=dark --misses 20
      fingerpost bench cases.jsonl --save before.jsonl
      fingerpost bench cases.jsonl --compare before.jsonl
      fingerpost bench cases.jsonl --json > score.json

    Exit codes: 0 all cases were run, 2 wrong use, 3 cannot run, 130 stopped.
    """
    from fingerpost.app.bench import session
    from fingerpost.app.cli.console import CommandConsole

    out, err = CommandConsole(highlight=False), CommandConsole(stderr=True, highlight=False)
    code = session.bench(session.Request(engine=engine_name(engine, model), **options), out, err)
    raise SystemExit(code)
