"""What a key means on the palette. Pure: no window, no state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import Qt

DIGIT_ROW = {"xcb": 10, "wayland": 10, "windows": 2}
"""Scan code of the key 1 by Qt's platform: where digits need Shift, Alt and the key itself still choose."""


class Command(Enum):
    ACCEPT = auto()
    ACCEPT_ALWAYS = auto()
    CANCEL = auto()
    NEXT_ACTION = auto()
    PREVIOUS_ACTION = auto()
    NEXT = auto()
    PREVIOUS = auto()
    OLDER = auto()
    NEWER = auto()
    CHOOSE = auto()
    NOTHING = auto()


@dataclass(frozen=True)
class Situation:
    """What the palette shows while a key comes.

    empty       nothing is in the line
    browsing    the line shows an earlier query that was not changed
    candidates  how many are shown
    """

    empty: bool
    browsing: bool
    candidates: int


@dataclass(frozen=True)
class Press:
    """A key; `scan_code` as the platform numbers it, 0 where unknown."""

    key: int
    alt: bool = False
    shift: bool = False
    control: bool = False
    scan_code: int = 0


def command(press: Press, now: Situation, platform: str = "") -> tuple[Command, int] | None:
    """The command, with the candidate's index for CHOOSE; None for a key that belongs to the text.

    NOTHING is Alt with a number that no candidate has.
    """
    found = _plain(press, now)
    if found is not None:
        return found, 0
    number = _number(press, platform)
    with_alt = press.alt and not press.control  # both together are AltGr on Windows: a character
    if number is not None and number <= now.candidates and (with_alt or (now.empty and not press.control)):
        return Command.CHOOSE, number - 1
    return (Command.NOTHING, 0) if number is not None and with_alt else None


def _plain(press: Press, now: Situation) -> Command | None:
    """Keys that are always commands."""
    back = Command.PREVIOUS_ACTION
    accept = Command.ACCEPT_ALWAYS if press.shift else Command.ACCEPT
    return {
        Qt.Key.Key_Return: accept,
        Qt.Key.Key_Enter: accept,
        Qt.Key.Key_Escape: Command.CANCEL,
        Qt.Key.Key_Backtab: back,
        Qt.Key.Key_Tab: back if press.shift else Command.NEXT_ACTION,
        Qt.Key.Key_Up: Command.OLDER if now.empty or now.browsing else Command.PREVIOUS,
        Qt.Key.Key_Down: Command.NEWER if now.browsing else Command.NEXT,
    }.get(Qt.Key(press.key))


def _number(press: Press, platform: str) -> int | None:
    if Qt.Key.Key_1 <= press.key <= Qt.Key.Key_9:
        return int(press.key) - int(Qt.Key.Key_0)
    first = DIGIT_ROW.get(platform)
    if press.alt and first is not None and first <= press.scan_code < first + 9:
        return press.scan_code - first + 1
    return None
