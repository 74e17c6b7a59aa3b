"""The history window shows a real history, finds entries as one types, and removes what it is told to."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMessageBox, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from fingerpost.app import text as words
from fingerpost.app.desktop.history_window import HistoryWindow, describe
from fingerpost.app.desktop.history_window.detail import Picture
from fingerpost.app.history.store import History
from fingerpost.app.history.values import OUTCOMES, Entry
from fingerpost.app.text import LANGUAGES, text

KEY = Qt.Key


def png(colour: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (200, 120), colour).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    made = History(tmp_path / "history.sqlite")
    yield made
    made.close()


@pytest.fixture
def window(qtbot: QtBot, history: History) -> HistoryWindow:
    now = datetime.now(UTC)
    for hours, query in enumerate(("Öffnen", "save as", "the second tab")):
        time = now - timedelta(hours=hours)
        history.add(
            Entry(query=query, label=query.title(), found=True, time=time, outcome="done", picture=png("#ff0000"))
        )
    made = HistoryWindow(history)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def table(window: HistoryWindow) -> QTableView:
    found = window.findChild(QTableView)
    assert isinstance(found, QTableView)
    return found


def search(window: HistoryWindow) -> QLineEdit:
    found = window.findChild(QLineEdit)
    assert isinstance(found, QLineEdit)
    return found


def button(window: HistoryWindow, key: str) -> QPushButton:
    return next(one for one in window.findChildren(QPushButton) if one.text() == text(key))


def shown(window: HistoryWindow) -> list[str]:
    return [entry.query for entry in window.entries]


def labels(window: HistoryWindow) -> list[str]:
    return [one.text() for one in window.findChildren(QLabel) if one.isVisible()]


def answer(caption: str) -> None:
    """Press a button of the question that is open."""
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    next(one for one in box.buttons() if one.text() == caption).click()


def test_the_newest_entry_is_on_top(window: HistoryWindow) -> None:
    assert shown(window) == ["Öffnen", "save as", "the second tab"]
    assert text("history.count", count=3) in labels(window)


def test_typing_finds_entries_at_once(window: HistoryWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(search(window), "offn")
    assert shown(window) == ["Öffnen"]
    qtbot.keyClicks(search(window), "zz")
    assert shown(window) == []
    assert text("history.no_match") in labels(window)


def test_the_keyboard_alone_chooses_and_deletes(window: HistoryWindow, qtbot: QtBot, history: History) -> None:
    qtbot.keyClick(search(window), KEY.Key_Down)
    assert table(window).hasFocus()
    qtbot.keyClick(table(window), KEY.Key_Down)
    assert window.current is not None
    assert window.current.query == "save as"
    qtbot.keyClick(table(window), KEY.Key_Delete)
    assert shown(window) == ["Öffnen", "the second tab"]
    assert window.current.query == "the second tab"
    assert history.search("save as") == ()


def test_a_click_on_a_row_shows_it_in_full_with_its_picture(window: HistoryWindow, qtbot: QtBot) -> None:
    rows = table(window)
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(rows.model().index(1, 2)).center())
    assert window.current is not None
    assert window.current.query == "save as"
    assert describe.full_time(window.current) in labels(window)
    picture = next(one for one in window.findChildren(Picture) if one.isVisible())
    assert picture.grab().toImage().pixelColor(30, 30).name() == "#ff0000"


def test_the_thumbnail_of_a_row_is_its_picture(window: HistoryWindow) -> None:
    rows = table(window)
    QApplication.processEvents()
    spot = rows.visualRect(rows.model().index(0, 0)).center()
    assert rows.viewport().grab().toImage().pixelColor(spot).name() == "#ff0000"


def test_clearing_asks_first_and_then_leaves_an_explanation(
    window: HistoryWindow, qtbot: QtBot, history: History
) -> None:
    QTimer.singleShot(0, lambda: answer(text("settings.cancel")))
    qtbot.mouseClick(button(window, "history.clear"), Qt.MouseButton.LeftButton)
    assert history.count() == 3
    QTimer.singleShot(0, lambda: answer(text("history.clear_yes")))
    with qtbot.waitSignal(window.cleared):
        qtbot.mouseClick(button(window, "history.clear"), Qt.MouseButton.LeftButton)
    assert history.count() == 0
    assert text("history.empty") in labels(window)
    assert not button(window, "history.delete").isEnabled()


def test_enter_in_the_question_keeps_the_history(window: HistoryWindow, qtbot: QtBot, history: History) -> None:
    QTimer.singleShot(0, lambda: qtbot.keyClick(QApplication.activeModalWidget(), KEY.Key_Return))
    qtbot.mouseClick(button(window, "history.clear"), Qt.MouseButton.LeftButton)
    assert history.count() == 3


def test_a_new_entry_appears_and_the_chosen_one_stays(window: HistoryWindow, history: History) -> None:
    table(window).selectRow(1)
    history.add(Entry(query="new"))
    window.refresh()
    assert shown(window)[0] == "new"
    assert window.current is not None
    assert window.current.query == "save as"


def test_escape_empties_the_search_and_then_closes(window: HistoryWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(search(window), "save")
    qtbot.keyClick(search(window), KEY.Key_Escape)
    assert search(window).text() == ""
    assert window.isVisible()
    qtbot.keyClick(search(window), KEY.Key_Escape)
    assert not window.isVisible()


def test_a_history_that_cannot_be_read_is_one_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "history.sqlite").mkdir()
    window = HistoryWindow(History(tmp_path / "history.sqlite"))
    qtbot.addWidget(window)
    window.show()
    assert any(str(tmp_path) in label for label in labels(window))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_outcome_has_words_and_a_sign_of_its_own(language: str) -> None:
    words.use(language)
    entries = [Entry(query="x", outcome=outcome) for outcome in OUTCOMES]
    assert len({describe.outcome(entry) for entry in entries}) == len(OUTCOMES)
    assert len({describe.sign(entry) for entry in entries}) == len(OUTCOMES)


def test_times_are_written_in_the_language_in_use() -> None:
    entry = Entry(query="x", time=datetime(2026, 3, 9, 14, 3).astimezone())
    words.use("de")
    assert describe.when(entry, date(2026, 3, 9)) == "Heute, 14:03"
    assert describe.when(entry, date(2026, 3, 10)) == "Gestern, 14:03"
    assert describe.when(entry, date(2026, 3, 20)) == "09.03.26, 14:03"
    assert describe.full_time(entry) == "Montag, 9. März 2026, 14:03"
