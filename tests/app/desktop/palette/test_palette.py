"""The palette as a user meets it, through real key, mouse and input method events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import median

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QAccessible, QImage, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView
from pytestqt.qtbot import QtBot

from fingerpost.app.desktop.palette import Palette
from fingerpost.app.desktop.palette.busy import BusySign
from fingerpost.app.desktop.palette.candidates import Candidates
from fingerpost.app.desktop.palette.message import Message
from fingerpost.app.desktop.theme import DARK, LIGHT
from fingerpost.app.text import text
from fingerpost.engine.geometry import DesktopPoint, Monitor
from fingerpost.engine.values import Answer, Box, FrameSize, Target

MONITOR = Monitor(1, "one", Box(0, 0, 800, 800))
Key = Qt.Key


class Heard:
    """All signals of a palette in their order."""

    def __init__(self, palette: Palette) -> None:
        self.all: list[tuple[object, ...]] = []
        palette.asked.connect(lambda query: self.all.append(("asked", query)))
        palette.accepted.connect(lambda index, action, typed: self.all.append(("accepted", index, action, typed)))
        palette.chosen.connect(lambda index: self.all.append(("chosen", index)))
        palette.cancelled.connect(lambda: self.all.append(("cancelled",)))
        palette.action_changed.connect(lambda action: self.all.append(("action", action)))

    def take(self) -> list[tuple[object, ...]]:
        heard, self.all = self.all, []
        return heard


@pytest.fixture
def palette(qtbot: QtBot) -> Iterator[Palette]:
    opened = Palette(LIGHT)
    qtbot.addWidget(opened)
    opened.set_history(["the second one", "open file"])
    opened.open_on(MONITOR)
    qtbot.waitExposed(opened)
    yield opened
    opened.close_quietly()


@pytest.fixture
def heard(palette: Palette) -> Heard:
    return Heard(palette)


def line(palette: Palette) -> QLineEdit:
    return palette.findChildren(QLineEdit)[0]


def typed_line(palette: Palette) -> QLineEdit:
    return palette.findChildren(QLineEdit)[1]


def message(palette: Palette) -> Message:
    return palette.findChildren(Message)[0]


def press(palette: Palette, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(palette.focusWidget(), key, held)


def answer(count: int = 3, ambiguous: bool = False, reason: str = "") -> Answer:
    targets = tuple(
        Target(f"Save {n}", "button", 10 * n, 10, Box(10 * n, 5, 9, 9), 0.9 / n, "text") for n in range(1, count + 1)
    )
    return Answer(count > 0, ambiguous, "lite", 120.0, FrameSize(800, 800), targets, reason)


def answered(palette: Palette, ambiguous: bool = False) -> None:
    QTest.keyClicks(line(palette), "save")
    press(palette, Key.Key_Return)
    palette.show_answer(answer(ambiguous=ambiguous), [QImage(40, 20, QImage.Format.Format_RGB32)])


def test_typing_asks_once_after_a_pause(palette: Palette, heard: Heard, qtbot: QtBot) -> None:
    QTest.keyClicks(line(palette), "save as")
    assert heard.take() == []
    qtbot.waitUntil(lambda: heard.all == [("asked", "save as")])
    QTest.keyClicks(line(palette), "  ")
    qtbot.wait(250)
    assert heard.take() == [("asked", "save as")]


def test_enter_before_the_answer_asks_at_once_and_says_that_it_waits(palette: Palette, heard: Heard) -> None:
    QTest.keyClicks(line(palette), "save")
    press(palette, Key.Key_Return)
    assert heard.take() == [("asked", "save"), ("accepted", -1, "click", "")]


def test_enter_takes_the_highlighted_candidate_of_the_shown_answer(palette: Palette, heard: Heard) -> None:
    answered(palette)
    heard.take()
    press(palette, Key.Key_Return)
    press(palette, Key.Key_Down, Key.Key_Down, Key.Key_Return)
    press(palette, Key.Key_Down, Key.Key_Up, Key.Key_Up)
    assert heard.take() == [
        ("accepted", 0, "click", ""),
        ("chosen", 1),
        ("chosen", 2),
        ("accepted", 2, "click", ""),
        ("chosen", 0),
        ("chosen", 2),
        ("chosen", 1),
    ]


def test_an_answer_to_other_words_is_never_accepted(palette: Palette, heard: Heard) -> None:
    answered(palette)
    QTest.keyClicks(line(palette), " all")
    heard.take()
    press(palette, Key.Key_Return)
    assert heard.take() == [("asked", "save all"), ("accepted", -1, "click", "")]


def test_alt_and_a_digit_choose_and_a_plain_digit_is_text(palette: Palette, heard: Heard) -> None:
    answered(palette)
    heard.take()
    press(palette, Key.Key_2, held=Qt.KeyboardModifier.AltModifier)
    press(palette, Key.Key_9, held=Qt.KeyboardModifier.AltModifier)
    assert heard.take() == [("chosen", 1)]
    press(palette, Key.Key_2)
    assert palette.query == "save2"


def test_tab_goes_through_the_actions_and_back(palette: Palette, heard: Heard) -> None:
    press(palette, Key.Key_Tab, Key.Key_Tab, Key.Key_Backtab, Key.Key_Backtab, Key.Key_Backtab)
    assert heard.take() == [("action", name) for name in ("double", "right", "double", "click", "copy")]
    assert palette.focusWidget() is line(palette)


def test_text_to_type_is_asked_for_before_it_is_typed(palette: Palette, heard: Heard) -> None:
    assert not typed_line(palette).isVisible()
    palette.set_action("type")
    assert typed_line(palette).isVisible()
    answered(palette)
    assert heard.take() == [("asked", "save")]
    assert palette.focusWidget() is typed_line(palette)
    QTest.keyClicks(typed_line(palette), "2 words")
    press(palette, Key.Key_Down, Key.Key_Return)
    assert heard.take() == [("chosen", 1), ("accepted", 1, "type", "2 words")]
    press(palette, Key.Key_Escape)
    assert palette.focusWidget() is line(palette)
    assert heard.take() == []
    press(palette, Key.Key_Escape)
    assert heard.take() == [("cancelled",)]


def test_up_on_an_empty_line_brings_earlier_queries_and_down_leads_back(palette: Palette, heard: Heard) -> None:
    press(palette, Key.Key_Up, Key.Key_Up, Key.Key_Up)
    assert palette.query == "open file"
    press(palette, Key.Key_Down)
    assert palette.query == "the second one"
    press(palette, Key.Key_Down)
    assert palette.query == ""
    press(palette, Key.Key_Up, Key.Key_Return)
    assert heard.take() == [("asked", "the second one"), ("accepted", -1, "click", "")]
    palette.show_answer(answer(), [])
    press(palette, Key.Key_Down)
    assert heard.take() == [("chosen", 1)]


def test_an_emptied_line_says_so_at_once(palette: Palette, heard: Heard) -> None:
    answered(palette)
    heard.take()
    line(palette).selectAll()
    press(palette, Key.Key_Backspace)
    assert heard.take() == [("asked", "")]


def test_every_opening_begins_anew(palette: Palette, heard: Heard) -> None:
    answered(palette, ambiguous=True)
    first = line(palette).placeholderText()
    palette.close_quietly()
    assert ("cancelled",) not in heard.take()
    palette.open_on(MONITOR)
    assert palette.query == ""
    assert not palette.findChildren(QListView)[0].isVisible()
    assert not message(palette).isVisible()
    assert line(palette).placeholderText() != first


def test_an_ambiguous_answer_asks_which_one_and_none_says_why(palette: Palette) -> None:
    answered(palette, ambiguous=True)
    assert message(palette).words == text("palette.which_one")
    palette.show_answer(answer(0, reason="Nothing that reads or looks like “save” is seen."), [])
    assert message(palette).words == text("palette.not_found")
    assert "“save”" in message(palette).accessibleName()
    assert not palette.findChildren(QListView)[0].isVisible()


def test_a_notice_stays_until_the_line_is_changed(palette: Palette) -> None:
    palette.set_query("save")
    palette.show_message("The window has moved.", "warning")
    palette.show_answer(answer(), [])
    assert message(palette).words == "The window has moved."
    QTest.keyClicks(line(palette), "x")
    assert not message(palette).isVisible()


def test_after_an_error_enter_asks_again(palette: Palette, heard: Heard) -> None:
    QTest.keyClicks(line(palette), "save")
    press(palette, Key.Key_Return)
    palette.show_message("The engine has ended. Press Enter to look again.", "error")
    heard.take()
    press(palette, Key.Key_Return)
    assert heard.take()[0] == ("asked", "save")


def test_a_click_on_a_row_takes_it_and_a_resting_pointer_chooses_nothing(
    palette: Palette, heard: Heard, qtbot: QtBot
) -> None:
    answered(palette)
    heard.take()
    rows = palette.findChildren(Candidates)[0]
    second = rows.visualRect(rows.model_.index(1, 0)).center()
    QTest.mouseMove(rows.viewport(), second)
    assert heard.take() == []
    QTest.mouseMove(rows.viewport(), second + QPoint(5, 2))
    assert heard.take() == [("chosen", 1)]
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=second)
    assert heard.take() == [("chosen", 1), ("accepted", 1, "click", "")]


def test_an_input_method_composes_undisturbed(palette: Palette, heard: Heard) -> None:
    """Enter, arrows and digits belong to the input method while it composes; nothing is asked before it is done."""
    target = line(palette)
    QCoreApplication.sendEvent(target, QInputMethodEvent("にほ", []))
    press(palette, Key.Key_Return, Key.Key_Down, Key.Key_Escape)
    assert heard.take() == []
    done = QInputMethodEvent("", [])
    done.setCommitString("日本")
    QCoreApplication.sendEvent(target, done)
    assert palette.query == "日本"
    press(palette, Key.Key_Return)
    assert heard.take()[0] == ("asked", "日本")


def test_a_screen_reader_is_told_what_everything_is(palette: Palette) -> None:
    answered(palette)
    assert line(palette).accessibleName() == text("palette.name")
    assert line(palette).accessibleDescription()
    rows = palette.findChildren(Candidates)[0]
    spoken = QAccessible.queryAccessibleInterface(rows).child(0).text(QAccessible.Text.Name)
    assert spoken == "1: Save 1. button, very sure, read on the screen."


def test_with_reduced_motion_nothing_turns(qtbot: QtBot) -> None:
    for reduced in (False, True):
        sign = BusySign(replace(LIGHT, reduced_motion=reduced))
        qtbot.addWidget(sign)
        sign.show()
        assert not sign.is_turning
        sign.set_busy(True)
        qtbot.waitUntil(lambda sign=sign: sign.is_shown)
        assert sign.is_turning != reduced
        sign.set_busy(False)
        assert not sign.is_turning


def test_it_stands_centred_in_the_upper_third(palette: Palette) -> None:
    area = palette.screen().geometry()
    card = palette.geometry()
    assert abs(card.center().x() - area.center().x()) <= 1
    assert area.top() <= card.top() < area.top() + area.height() / 3


def test_it_knows_which_places_it_covers(palette: Palette) -> None:
    middle = palette.geometry().center()
    assert palette.covers(DesktopPoint(middle.x(), middle.y()))
    assert not palette.covers(DesktopPoint(5, 5))
    palette.close_quietly()
    assert not palette.covers(DesktopPoint(middle.x(), middle.y()))


def test_it_makes_room_for_a_target_below_it_but_not_under_the_pointer(palette: Palette) -> None:
    at_home = palette.area
    covered = Box(at_home.x + 100, at_home.y + 20, 60, 20)
    palette.keep_off(Box(5, 700, 60, 20))
    assert palette.area == at_home
    palette.keep_off(covered)
    assert palette.area.intersection(covered).area == 0
    assert palette.area.x == at_home.x
    palette.open_on(MONITOR)
    assert palette.area == at_home
    answered(palette)
    palette.findChildren(Candidates)[0].pointed.emit(1)
    before = palette.area
    palette.keep_off(covered)
    assert palette.area == before


def brightness(palette: Palette) -> float:
    """The median over the middle of the card: what is written on it does not count."""
    width, height = palette.width() // 4, palette.height() // 3
    middle = palette.rect().adjusted(width, height, -width, -height)
    image = palette.grab(middle).toImage()
    values = [image.pixelColor(x, y).lightness() for x in range(image.width()) for y in range(0, image.height(), 5)]
    return median(values)


def test_it_can_change_its_theme_while_it_is_shown(palette: Palette) -> None:
    answered(palette)
    before = brightness(palette)
    palette.set_theme(DARK)
    assert before > 200
    assert brightness(palette) < 60
