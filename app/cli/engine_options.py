"""The options that say how the engine runs; `find`, `read` and `bench` share them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

DEVICES = ("auto", "cpu", "cuda")
"""As `engine.lite.devices` has them, which the help text must not load."""


class ModelFile(click.Path):
    """A model's GGUF file that is there, or `miniature`; the command gets its `Path`."""

    name = "model"

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Raises `ModelError` when the model that ships is missing or damaged."""
        from fingerpost.engine.finder import model_file

        return super().convert(model_file(str(value)), param, ctx)


def engine_options(command: Command) -> Command:
    """Adds --engine and --model; `engine_name` makes one name of both."""
    engine = click.option(
        "--engine",
        metavar="NAME",
        help="The engine: auto (the default) or lite; auto:FILE.gguf or holotron:FILE.gguf with a large model.",
    )
    model = click.option(
        "--model",
        metavar="NAME",
        help="The large model that answers: a GGUF file, or miniature, the small one that ships for trying it out.",
    )
    return engine(model(command))


def engine_name(engine: str | None, model: str | None) -> str:
    """What `make_engine` calls it: with a model and no engine named, the model alone answers.

    Raises `click.UsageError` when both name a model, and for an empty name, such as that of an unset variable.
    """
    if model is None:
        return engine or "auto"
    if not model.strip():
        raise click.UsageError("--model names no model: give a GGUF file, or miniature.")
    if engine and ":" in engine:
        raise click.UsageError(f"--engine {engine} names a model, and --model {model} another one.")
    return f"{engine or 'holotron'}:{model}"


def running_options(command: Command) -> Command:
    """Adds --threads and --device."""
    threads = click.option(
        "--threads", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="CPU threads."
    )
    device = click.option(
        "--device",
        type=click.Choice(DEVICES),
        default="auto",
        show_default=True,
        help="Where the networks run. auto is the CPU: for networks so small it can be faster than a graphics card.",
    )
    return threads(device(command))
