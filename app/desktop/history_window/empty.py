"""What the history window shows when there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fingerpost.app.desktop.widgets.cards import Words
from fingerpost.app.text import text


class Empty(QWidget):
    """Says why it is empty."""

    def __init__(self) -> None:
        super().__init__()
        self._title, self._words = Words(size=1.3, bold=True), Words(quiet=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(40, 0, 40, 40)
        layout.addStretch(1)
        for label in (self._title, self._words):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            layout.addWidget(label)
        layout.addStretch(1)

    @property
    def title(self) -> str:
        return self._title.text()

    def explain(self, searching: bool) -> None:
        """Nothing matches the search, or nothing was looked for yet."""
        self._title.setText(text("history.no_match" if searching else "history.empty"))
        self._words.setText(text("history.no_match_hint" if searching else "history.empty_hint"))
