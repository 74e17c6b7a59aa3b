"""The fitting of the confidence, on answers drawn from a known model."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

TRUTH = np.array([3.0, 4.0, 2.0])
"""A constant and two weights."""


@pytest.fixture(scope="module")
def calibrate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("calibrate", Path(__file__).with_name("calibrate.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["calibrate"] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


def drawn(calibrate: ModuleType, truth: Any, count: int = 4000) -> list[Any]:
    rng = np.random.default_rng(5)
    against = rng.random((count, 2))
    right = rng.random(count) < 1 / (1 + np.exp(-(truth[0] - against @ truth[1:])))
    return [
        calibrate.Sample("text", f"app {i % 14}", tuple(row), bool(ok), 1.0)
        for i, (row, ok) in enumerate(zip(against, right, strict=True))
    ]


def test_the_weights_that_answers_were_drawn_from_are_found_again(calibrate: ModuleType) -> None:
    assert calibrate.fit(drawn(calibrate, TRUTH)) == pytest.approx(TRUTH, abs=0.6)


def test_a_weight_never_turns_negative(calibrate: ModuleType) -> None:
    fitted = calibrate.fit(drawn(calibrate, np.array([0.5, 3.0, -3.0])))
    assert fitted[1] > 1
    assert fitted[2] == 0


def test_on_programs_left_out_the_error_is_small(calibrate: ModuleType) -> None:
    found = drawn(calibrate, TRUTH)
    stated = calibrate.held_out(found)
    assert len(stated) == len(found)
    assert calibrate.calibration_error(stated) < 0.05


def test_a_boast_has_its_distance_to_the_truth_as_error(calibrate: ModuleType) -> None:
    found = drawn(calibrate, TRUTH)
    share = sum(one.right for one in found) / len(found)
    assert calibrate.calibration_error([(0.99, one) for one in found]) == pytest.approx(0.99 - share)
