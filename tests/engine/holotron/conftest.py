"""Tiny models with random weights, written once for all tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from fingerpost.engine.holotron.llama import Model
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.values import Frame
from fingerpost.models.gguf.language import write_jamba, write_mamba2, write_nemotron_h, write_qwen3
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl

WRITERS: dict[str, Callable[[Path], Path]] = {
    "hybrid": write_nemotron_h,
    "hybrid of Mamba-1": write_jamba,
    "attention": write_qwen3,
    "recurrent": write_mamba2,
}
SMALL_VISION = VisionShape(32, 1, 2, 64, tile=64)


@pytest.fixture(scope="session")
def gguf_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf")


@pytest.fixture(scope="session", params=WRITERS)
def model(request: pytest.FixtureRequest, gguf_folder: Path) -> Iterator[Model]:
    """One of each kind of memory."""
    loaded = Model(WRITERS[request.param](gguf_folder / f"{request.param}.gguf"))
    yield loaded
    loaded.close()


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The language model of a pair: its vision file is beside it, with tiles of 64 pixels."""
    folder = tmp_path_factory.mktemp("pair")
    write_nemotron_v2_vl(folder / "holotron-tiny-mmproj.gguf", SMALL_VISION)
    return write_nemotron_h(folder / "holotron-tiny.gguf")


@pytest.fixture
def runtime(weights: Path) -> Iterator[Runtime]:
    loaded = Runtime(Options(weights, n_ctx=2048))
    yield loaded
    loaded.close()


def noise(seed: int, width: int = 256, height: int = 128) -> Frame:
    """A screen that is like no other."""
    return Frame(np.random.default_rng(seed).integers(0, 255, (height, width, 4), np.uint8))
