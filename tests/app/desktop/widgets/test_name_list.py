"""Names are added by typing or from what is open, and removed again, by keyboard alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from fingerpost.app.desktop.widgets.name_list import NameList

KEY = Qt.Key


@pytest.fixture
def names(qtbot: QtBot) -> NameList:
    made = NameList(("keepassxc",), lambda: ["mousepad", "KeePassXC", "mousepad", "a & b", ""], "a program")
    qtbot.addWidget(made)
    made.show()
    return made


def part(names: NameList, kind: type[QWidget]) -> QWidget:
    found = names.findChild(kind)
    assert isinstance(found, kind)
    return found


def button(names: NameList, words: str) -> QPushButton:
    return next(one for one in names.findChildren(QPushButton) if one.text().startswith(words))


def test_a_typed_name_is_added_by_enter(names: NameList, qtbot: QtBot) -> None:
    field = part(names, QLineEdit)
    qtbot.keyClicks(field, "  my   bank ")
    with qtbot.waitSignal(names.changed) as changed:
        qtbot.keyClick(field, KEY.Key_Return)
    assert changed.args == [("keepassxc", "my bank")]
    assert names.names == ("keepassxc", "my bank")


def test_a_name_that_is_there_is_not_added_twice(names: NameList, qtbot: QtBot) -> None:
    field = part(names, QLineEdit)
    qtbot.keyClicks(field, "KeePassXC")
    with qtbot.assertNotEmitted(names.changed):
        qtbot.keyClick(field, KEY.Key_Return)


def test_nothing_typed_cannot_be_added(names: NameList, qtbot: QtBot) -> None:
    assert not button(names, "Add").isEnabled()
    qtbot.keyClicks(part(names, QLineEdit), "x")
    assert button(names, "Add").isEnabled()


def test_delete_removes_the_chosen_name(names: NameList, qtbot: QtBot) -> None:
    rows = part(names, QListWidget)
    assert not button(names, "Remove").isEnabled()
    qtbot.keyClick(rows, KEY.Key_Down)
    with qtbot.waitSignal(names.changed) as changed:
        qtbot.keyClick(rows, KEY.Key_Delete)
    assert changed.args == [()]


def test_open_windows_are_offered_once_and_without_those_in_the_list(names: NameList, qtbot: QtBot) -> None:
    qtbot.mouseClick(button(names, "From open"), Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == ["mousepad", "a && b"]
    with qtbot.waitSignal(names.changed):
        qtbot.keyClick(menu, KEY.Key_Down)
        qtbot.keyClick(menu, KEY.Key_Return)
    assert names.names[0] == "keepassxc"
    assert names.names[1] in {"mousepad", "a & b"}
