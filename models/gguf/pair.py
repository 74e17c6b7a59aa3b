"""Both files of a model, by the name of its shape."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fingerpost.models.gguf.language import HOLOTRON_12B, q4_k_m, write_nemotron_h
from fingerpost.models.gguf.vision import RADIO_H, bf16, write_nemotron_v2_vl

SHAPES = {
    "tiny": "Holotron-12B's architecture, a few megabytes: for tests",
    "holotron-12b": "Holotron-12B's full size, 9 GB: to measure speed and memory without the weights",
}


@dataclass(frozen=True)
class Pair:
    """The files of the language model and of its vision projector."""

    model: Path
    vision: Path


def write_pair(shape: str, folder: Path) -> Pair:
    """Write a model of random weights, one of `SHAPES`. Less than a gigabyte of memory is needed for any of them."""
    folder.mkdir(parents=True, exist_ok=True)
    model, vision = folder / f"{_NAMES[shape]}.gguf", folder / f"{_NAMES[shape]}-mmproj.gguf"
    if shape == "tiny":
        return Pair(write_nemotron_h(model), write_nemotron_v2_vl(vision))
    width = HOLOTRON_12B.embedding
    write_nemotron_v2_vl(vision, RADIO_H, width, kind_of=bf16)
    return Pair(write_nemotron_h(model, HOLOTRON_12B, kind_of=q4_k_m), vision)


_NAMES = {"tiny": "holotron-tiny", "holotron-12b": "holotron-12b-random-Q4_K_M"}
