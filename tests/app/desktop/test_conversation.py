"""From the palette a large model is asked in one conversation: real keys, the real controller and engine's process."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from fingerpost.app.acting import Order, Outcome
from fingerpost.app.desktop import controller as controlling
from fingerpost.app.desktop import engine_link
from fingerpost.app.desktop.controller import Controller
from fingerpost.app.desktop.engine_link import EngineLink
from fingerpost.app.desktop.look import Look
from fingerpost.app.desktop.overlay import Mark, Overlay, OverlayLook
from fingerpost.app.desktop.palette import Palette
from fingerpost.app.desktop.palette.hints import Hints
from fingerpost.app.desktop.theme import LIGHT
from fingerpost.app.settings.values import Settings
from fingerpost.engine.geometry import Layout, Monitor
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.process import Answered, EngineProcess
from fingerpost.engine.session import Session
from fingerpost.engine.values import Answer, Box, Frame, Query
from fingerpost.models.gguf.language import write_nemotron_h
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl

PATIENCE_MS = 30_000
HOLOTRON_TESTS = Path(__file__).parents[2] / "engine" / "holotron"
MONITOR = Monitor(1, "one", Box(0, 0, 800, 800), primary=True)


def noise(seed: int) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 255, (64, 128, 4), np.uint8))


def places(answer: Answer) -> list[tuple[int, int, float]]:
    return [(target.x, target.y, target.confidence) for target in answer.targets]


class Unseen(Overlay):
    """Qt's "offscreen" platform has no windows that clicks fall through."""

    def show(self, marks: Sequence[Mark], look: OverlayLook) -> None:
        pass

    def hide(self) -> None:
        pass

    def hide_and_wait(self) -> bool:
        return True


class Desk:
    """A desktop without a screen: each look is given, each order is carried out at once."""

    def __init__(self, qtbot: QtBot, engine: EngineLink) -> None:
        self._qtbot = qtbot
        self.frame = noise(0)
        self.answers: list[Answered] = []
        self.orders: list[Order] = []
        self.outcome = Outcome("done", "acting.done")
        engine.answered.connect(self.answers.append)
        self.palette = Palette(LIGHT)
        qtbot.addWidget(self.palette)
        self.controller = Controller(Settings(accessibility=False), LIGHT, engine, self.palette, Unseen(), self._actor)

    def look(self, settings: Settings) -> Look:
        return Look(self.frame, Layout((MONITOR,)), MONITOR, (), None, None, None, time.monotonic())

    def _actor(self, stop: threading.Event) -> Callable[[Order], Outcome]:
        def perform(order: Order) -> Outcome:
            self.orders.append(order)
            return self.outcome

        return perform

    def open(self, frame: Frame) -> None:
        """Press the hotkey, with this on the screen."""
        self._qtbot.waitUntil(lambda: self.controller.state == "idle", timeout=PATIENCE_MS)
        self.frame = frame
        self.controller.open()
        self._qtbot.waitUntil(lambda: self.controller.state == "open", timeout=PATIENCE_MS)

    def type(self, words: str) -> Answer:
        """Type on, rest, and wait for the answer."""
        line = self.palette.findChildren(QLineEdit)[0]
        QTest.keyClicks(line, words)
        text = line.text()
        self._qtbot.waitUntil(lambda: bool(self.answers) and self.answers[-1].query == text, timeout=PATIENCE_MS)
        return self.answers[-1].answer

    def enter(self) -> None:
        """Agree to the first place, and wait until it was acted on."""
        line = self.palette.findChildren(QLineEdit)[0]
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            QTest.keyClick(line, key)
        QTest.qWait(round(controlling.SETTLE_S * 1000) + 50)
        QTest.keyClick(line, Qt.Key.Key_Return)
        self._qtbot.waitUntil(lambda: self.controller.state == "idle", timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pair")
    write_nemotron_v2_vl(folder / "tiny-mmproj.gguf", VisionShape(32, 1, 2, 64, tile=64))
    return write_nemotron_h(folder / "tiny.gguf")


@pytest.fixture(scope="module")
def model(weights: Path) -> Iterator[HolotronEngine]:
    """The same model in this process, to compare with."""
    runtime = Runtime(Options(weights, n_ctx=2048))
    yield HolotronEngine(runtime, least_sure=0.0)
    runtime.close()


@pytest.fixture
def desk(qtbot: QtBot, weights: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "path", [str(HOLOTRON_TESTS), *sys.path])
    monkeypatch.setattr(engine_link, "EngineProcess", partial(EngineProcess, factory="unsure_model:load"))
    link = EngineLink(str(weights), 1)
    made = Desk(qtbot, link)
    monkeypatch.setattr(controlling.looking, "take", made.look)
    with qtbot.waitSignal(link.ready, timeout=PATIENCE_MS):
        link.start()
    yield made
    made.controller.shut_down()
    link.close()


def test_a_question_after_a_click_follows_the_one_before_on_a_new_screen(desk: Desk, model: HolotronEngine) -> None:
    first, second = noise(1), noise(2)
    here = Session()
    desk.open(first)
    desk.type("the Sa")
    assert places(desk.type("ve button")) == places(here.find(model, first, Query("the Save button")))
    desk.enter()
    assert len(desk.orders) == 1
    desk.open(second)
    follow_up = Query("the Save button next to it")
    said = places(desk.type(follow_up.text))
    assert said == places(here.find(model, second, follow_up))
    assert said != places(model.find(second, follow_up))
    desk.enter()
    desk.open(second)
    other = desk.type("the other one")
    assert places(other)[0][:2] == said[1][:2]


def test_a_question_that_was_left_is_typed_over(desk: Desk, model: HolotronEngine) -> None:
    frame = noise(3)
    desk.open(frame)
    desk.type("the Save but")
    desk.controller.close()
    desk.open(frame)
    assert places(desk.type("the Save button")) == places(model.find(frame, Query("the Save button")))


def test_words_asked_again_because_the_screen_had_changed_mean_what_they_meant(
    desk: Desk, model: HolotronEngine
) -> None:
    """The click was refused, and the palette opened anew with the same words."""
    frame = noise(4)
    desk.open(frame)
    desk.type("the Save button")
    desk.enter()
    desk.open(frame)
    other = places(desk.type("the other one"))
    desk.outcome = Outcome("refused", "acting.pixels_changed")
    count = len(desk.answers)
    desk.enter()
    desk._qtbot.waitUntil(lambda: len(desk.answers) > count, timeout=PATIENCE_MS)
    assert places(desk.answers[-1].answer) == other


def test_a_question_asked_while_the_model_loads_is_told_how_far_it_is(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "path", [str(HOLOTRON_TESTS.parent / "process"), *sys.path])
    monkeypatch.setattr(engine_link, "EngineProcess", partial(EngineProcess, factory="trial_engines:large"))
    link = EngineLink("auto", 1)
    desk = Desk(qtbot, link)
    monkeypatch.setattr(controlling.looking, "take", desk.look)
    hints = desk.palette.findChildren(Hints)[0]
    statuses: set[str] = set()
    link.loading.connect(lambda event: statuses.add(hints.accessibleDescription()))
    desk.open(noise(1))
    link.start()
    try:
        desk.type("save")
    finally:
        desk.controller.shut_down()
        link.close()
    assert any(re.fullmatch(r"Loading the model: \d+ %", status) for status in statuses)
