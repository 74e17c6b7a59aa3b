"""Choices take effect at once; every control says what it is; nothing is cut off in any language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPushButton,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fingerpost.app import text as words
from fingerpost.app.desktop import theme
from fingerpost.app.desktop.settings_window import PAGES, Services, SettingsWindow
from fingerpost.app.desktop.widgets.choice import Choice, Number
from fingerpost.app.desktop.widgets.switch import Switch
from fingerpost.app.settings.values import ACTIONS, Settings
from fingerpost.app.text import LANGUAGES, text

KEY = Qt.Key
CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QListWidget, QSpinBox)


class Application:
    """Stands for the rest of the application."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.problem: Exception | None = None

    def services(self) -> Services:
        return Services(
            try_hotkey=lambda _chord: None,
            open_windows=lambda: [("mousepad", "Notes")],
            checks=self.checks,
            open_history=lambda: self.calls.append("open"),
            clear_history=lambda: self.calls.append("clear"),
        )

    def checks(self) -> list[tuple[str, str, str]]:
        self.calls.append("checks")
        if self.problem:
            raise self.problem
        return [("Capture", "ok", "works"), ("Click", "limited", "asks first"), ("Hotkey", "missing", "is taken")]


@pytest.fixture
def application() -> Application:
    return Application()


@pytest.fixture
def window(qtbot: QtBot, application: Application) -> SettingsWindow:
    made = SettingsWindow(Settings(), application.services())
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def control(window: SettingsWindow, page: str, name: str) -> QWidget:
    """The control of a page by its accessible name."""
    window.open_page(page)
    found = [one for one in window.page.findChildren(QWidget) if one.accessibleName() == name and one.isVisible()]
    assert found, name
    return found[0]


def button(window: SettingsWindow, page: str, caption: str) -> QPushButton:
    window.open_page(page)
    return next(one for one in window.page.findChildren(QPushButton) if one.text() == caption)


def controls(window: SettingsWindow) -> list[QWidget]:
    """What can be operated on the page that is shown."""
    inner = (QComboBox, QSpinBox, QLineEdit)  # their own fields and buttons belong to them
    found = [one for kind in CONTROLS for one in window.page.findChildren(kind) if not isinstance(one.parent(), inner)]
    return [one for one in found if one.isVisible() and one.focusPolicy() & Qt.FocusPolicy.TabFocus]


SWITCHES = [
    ("general", "settings.general.dim", "dim", False),
    ("general", "settings.general.start", "start_at_login", True),
    ("actions", "settings.actions.dry_run", "dry_run", True),
    ("privacy", "settings.privacy.history", "history", False),
    ("privacy", "settings.privacy.pictures", "history_pictures", False),
]


@pytest.mark.parametrize(("page", "key", "field", "value"), SWITCHES)
def test_a_switch_is_turned_by_the_space_bar_and_by_a_click_on_its_words(
    window: SettingsWindow, qtbot: QtBot, page: str, key: str, field: str, value: bool
) -> None:
    switch = control(window, page, text(key))
    assert isinstance(switch, Switch)
    with qtbot.waitSignal(window.changed) as changed:
        qtbot.keyClick(switch, KEY.Key_Space)
    assert changed.args == [replace(Settings(), **{field: value})]
    row = switch.parentWidget()
    assert row is not None
    with qtbot.waitSignal(window.changed) as changed:
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(20, row.height() // 2))
    assert changed.args == [Settings()]


CHOICES = [
    ("general", "settings.general.theme", "theme", "light"),
    ("general", "settings.general.motion", "reduced_motion", True),
    ("engine", "settings.engine.engine", "engine", "lite"),
    ("actions", "settings.actions.action", "action", ACTIONS[1]),
]


@pytest.mark.parametrize(("page", "key", "field", "value"), CHOICES)
def test_the_next_choice_is_one_key_away(
    window: SettingsWindow, qtbot: QtBot, page: str, key: str, field: str, value: object
) -> None:
    choice = control(window, page, text(key))
    assert isinstance(choice, Choice)
    with qtbot.waitSignal(window.changed) as changed:
        qtbot.keyClick(choice, KEY.Key_Down)
    assert changed.args == [replace(Settings(), **{field: value})]


def test_a_wheel_over_a_choice_scrolls_the_page_and_changes_nothing(window: SettingsWindow, qtbot: QtBot) -> None:
    choice = control(window, "general", text("settings.general.theme"))
    with qtbot.assertNotEmitted(window.changed):
        turn_wheel(choice)


def turn_wheel(target: QWidget) -> None:
    middle = QPointF(target.rect().center())
    event = QWheelEvent(
        middle, target.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(target, event)


def test_days_are_typed_and_zero_means_for_ever(window: SettingsWindow, qtbot: QtBot) -> None:
    days = control(window, "privacy", text("settings.privacy.days"))
    assert isinstance(days, Number)
    days.selectAll()
    with qtbot.waitSignal(window.changed) as changed:
        qtbot.keyClicks(days, "0")
        qtbot.keyClick(days, KEY.Key_Return)
    assert changed.args == [Settings(history_days=0)]
    assert days.text() == text("settings.privacy.for_ever")


def test_without_a_history_there_is_nothing_to_choose_about_it(window: SettingsWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(control(window, "privacy", text("settings.privacy.history")), KEY.Key_Space)
    assert not control(window, "privacy", text("settings.privacy.pictures")).isEnabled()
    assert not control(window, "privacy", text("settings.privacy.days")).isEnabled()


LISTS = [
    ("privacy", "settings.privacy.apps_placeholder", "excluded_apps", (*Settings().excluded_apps, "x")),
    ("privacy", "settings.privacy.titles_placeholder", "excluded_titles", ("x",)),
    ("actions", "settings.actions.allowed_placeholder", "allowed_apps", ("x",)),
]


@pytest.mark.parametrize(("page", "key", "field", "value"), LISTS)
def test_names_are_added_by_typing(
    window: SettingsWindow, qtbot: QtBot, page: str, key: str, field: str, value: tuple[str, ...]
) -> None:
    line = control(window, page, text(key))
    qtbot.keyClicks(line, "x")
    with qtbot.waitSignal(window.changed) as changed:
        qtbot.keyClick(line, KEY.Key_Return)
    assert changed.args == [replace(Settings(), **{field: value})]


def test_a_model_is_taken_when_its_name_is_complete(window: SettingsWindow, qtbot: QtBot) -> None:
    line = control(window, "engine", text("settings.engine.model"))
    field = line if isinstance(line, QLineEdit) else line.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "model.gguf")
    with qtbot.waitSignal(window.changed) as changed:
        qtbot.keyClick(field, KEY.Key_Return)
    assert changed.args == [Settings(model="model.gguf")]


def test_a_new_hotkey_is_recorded(window: SettingsWindow, qtbot: QtBot) -> None:
    change = button(window, "hotkey", text("settings.hotkey.change"))
    qtbot.mouseClick(change, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(window.changed) as changed:
        qtbot.keyClick(change, KEY.Key_F9)
    assert changed.args == [Settings(hotkey="F9")]


def test_another_language_translates_the_open_window(window: SettingsWindow, qtbot: QtBot) -> None:
    choice = control(window, "general", "Language")
    with qtbot.waitSignal(window.changed) as changed:
        qtbot.keyClicks(choice, "Deu")
    assert changed.args == [Settings(language="de")]
    assert window.windowTitle() == "Einstellungen"
    assert control(window, "general", "Sprache").isVisible()


def test_settings_that_change_elsewhere_are_shown(window: SettingsWindow, qtbot: QtBot) -> None:
    window.open_page("actions")
    with qtbot.assertNotEmitted(window.changed):
        window.set_settings(Settings(dry_run=True))
    switch = control(window, "actions", text("settings.actions.dry_run"))
    assert isinstance(switch, Switch)
    assert switch.isChecked()


def test_the_command_to_bind_is_copied(window: SettingsWindow, qtbot: QtBot) -> None:
    copy = button(window, "hotkey", text("settings.copy"))
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == "fingerpost app --toggle"


def test_why_the_hotkey_does_not_work_is_said_on_its_page(window: SettingsWindow) -> None:
    window.set_hotkey_problem("Another program owns it.")
    window.open_page("hotkey")
    assert "Another program owns it." in labels(window)


def labels(window: SettingsWindow) -> list[str]:
    return [one.text() for one in window.findChildren(QLabel) if one.isVisible()]


def test_a_problem_of_all_pages_is_shown_until_it_is_over(window: SettingsWindow) -> None:
    window.show_problem("The disk is full.")
    assert "The disk is full." in labels(window)
    window.show_problem("")
    assert "The disk is full." not in labels(window)


def test_clearing_the_history_asks_first(window: SettingsWindow, qtbot: QtBot, application: Application) -> None:
    clear = button(window, "privacy", text("settings.privacy.clear"))
    for answer, expected in ((text("settings.cancel"), []), (text("history.clear_yes"), ["clear"])):
        QTimer.singleShot(0, lambda answer=answer: press(answer))
        qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
        assert application.calls == expected


def press(caption: str) -> None:
    """Press a button of the question that is open."""
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    next(one for one in box.buttons() if one.text() == caption).click()


def test_the_history_is_opened(window: SettingsWindow, qtbot: QtBot, application: Application) -> None:
    qtbot.mouseClick(button(window, "privacy", text("settings.privacy.open")), Qt.MouseButton.LeftButton)
    assert application.calls == ["open"]


def test_checks_run_when_their_page_is_shown_and_can_be_copied(
    window: SettingsWindow, qtbot: QtBot, application: Application
) -> None:
    assert application.calls == []
    window.open_page("about")
    qtbot.waitUntil(lambda: "asks first" in labels(window))
    assert application.calls == ["checks"]
    qtbot.mouseClick(button(window, "about", text("settings.about.copy")), Qt.MouseButton.LeftButton)
    assert "[missing] Hotkey: is taken" in QApplication.clipboard().text()


def test_a_check_that_breaks_says_so(window: SettingsWindow, qtbot: QtBot, application: Application) -> None:
    application.problem = RuntimeError("no bus")
    window.open_page("about")
    qtbot.waitUntil(lambda: any("no bus" in label for label in labels(window)))


@pytest.mark.parametrize("page", PAGES)
def test_every_control_is_named_and_reached_by_tab_alone(window: SettingsWindow, qtbot: QtBot, page: str) -> None:
    window.open_page(page)
    window.activateWindow()
    wanted = [one for one in controls(window) if one.isEnabled()]
    unnamed = [one for one in wanted if not (one.accessibleName() or (isinstance(one, QAbstractButton) and one.text()))]
    assert unnamed == []
    window.setFocus()
    reached = set()
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert focused is not None
        reached.add(focused)
        qtbot.keyClick(focused, KEY.Key_Tab)
    assert [one for one in wanted if one not in reached] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off(
    qtbot: QtBot, application: Application, dress: Callable[[theme.Theme], None], language: str
) -> None:
    """In the smallest window: no control is narrower than its words, and no page is wider than its place."""
    words.use(language)
    dress(theme.LIGHT)
    window = SettingsWindow(Settings(), application.services())
    qtbot.addWidget(window)
    window.resize(window.minimumSize())
    window.show()
    for page in PAGES:
        window.open_page(page)
        QApplication.processEvents()
        inside = window.page.widget()
        assert inside.minimumSizeHint().width() <= window.page.viewport().width(), page
        for label in inside.findChildren(QLabel):
            needed = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
            assert label.height() >= needed, label.text()
        for one in inside.findChildren(QPushButton):
            assert one.width() >= one.sizeHint().width(), one.text()


def test_escape_closes_the_window(window: SettingsWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, KEY.Key_Escape)
    assert not window.isVisible()
