"""`fingerpost bench cache`, `bench memory` and `bench gpu`: measure the large model's engine, not its answers."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from fingerpost.app.cli.engine_options import ModelFile

MODEL = click.option(
    "--model", metavar="NAME", type=ModelFile(), help="A model's GGUF file, its mmproj file beside it, or miniature."
)
THREADS = click.option(
    "--threads", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="CPU threads."
)
ATTENTION = click.option("--flash-attention", is_flag=True, help="Evaluate by flash attention.")
KV_TYPE = click.option(
    "--kv-type", type=click.Choice(("f16", "q8_0", "q4_0")), default="f16", show_default=True,
    help="How keys and values are stored; all but f16 need --flash-attention.",
)  # fmt: skip
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


class BenchCommand(click.Command):
    """`bench` takes a file of cases; in its place, the name of a measurement is a command of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and args[0] in MEASUREMENTS:
            name, *rest = args
            return MEASUREMENTS[name].make_context(f"{info_name} {name}", rest, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(short_help="What keeping the model's state saves.")
@MODEL
@THREADS
@ATTENTION
@KV_TYPE
@click.option("--rounds", metavar="N", type=click.IntRange(min=1), default=3, show_default=True)
@JSON
def cache(model: Path | None, threads: int, flash_attention: bool, kv_type: str, rounds: int, as_json: bool) -> None:
    """Measure what keeping the model's state saves: the same question cold, and on a screen that was seen.

    Without --model a tiny model of random weights is written and measured. Times are medians. The stock way of
    llama-cpp-python, on the same model and screen, stands beside: it shows the model one view of 512 × 512 pixels, a
    fraction of what Fingerpost shows it, and begins anew at each question.

    Exit codes: 0 done, 2 wrong use, 3 cannot run.
    """
    require_llama()
    from fingerpost.app.bench.cache import in_words, measure
    from fingerpost.app.bench.models import tiny_or

    with tiny_or(model) as path:
        result = measure(path, rounds, threads, flash_attention, kv_type)
    click.echo(json.dumps({**asdict(result), "ratio": result.ratio}, indent=2) if as_json else in_words(result))


@click.command(short_help="What a conversation takes in memory.")
@JSON
def memory(as_json: bool) -> None:
    """Measure what a conversation takes in memory: Holotron-12B beside Holo2-8B, at 4k to 128k tokens.

    Layers in the models' own shapes are loaded and measured through llama.cpp; no weights are needed.

    Exit codes: 0 done, 2 wrong use, 3 cannot run.
    """
    require_llama()
    from fingerpost.app.bench.memory import in_words, measure

    result = measure()
    click.echo(json.dumps(result.as_object(), indent=2) if as_json else in_words(result))


@click.command(short_help="Speed and memory on a graphics card.")
@MODEL
@THREADS
@ATTENTION
@KV_TYPE
@JSON
def gpu(model: Path | None, threads: int, flash_attention: bool, kv_type: str, as_json: bool) -> None:
    """Measure the full-size model on a graphics card: loading, tiles, tokens a second, state, memory.

    Beside each stands the least that the bytes alone allow: those of the weights over the speed of the card's memory;
    for loading and the state over its link to the main memory. It is known of cards whose speed is, and only when all
    layers are on one. Tiles and prefill compute far more than they read: they cannot come near it.

    Without --model, random weights of Holotron-12B's shape are written first; that takes 9 GB on the disk for as long
    as it runs.

    Exit codes: 0 done, 2 wrong use, 3 cannot run, also when there is no graphics card.
    """
    require_llama()
    from fingerpost.app.bench.gpu import in_words, measure

    result = measure(model, threads, flash_attention, kv_type)
    click.echo(json.dumps(asdict(result), indent=2) if as_json else in_words(result))


def require_llama() -> None:
    """Raises `EngineError` when the libraries of the large model are not installed."""
    from fingerpost.engine.finder import require_llama as check

    check()


MEASUREMENTS = {command.name: command for command in (cache, memory, gpu) if command.name}
