"""Loads a model file as an engine, with what the user's environment says about it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from fingerpost.engine.errors import UsageError
from fingerpost.engine.holotron.engine import HolotronEngine, Sight
from fingerpost.engine.holotron.llama import ALL_LAYERS
from fingerpost.engine.holotron.runtime import Options, Runtime

CONTEXT = "FINGERPOST_CONTEXT"
"""Tokens that a conversation may have, the screen among them."""
CONTEXTS = range(256, 100_000_000)
"""Less has no room for a screen, and of too few tokens llama.cpp makes no context, but ends the process."""
FLASH_ATTENTION = "FINGERPOST_FLASH_ATTENTION"
"""1 or 0."""
KV_TYPE = "FINGERPOST_KV_TYPE"
"""One of `llama.KV_TYPES`."""


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

    Raises `ModelError` when a file is missing or unfit, and `UsageError` for such an environment variable; warns with
    `HolotronWarning`.
    """
    runtime = Runtime(options(model, threads, on_gpu, os.environ), progress)
    for warning in runtime.warnings:
        warnings.warn(warning, HolotronWarning, stacklevel=2)
    return HolotronEngine(runtime, sight)


def options(model: Path, threads: int, on_gpu: bool, environment: Mapping[str, str]) -> Options:
    """What to load; the environment's variables may change it, empty ones do not.

    Raises `UsageError` for a value that makes no sense.
    """
    usual = Options(model, gpu_layers=ALL_LAYERS if on_gpu else 0, threads=threads)
    switch = environment.get(FLASH_ATTENTION) or "0"
    context = environment.get(CONTEXT) or str(usual.n_ctx)
    if switch not in {"0", "1"}:
        raise UsageError(f"{FLASH_ATTENTION} is {switch!r}.", "Set it to 1 or 0.")
    if not context.isdecimal() or len(context) > len(str(CONTEXTS.stop)) or int(context) not in CONTEXTS:
        hint = f"Set it to a number of tokens from {CONTEXTS.start} on, such as {usual.n_ctx}."
        raise UsageError(f"{CONTEXT} is {context[:20]!r}.", hint)
    kv_type = environment.get(KV_TYPE) or usual.kv_type
    return replace(usual, n_ctx=int(context), flash_attention=switch == "1", kv_type=kv_type)
