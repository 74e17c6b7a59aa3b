"""Training goes on where it was stopped."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from fingerpost.models.miniature.training import batches

torch, training = (
    pytest.importorskip(name, reason="PyTorch is not installed, which only training needs: fingerpost[training]")
    for name in ("torch", "fingerpost.models.miniature.training.train")
)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "SHARES", {1: 0.5, 3: 0.5})
    monkeypatch.setattr(batches, "AT_ONCE", {1: 1, 3: 1})
    monkeypatch.setattr(batches, "FULL_AT_ONCE", 2)
    monkeypatch.setattr(training, "KEEP", 2)


def trained(folder: Path, steps: int) -> Any:
    """After so many steps, of which the first only looks; stopped with its state kept."""
    folder.mkdir(exist_ok=True)
    made = training.Training(folder, training.Schedule(1, 3, 1e-3), 0, 1, "cpu")
    screens = batches.batches(training.SEED, made.step, 0, 1, 1)
    while made.step < steps:
        made._learn(next(screens))
    made._keep()
    return made


def test_stopped_and_started_again_it_learns_the_same_as_in_one_go(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", 4)
    trained(tmp_path / "parts", 2)
    parts = trained(tmp_path / "parts", 4)
    assert parts.step == whole.step == 4
    for name, values in whole.network.state_dict().items():
        assert torch.equal(values, parts.network.state_dict()[name]), name
    for name, values in whole.average.state_dict().items():
        assert torch.equal(values, parts.average.state_dict()[name]), name


def test_what_it_learns_lessens_the_loss_on_what_it_was_shown(tmp_path: Path) -> None:
    batch = batches.drawn_batch(random.Random(1), 1)
    made = training.Training(tmp_path, training.Schedule(0, 1000, 1e-3), 0, 1, "cpu")
    made.step = training.WARM_UP
    before = float(training.losses(made.network, made.helpers, batch).total.detach())
    for _ in range(8):
        made._learn(batch)
    assert float(training.losses(made.network, made.helpers, batch).total.detach()) < 0.9 * before
