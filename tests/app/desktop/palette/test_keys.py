"""What each key means, and going through earlier queries."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from fingerpost.app.desktop.palette.earlier import Earlier
from fingerpost.app.desktop.palette.keys import Command, Press, Situation, command

Key = Qt.Key
TYPING = Situation(empty=False, browsing=False, candidates=4)
EMPTY = Situation(empty=True, browsing=False, candidates=0)
EMPTY_WITH_CANDIDATES = Situation(empty=True, browsing=False, candidates=4)
BROWSING = Situation(empty=False, browsing=True, candidates=4)


@pytest.mark.parametrize(
    ("press", "now", "expected"),
    [
        (Press(Key.Key_Return), TYPING, Command.ACCEPT),
        (Press(Key.Key_Enter), TYPING, Command.ACCEPT),
        (Press(Key.Key_Return, shift=True), TYPING, Command.ACCEPT_ALWAYS),
        (Press(Key.Key_Escape), EMPTY, Command.CANCEL),
        (Press(Key.Key_Tab), TYPING, Command.NEXT_ACTION),
        (Press(Key.Key_Backtab, shift=True), TYPING, Command.PREVIOUS_ACTION),
        (Press(Key.Key_Tab, shift=True), TYPING, Command.PREVIOUS_ACTION),
        (Press(Key.Key_Up), TYPING, Command.PREVIOUS),
        (Press(Key.Key_Down), TYPING, Command.NEXT),
        (Press(Key.Key_Up), EMPTY, Command.OLDER),
        (Press(Key.Key_Up), BROWSING, Command.OLDER),
        (Press(Key.Key_Down), BROWSING, Command.NEWER),
        (Press(Key.Key_Down), EMPTY_WITH_CANDIDATES, Command.NEXT),
    ],
)
def test_keys_that_are_always_commands(press: Press, now: Situation, expected: Command) -> None:
    assert command(press, now) == (expected, 0)


@pytest.mark.parametrize(
    ("press", "now", "expected"),
    [
        (Press(Key.Key_2, alt=True), TYPING, 1),
        (Press(Key.Key_2), EMPTY_WITH_CANDIDATES, 1),
        (Press(Key.Key_4, alt=True), TYPING, 3),
        (Press(Key.Key_Eacute, alt=True, scan_code=11), TYPING, 1),  # where digits need Shift
        (Press(Key.Key_2), TYPING, None),
        (Press(Key.Key_2), EMPTY, None),
        (Press(Key.Key_2, alt=True, control=True), TYPING, None),  # AltGr
        (Press(Key.Key_0, alt=True), TYPING, None),
        (Press(Key.Key_2, control=True), EMPTY_WITH_CANDIDATES, None),
        (Press(Key.Key_A), EMPTY_WITH_CANDIDATES, None),
        (Press(Key.Key_Left), TYPING, None),
    ],
)
def test_digits_choose_with_alt_or_on_an_empty_line_and_are_text_otherwise(
    press: Press, now: Situation, expected: int | None
) -> None:
    assert command(press, now, "xcb") == (None if expected is None else (Command.CHOOSE, expected))


def test_a_number_that_no_candidate_has_is_not_text_with_alt() -> None:
    assert command(Press(Key.Key_5, alt=True), TYPING) == (Command.NOTHING, 0)
    assert command(Press(Key.Key_1, alt=True), EMPTY) == (Command.NOTHING, 0)


def test_earlier_queries_come_latest_first_and_end_with_an_empty_line() -> None:
    earlier = Earlier(["c", "b", " c ", "", "a"])
    assert [earlier.older() for _ in range(4)] == ["c", "b", "a", None]
    assert [earlier.newer() for _ in range(3)] == ["b", "c", ""]
    assert not earlier.browsing
    assert earlier.older() == "c"
    earlier.leave()
    assert earlier.older() == "c"


def test_without_earlier_queries_nothing_is_browsed() -> None:
    earlier = Earlier()
    assert earlier.older() is None
    assert not earlier.browsing
