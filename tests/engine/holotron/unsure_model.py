"""Loaded in the engine's process: a tiny model whose places all count, however unsure it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.runtime import Options, Runtime


def load(name: str, threads: int, progress: Callable[[float], bool]) -> HolotronEngine:
    return HolotronEngine(Runtime(Options(Path(name), n_ctx=2048, threads=threads), progress), least_sure=0.0)
