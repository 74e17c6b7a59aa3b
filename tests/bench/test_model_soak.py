"""A short run of the soak: nothing goes wrong or grows, and what does is told."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from fingerpost.engine.holotron.llama import Embeddings
from fingerpost.engine.holotron.runtime import SEQUENCES
from fingerpost.engine.holotron.segments import Picture
from fingerpost.engine.holotron.vision import TileCache
from fingerpost.models.gguf.language import Mixer, Shape, write_nemotron_h
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl

SMALL = Shape(64, "M*-M*", 2, 1, 32, 128, Mixer(4, 128, 16, 1))
HOST_BUDGET, TILE_BUDGET = 256 * 1024, 20 * 1024
SHORT: dict[str, Any] = {
    "requests": 40, "settled": 10, "size": (320, 180), "n_ctx": 1024, "host_budget": HOST_BUDGET,
    "tile_budget": TILE_BUDGET,
}  # fmt: skip
"""With so small budgets the caches are full when growth begins to be counted."""


@pytest.fixture
def model_soak(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    import model_soak

    return model_soak


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    write_nemotron_v2_vl(folder / "mmproj.gguf", VisionShape(32, 1, 2, 64, tile=32), SMALL.embedding)
    return write_nemotron_h(folder / "m.gguf", SMALL)


def test_mixed_requests_get_the_answers_of_a_cold_run_within_all_budgets(model_soak: ModuleType, model: Path) -> None:
    result = model_soak.soak(model, **SHORT)
    assert result.requests == 40
    assert result.answers_checked > 2
    assert result.cancelled > 0
    assert result.turns_acted_on > 0
    assert result.is_well
    assert (result.wrong_answers, result.leaked_sequences) == (0, 0)
    assert result.most_sequences <= SEQUENCES
    assert HOST_BUDGET / 2 < result.most_host_bytes <= HOST_BUDGET
    assert TILE_BUDGET / 2 < result.most_tile_bytes <= TILE_BUDGET


def test_memory_that_grows_with_each_request_is_told(
    model_soak: ModuleType, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, request = [], model_soak._Requests._request

    def leaking(requests: object) -> None:
        request(requests)
        kept.append(np.ones(model_soak.MIB, np.uint8))

    monkeypatch.setattr(model_soak._Requests, "_request", leaking)
    result = model_soak.soak(model, **SHORT)
    assert (result.wrong_answers, result.leaked_sequences) == (0, 0)
    assert not result.is_well


def test_an_answer_that_is_wrong_from_the_first_time_on_is_told(
    model_soak: ModuleType, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each tile is taken for the first one since the caches were cleared: only a run that cleared them can tell."""
    embeddings, clear = TileCache.embeddings, TileCache.clear
    first: dict[int, Embeddings] = {}

    def mistaken(cache: TileCache, picture: Picture) -> Embeddings:
        return first.setdefault(id(cache), embeddings(cache, picture))

    def forgetting(cache: TileCache) -> None:
        first.clear()
        clear(cache)

    monkeypatch.setattr(TileCache, "embeddings", mistaken)
    monkeypatch.setattr(TileCache, "clear", forgetting)
    assert model_soak.soak(model, **SHORT).wrong_answers > 0


def test_growth_is_counted_behind_the_requests_that_fill_the_caches(model_soak: ModuleType, model: Path) -> None:
    with pytest.raises(ValueError, match="none is behind"):
        model_soak.soak(model, 25, settled=25)
