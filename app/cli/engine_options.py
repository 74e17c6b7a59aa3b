"""The options that say how the engine runs; `find`, `read` and `bench` share them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

DEVICES = ("auto", "cpu", "cuda")
"""As `engine.lite.devices` has them, which the help text must not load."""


def engine_option(command: Command) -> Command:
    """Adds --engine."""
    return click.option(
        "--engine",
        metavar="NAME",
        default="auto",
        show_default=True,
        help="The engine: auto or lite; auto:FILE.gguf or holotron:FILE.gguf with a large model.",
    )(command)


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
