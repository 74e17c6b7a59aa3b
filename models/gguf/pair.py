"""Both files of a model by the name of its shape."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fingerpost.models.gguf.language import write_nemotron_h
from fingerpost.models.gguf.vision import write_nemotron_v2_vl


@dataclass(frozen=True)
class Pair:
    """The files of the language model and of its vision projector."""

    model: Path
    vision: Path


def write_pair(shape: str, folder: Path) -> Pair:
    """Write a model of random weights."""
    folder.mkdir(parents=True, exist_ok=True)
    vision = write_nemotron_v2_vl(folder / "holotron-tiny-mmproj.gguf")
    return Pair(write_nemotron_h(folder / "holotron-tiny.gguf"), vision)
