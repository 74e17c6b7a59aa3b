"""The line that the user types into, and the candidates below it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage, QScreen
from PySide6.QtWidgets import QWidget

from fingerpost.app.desktop.theme import Theme
from fingerpost.app.settings.values import ACTIONS
from fingerpost.engine.geometry import Monitor
from fingerpost.engine.values import Answer


class Palette(QWidget):
    """Prebuilt and resident: opening only shows it.

    asked           the line, after a short pause in typing, at once with Enter; never empty
    accepted        candidate, action, text to type. The candidate is an index into the shown answer's targets, or -1
                    when Enter came before the answer to what is in the line (`asked` was emitted just before)
    chosen          another candidate is highlighted, by its index
    action_changed  one of `settings.ACTIONS`
    cancelled       Escape
    """

    asked = Signal(str)
    accepted = Signal(int, str, str)
    chosen = Signal(int)
    action_changed = Signal(str)
    cancelled = Signal()

    def __init__(self, theme: Theme, actions: Sequence[str] = ACTIONS, parent: QWidget | None = None) -> None:
        super().__init__(parent)

    @property
    def query(self) -> str:
        """What is in the line."""
        return ""

    @property
    def action(self) -> str:
        return "click"

    def set_theme(self, theme: Theme) -> None:
        """Change colours and motion."""

    def set_action(self, action: str) -> None:
        """What Enter will do; emits nothing."""

    def set_history(self, queries: Sequence[str]) -> None:
        """Earlier queries, the latest first."""

    def retranslate(self) -> None:
        """Show all words in the language in use."""

    def open_on(self, monitor: Monitor, screen: QScreen | None = None) -> None:
        """Show an empty line in the upper third of `monitor`, with the keyboard; `screen` is Qt's name for it."""

    def show_busy(self) -> None:
        """Someone is looking for what was asked."""

    def show_answer(self, answer: Answer, thumbnails: Sequence[QImage]) -> None:
        """Candidates, or why there are none. One thumbnail a target, best first; a missing one is left blank."""

    def show_message(self, words: str, kind: str = "info") -> None:
        """A sentence below the line, "info", "warning" or "error"; candidates stay. "" takes it away."""

    def close_quietly(self) -> None:
        """Hide without `cancelled`."""
