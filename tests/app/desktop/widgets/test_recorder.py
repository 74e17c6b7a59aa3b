"""The recorder hears real key presses and keeps the old key until a new one is free."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fingerpost.app import text as words
from fingerpost.app.desktop.widgets import recorder as recording
from fingerpost.app.desktop.widgets.keys import held_modifiers, key_name, shown
from fingerpost.app.desktop.widgets.recorder import ChordRecorder
from fingerpost.app.hotkeys.chord import NAMED_KEYS, Chord

MOD = Qt.KeyboardModifier
KEY = Qt.Key
TAKEN = "Another program owns it."


class Asked:
    """Stands for the rest of the application: remembers what was tried, and owns nothing but `taken`."""

    def __init__(self, *taken: str) -> None:
        self.taken = taken
        self.tried: list[str] = []

    def __call__(self, chord: str) -> str | None:
        self.tried.append(chord)
        return TAKEN if chord in self.taken else None


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    QVBoxLayout(made)
    qtbot.addWidget(made)
    return made


def record(window: QWidget, qtbot: QtBot, asked: Asked) -> tuple[ChordRecorder, QPushButton]:
    """A recorder in a window that is shown, and its button."""
    recorder = ChordRecorder("Ctrl+Alt+Space", asked)
    layout = window.layout()
    assert layout is not None
    layout.addWidget(recorder)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    button = recorder.findChild(QPushButton)
    assert isinstance(button, QPushButton)
    return recorder, button


def test_the_button_then_keys_choose_a_new_chord(window: QWidget, qtbot: QtBot) -> None:
    asked = Asked()
    recorder, button = record(window, qtbot, asked)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert recorder.recording
    with qtbot.waitSignal(recorder.chosen) as chosen:
        qtbot.keyClick(button, KEY.Key_F, MOD.ControlModifier | MOD.MetaModifier)
    assert chosen.args == ["Ctrl+Super+F"]
    assert asked.tried == ["Ctrl+Super+F"]
    assert recorder.chord == "Ctrl+Super+F"
    assert not recorder.recording
    assert "Ctrl+Super+F" in recorder.message


def test_a_key_that_another_program_owns_is_told_and_the_old_one_stays(window: QWidget, qtbot: QtBot) -> None:
    recorder, button = record(window, qtbot, Asked("Alt+Space"))
    recorder.start()
    with qtbot.assertNotEmitted(recorder.chosen):
        qtbot.keyClick(button, KEY.Key_Space, MOD.AltModifier)
    assert recorder.message == TAKEN
    assert recorder.chord == "Ctrl+Alt+Space"


def test_a_key_that_typing_needs_is_refused_without_asking_anybody(window: QWidget, qtbot: QtBot) -> None:
    asked = Asked()
    recorder, button = record(window, qtbot, asked)
    recorder.start()
    qtbot.keyClick(button, KEY.Key_A, MOD.ShiftModifier)
    assert asked.tried == []
    assert "Shift+A" in recorder.message
    assert not recorder.recording


ACTIVE_KEYS = [
    (KEY.Key_Tab, "Tab"), (KEY.Key_Return, "Enter"), (KEY.Key_Space, "Space"), (KEY.Key_Left, "Left"),
    (KEY.Key_F4, "F4"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "name"), ACTIVE_KEYS)
def test_keys_that_move_or_press_are_recorded_and_do_nothing_else(
    window: QWidget, qtbot: QtBot, key: Qt.Key, name: str
) -> None:
    recorder, button = record(window, qtbot, Asked())
    recorder.start()
    qtbot.keyClick(button, key, MOD.ControlModifier)
    assert recorder.chord == f"Ctrl+{name}"
    assert button.hasFocus()


def test_modifiers_alone_wait_for_more(window: QWidget, qtbot: QtBot) -> None:
    recorder, button = record(window, qtbot, Asked())
    recorder.start()
    qtbot.keyPress(button, KEY.Key_Control, MOD.ControlModifier)
    qtbot.keyPress(button, KEY.Key_Shift, MOD.ControlModifier | MOD.ShiftModifier)
    qtbot.keyRelease(button, KEY.Key_Shift, MOD.ControlModifier | MOD.ShiftModifier)
    assert recorder.recording
    qtbot.keyClick(button, KEY.Key_K, MOD.ControlModifier)
    assert recorder.chord == "Ctrl+K"


def test_escape_keeps_the_old_chord_and_does_not_reach_the_window(window: QWidget, qtbot: QtBot) -> None:
    recorder, button = record(window, qtbot, Asked())
    recorder.start()
    qtbot.keyClick(button, KEY.Key_Escape)
    assert not recorder.recording
    assert recorder.chord == "Ctrl+Alt+Space"
    assert recorder.message == ""


def test_the_keyboard_is_given_back_when_the_focus_goes(window: QWidget, qtbot: QtBot) -> None:
    recorder, _ = record(window, qtbot, Asked())
    other = QPushButton("other")
    layout = window.layout()
    assert layout is not None
    layout.addWidget(other)
    other.show()
    recorder.start()
    assert QWidget.keyboardGrabber() is not None
    other.setFocus()
    assert not recorder.recording
    assert QWidget.keyboardGrabber() is None


def test_the_keyboard_is_given_back_after_a_while(
    window: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "PATIENCE_MS", 1)
    recorder, _ = record(window, qtbot, Asked())
    recorder.start()
    qtbot.waitUntil(lambda: not recorder.recording)
    assert QWidget.keyboardGrabber() is None


def test_every_key_that_a_chord_can_name_is_recognised() -> None:
    """F13 to F24 have no names in Qt's enumeration that differ; all others are tried by the name Qt gives them."""
    qt_names = {"Enter": "Key_Return", **{name: f"Key_{name}" for name in NAMED_KEYS if name != "Enter"}}
    for name in NAMED_KEYS:
        event = QKeyEvent(QKeyEvent.Type.KeyPress, KEY[qt_names[name]].value, MOD.ControlModifier)
        assert key_name(event) == name
        assert str(Chord.parse("+".join((*held_modifiers(event), name)))) == f"Ctrl+{name}"


@pytest.mark.parametrize(("code", "name"), [(0x2B, "+"), (0xE4, "Ä"), (0x42F, "Я"), (KEY.Key_VolumeUp.value, None)])
def test_characters_of_any_keyboard_are_recognised(code: int, name: str | None) -> None:
    assert key_name(QKeyEvent(QKeyEvent.Type.KeyPress, code, MOD.ControlModifier)) == name


def test_chords_are_shown_as_keyboards_have_them_printed() -> None:
    words.use("de")
    assert shown("Ctrl+Shift+PageUp") == "Strg+Umschalt+Bild↑"
    assert shown("Super+F5") == "Super+F5"
