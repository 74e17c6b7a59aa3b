"""Calibration with models that answer in one convention, as well as they can."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from fingerpost.engine.holotron.calibration import Ask, Known, Said, Shown, Trial, ask_model, calibrate
from fingerpost.engine.holotron.runtime import Runtime
from fingerpost.engine.holotron.tiles import choose_grid
from fingerpost.engine.values import Box, Frame, FrameSize
from fingerpost.models.profiles import profile_for

PROFILE = profile_for("nemotron_h", "holotron")
Write = Callable[[float, float, FrameSize], str]


def screen(width: int, height: int, seed: int) -> Shown:
    chance = random.Random(seed)
    goals = tuple(
        Known(f"button {number}", Box(chance.randint(0, width - 60), chance.randint(0, height - 30), 60, 30))
        for number in range(20)
    )
    return Shown(Frame(np.zeros((height, width, 4), np.uint8)), goals)


SCREENS = (screen(1920, 1080, 1), screen(1366, 768, 2))
WRITES: dict[str, Write] = {
    "thousandths": lambda x, y, sent: f'{{"x": {round(1000 * x)}, "y": {round(1000 * y)}}}',
    "unit": lambda x, y, sent: f'{{"x": {x:.4f}, "y": {y:.4f}}}',
    "pixels": lambda x, y, sent: f"Click({round(x * sent.width)}, {round(y * sent.height)})",
}


def model(write: Write, obeys: bool = False, blur: float = 0.0, sees: int = 12) -> Ask:
    """One that always writes so; `obeys`: as it is asked to. With less than `sees` tiles it guesses."""

    def ask(shown: Shown, asked: str, max_tiles: int) -> list[Said]:
        chance = random.Random(asked)
        sent = choose_grid(shown.frame.size, max_tiles).size
        said = []
        for goal in shown.goals:
            x, y = (goal.box.x + 30) / shown.frame.width, (goal.box.y + 15) / shown.frame.height
            x, y = (min(1, max(0, v + chance.gauss(0, blur if max_tiles >= sees else 0.2))) for v in (x, y))
            said.append(Said(goal, sent, (WRITES[asked] if obeys else write)(x, y, sent)))
        return said

    return ask


def best(ask: Ask, tilings: tuple[int, ...] = (12,)) -> Trial:
    return calibrate(ask, PROFILE, SCREENS, tilings)[0]


@pytest.mark.parametrize("convention", WRITES)
def test_the_convention_of_a_model_is_found(convention: str) -> None:
    trial = best(model(WRITES[convention], blur=0.002))
    assert (trial.asked, trial.read) == (convention, convention)
    assert trial.is_good
    assert trial.hit_rate > 0.9
    assert trial.median_error < 0.01


def test_the_number_of_tiles_with_which_it_sees_best_is_found() -> None:
    trial = best(model(WRITES["unit"], blur=0.002, sees=12), (6, 12))
    assert trial.as_calibration().max_tiles == 12
    assert trial.as_calibration().coordinates == "unit"


def test_a_model_that_writes_as_it_is_asked_gets_a_convention_it_was_asked_in() -> None:
    trial = best(model(WRITES["unit"], obeys=True, blur=0.002))
    assert trial.asked == trial.read
    assert trial.is_good


def test_a_model_that_guesses_is_not_good() -> None:
    assert not any(t.is_good for t in calibrate(model(WRITES["unit"], blur=0.3), PROFILE, SCREENS, (12,)))


def test_a_model_that_says_no_places_misses_all() -> None:
    trial = best(model(lambda x, y, sent: "I see buttons."))
    assert (trial.hit_rate, trial.median_error, trial.answers) == (0.0, 1.0, 40)


def test_every_trial_is_told_when_it_is_done() -> None:
    told: list[Trial] = []
    trials = calibrate(model(WRITES["unit"]), PROFILE, SCREENS, (6, 12), told.append)
    assert sorted(map(repr, told)) == sorted(map(repr, trials))
    assert len(told) == 2 * 3 * 3


def test_a_loaded_model_is_asked_each_target(runtime: Runtime) -> None:
    shown = Shown(Frame(np.zeros((96, 128, 4), np.uint8)), SCREENS[0].goals[:3])
    said = ask_model(runtime)(shown, "unit", 2)
    assert [one.goal for one in said] == list(shown.goals)
    assert ask_model(runtime)(shown, "unit", 2) == said
