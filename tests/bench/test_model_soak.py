"""A short run of the soak: what it counts must be right, and nothing may go wrong or grow without bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingerpost.engine.holotron.runtime import SEQUENCES
from fingerpost.models.gguf.language import write_nemotron_h
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl


def test_mixed_requests_get_right_answers_within_all_budgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    import model_soak

    write_nemotron_v2_vl(tmp_path / "mmproj.gguf", VisionShape(32, 1, 2, 64, tile=32))
    result = model_soak.soak(write_nemotron_h(tmp_path / "m.gguf"), 25, size=(320, 180), n_ctx=2048)
    assert result.requests == 25
    assert result.answers_checked > 2
    assert result.cancelled > 0
    assert result.turns_acted_on > 0
    assert result.is_well
    assert (result.wrong_answers, result.leaked_sequences) == (0, 0)
    assert result.most_sequences <= SEQUENCES
    assert result.most_host_bytes <= 24 * model_soak.MIB
    assert result.most_tile_bytes <= 8 * model_soak.MIB
