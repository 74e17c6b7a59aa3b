"""Tiny models with random weights, written once for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost.engine.holotron.llama import Model
from fingerpost.models.gguf.language import write_mamba2, write_nemotron_h, write_qwen3

WRITERS = {"hybrid": write_nemotron_h, "attention": write_qwen3, "recurrent": write_mamba2}


@pytest.fixture(scope="session")
def gguf_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf")


@pytest.fixture(scope="session", params=WRITERS)
def model(request: pytest.FixtureRequest, gguf_folder: Path) -> Iterator[Model]:
    """One of each kind of memory."""
    loaded = Model(WRITERS[request.param](gguf_folder / f"{request.param}.gguf"))
    yield loaded
    loaded.close()
