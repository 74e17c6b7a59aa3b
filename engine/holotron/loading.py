"""Loads a model file as an engine."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

from fingerpost.engine.holotron.engine import HolotronEngine, Sight
from fingerpost.engine.holotron.llama import ALL_LAYERS
from fingerpost.engine.holotron.runtime import Options, Runtime


class HolotronWarning(UserWarning):
    """The model works, but slower or less surely than it could; one sentence."""


def load(
    model: Path,
    threads: int = 1,
    on_gpu: bool = True,
    sight: Sight | None = None,
    progress: Callable[[float], bool] | None = None,
) -> HolotronEngine:
    """The engine of a model file; its vision file must be beside it.

    Raises `ModelError` when a file is missing or unfit; warns with `HolotronWarning`.
    """
    runtime = Runtime(Options(model, gpu_layers=ALL_LAYERS if on_gpu else 0, threads=threads), progress)
    for warning in runtime.warnings:
        warnings.warn(warning, HolotronWarning, stacklevel=2)
    return HolotronEngine(runtime, sight)
