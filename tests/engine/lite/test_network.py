from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from fingerpost.engine.errors import ModelError
from fingerpost.engine.lite.network import Network
from fingerpost.models import files


def test_a_missing_model_is_one_of_the_engines_errors() -> None:
    with pytest.raises(ModelError) as caught:
        Network("no/such.onnx")
    assert "no/such.onnx" in caught.value.message


def test_a_model_that_onnx_runtime_refuses_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"not a network"
    (tmp_path / "net.onnx").write_bytes(content)
    (tmp_path / "digests.txt").write_text(f"{hashlib.sha256(content).hexdigest()}  net.onnx\n", encoding="utf-8")
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    files._digests.cache_clear()
    try:
        with pytest.raises(ModelError) as caught:
            Network("net.onnx")
    finally:
        files._digests.cache_clear()
    assert caught.value.message == "ONNX Runtime refuses the model file net.onnx."


def test_a_network_answers_one_step_in_eight_pixels() -> None:
    answer = Network("ocr/rec.onnx")(np.zeros((2, 3, 48, 64), np.float32))
    assert answer.shape == (2, 8, 6906)
    assert answer.sum(axis=2) == pytest.approx(1, abs=1e-3)
