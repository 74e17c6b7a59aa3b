"""What the user should know about a large model is told when it becomes true: at the start, and when one is chosen."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fingerpost.app.desktop.application import Application
from fingerpost.app.desktop.palette.message import Message
from fingerpost.app.desktop.tray import Tray
from fingerpost.models.gguf.language import write_nemotron_h
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl

PATIENCE_MS = 60_000


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the tray told, in its order."""
    said: list[str] = []
    monkeypatch.setattr(Tray, "tell", lambda tray, title, message: said.append(message))
    return said


@pytest.fixture
def application(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: list[str]
) -> Iterator[Application]:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    with tempfile.TemporaryDirectory(prefix="fp-") as short:  # a socket's path has 107 characters at most
        monkeypatch.setenv("XDG_RUNTIME_DIR", short)
        made = Application(qapp)
        made.engine.start()
        yield made
        made.close()


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pair")
    write_nemotron_v2_vl(folder / "tiny-mmproj.gguf", VisionShape(32, 1, 2, 64, tile=64))
    return write_nemotron_h(folder / "tiny.gguf")


def test_a_model_that_is_chosen_tells_what_is_to_be_known_of_it_as_long_as_it_is_there(
    application: Application, told: list[str], weights: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    def choose(model: str) -> None:
        application.change(replace(application.settings, model=model))

    def tooltip() -> str:
        return application.tray._tray.toolTip()

    choose(str(weights))
    assert "layers" not in tooltip()
    qtbot.waitUntil(lambda: "0 of 11 layers" in tooltip(), timeout=PATIENCE_MS)
    assert len(told) == 1
    assert "0 of 11 layers" in told[0]
    assert "calibrate" in told[0]
    with qtbot.waitSignal(application.engine.ready, timeout=PATIENCE_MS):
        application.engine.restart(f"auto:{weights}", 1)
    assert len(told) == 1  # the same again is no news
    choose(str(tmp_path / "none.gguf"))
    assert "layers" not in tooltip()
    qtbot.waitUntil(lambda: "none.gguf" in tooltip(), timeout=PATIENCE_MS)
    assert len(told) == 2
    with qtbot.waitSignal(application.engine.ready, timeout=PATIENCE_MS):
        choose("")
    assert "none.gguf" not in tooltip()
    assert len(told) == 2


def test_what_is_not_true_of_the_engine_any_more_is_said_nowhere(
    application: Application, tmp_path: Path, qtbot: QtBot
) -> None:
    """In the open settings, and by a palette that is opened later."""
    application.windows.settings()
    notice = application.windows._settings._notice
    said = application.palette.findChildren(Message)[0]
    for engine, model in (("lite", str(tmp_path / "none.gguf")), ("auto", "")):
        application.change(replace(application.settings, engine="auto", model=str(tmp_path / "none.gguf")))
        qtbot.waitUntil(lambda: "none.gguf" in notice.words, timeout=PATIENCE_MS)
        with qtbot.waitSignal(application.engine.ready, timeout=PATIENCE_MS):
            application.change(replace(application.settings, engine=engine, model=model))
        assert notice.words == ""
        application.controller.state_changed.emit("open")
        assert "none.gguf" not in said.accessibleName()
    application.change(replace(application.settings, model=str(tmp_path / "none.gguf")))
    qtbot.waitUntil(lambda: "none.gguf" in notice.words, timeout=PATIENCE_MS)
    application.windows.show_problem("The settings cannot be kept.")
    with qtbot.waitSignal(application.engine.ready, timeout=PATIENCE_MS):
        application.change(replace(application.settings, model=""))
    assert notice.words == "The settings cannot be kept."


def test_without_a_tray_the_palette_says_it_once_when_it_is_opened(
    application: Application, weights: Path, qtbot: QtBot
) -> None:
    assert not application.tray.available
    said = application.palette.findChildren(Message)[0]
    with qtbot.waitSignal(application.engine.ready, timeout=PATIENCE_MS, check_params_cb=lambda event: event.warnings):
        application.change(replace(application.settings, model=str(weights)))
    assert "layers" not in said.accessibleName()
    application.controller.state_changed.emit("open")
    assert "0 of 11 layers" in said.accessibleName()
    application.palette.show_message("")
    application.controller.state_changed.emit("open")
    assert "layers" not in said.accessibleName()
