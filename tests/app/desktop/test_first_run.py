"""The first-run page: its practice can be found and recognises success, its recorder helps where the key is taken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from fingerpost.app import text as words
from fingerpost.app.desktop import theme
from fingerpost.app.desktop.first_run import FirstRun
from fingerpost.app.desktop.widgets.recorder import ChordRecorder
from fingerpost.app.settings.values import Settings
from fingerpost.app.text import LANGUAGES, text
from fingerpost.engine import pictures
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.values import Query

TAKEN = "Another program owns Ctrl+Alt+Space."


def checks() -> list[tuple[str, str, str]]:
    return [("Capture", "ok", "works here"), ("Click", "missing", "not here")]


def first_run(qtbot: QtBot, problem: str | None = None) -> FirstRun:
    page = FirstRun(Settings(), lambda _chord: None, checks, problem)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    return page


@pytest.fixture
def page(qtbot: QtBot) -> FirstRun:
    return first_run(qtbot)


def button(page: FirstRun, caption: str) -> QPushButton:
    return next(one for one in page.findChildren(QPushButton) if one.text() == caption)


def labels(page: FirstRun) -> list[str]:
    return [one.text() for one in page.findChildren(QLabel) if one.isVisible()]


def click(qtbot: QtBot, target: QPushButton) -> None:
    qtbot.mouseClick(target, Qt.MouseButton.LeftButton)


def test_the_task_names_the_key_and_what_to_type(page: FirstRun) -> None:
    assert text("first_run.task", hotkey="Ctrl+Alt+Space", query=page.practice.query) in labels(page)


def test_a_click_on_the_wanted_button_is_recognised_once(page: FirstRun, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.practice.succeeded):
        click(qtbot, button(page, page.practice.query))
    assert page.practice.done
    assert page.practice.message == text("first_run.success")
    with qtbot.assertNotEmitted(page.practice.succeeded):
        click(qtbot, button(page, page.practice.query))


def test_another_button_is_told_and_is_no_success(page: FirstRun, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(page.practice.succeeded):
        click(qtbot, button(page, text("first_run.drink_coffee")))
    assert not page.practice.done
    assert text("first_run.drink_coffee") in page.practice.message


def test_try_it_now_asks_for_the_palette(page: FirstRun, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.try_it):
        click(qtbot, button(page, text("first_run.try_it")))


def test_what_does_not_work_here_is_shown_and_the_rest_on_demand(page: FirstRun, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "not here" in labels(page))
    assert "works here" not in labels(page)
    click(qtbot, button(page, text("settings.about.show_all")))
    qtbot.waitUntil(lambda: {"works here", "not here"} <= set(labels(page)))


def test_a_taken_key_is_told_with_the_way_around_it(qtbot: QtBot) -> None:
    page = first_run(qtbot, TAKEN)
    assert any(TAKEN in label for label in labels(page))
    assert text("first_run.task_without_key", query=page.practice.query) in labels(page)
    click(qtbot, button(page, text("settings.copy")))
    assert QApplication.clipboard().text() == "fingerpost app --toggle"


def test_another_key_is_chosen_on_the_page_itself(qtbot: QtBot) -> None:
    page = first_run(qtbot, TAKEN)
    change = button(page, text("settings.hotkey.change"))
    click(qtbot, change)
    with qtbot.waitSignal(page.changed) as changed:
        qtbot.keyClick(change, Qt.Key.Key_F8)
    assert changed.args == [Settings(hotkey="F8")]
    assert text("first_run.task", hotkey="F8", query=page.practice.query) in labels(page)


def test_a_key_that_turns_out_not_to_work_is_told_later(page: FirstRun) -> None:
    page.set_hotkey_problem(TAKEN)
    assert any(TAKEN in label for label in labels(page))
    assert text("first_run.task_without_key", query=page.practice.query) in labels(page)
    recorder = page.findChild(ChordRecorder)
    assert isinstance(recorder, ChordRecorder)
    page.set_hotkey_problem(None)
    assert recorder.message == ""


def test_settings_that_were_changed_meanwhile_are_not_undone_by_leaving(page: FirstRun, qtbot: QtBot) -> None:
    page.set_settings(Settings(theme="dark"))
    with qtbot.waitSignal(page.finished) as finished:
        page.close()
    assert finished.args == [Settings(theme="dark", first_run_done=True)]


def test_the_page_is_over_however_it_is_left(qtbot: QtBot) -> None:
    page = first_run(qtbot)
    with qtbot.waitSignal(page.finished) as finished:
        click(qtbot, button(page, text("first_run.finish")))
    assert finished.args == [Settings(first_run_done=True)]
    assert not page.isVisible()
    page = first_run(qtbot)
    with qtbot.waitSignal(page.finished) as finished:
        page.close()
    assert finished.args == [Settings(first_run_done=True)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK])
def test_the_first_find_succeeds(
    qtbot: QtBot,
    lite: LiteEngine,
    dress: Callable[[theme.Theme], None],
    tmp_path: Path,
    language: str,
    look: theme.Theme,
) -> None:
    dress(look)
    words.use(language)
    page = first_run(qtbot)
    page.grab().save(str(tmp_path / "page.png"))
    answer = lite.find(pictures.load(tmp_path / "page.png"), Query(page.practice.query))
    wanted = button(page, page.practice.query)
    assert wanted.rect().contains(wanted.mapFrom(page, QPoint(answer.targets[0].x, answer.targets[0].y)))
    assert not answer.ambiguous
