"""A sentence below the line, with a sign whose form says how serious it is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from fingerpost.app.desktop.palette.measure import font, px
from fingerpost.app.desktop.theme import Theme


class Message(QWidget):
    """One sentence, and a quieter one about what to do."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.kind = "info"
        self._sign = _Sign(self)
        self._words = _label(font(13, QFont.Weight.Medium))
        self._more = _label(font(12))
        lines = QVBoxLayout()
        lines.setSpacing(px(2))
        lines.addWidget(self._words)
        lines.addWidget(self._more)
        row = QHBoxLayout(self)
        row.setContentsMargins(px(18), px(10), px(18), px(12))
        row.setSpacing(px(12))
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(lines, 1)
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def say(self, words: str, more: str = "", kind: str = "info") -> None:
        """Show it; "" shows nothing."""
        self.kind = kind
        self._words.setText(words)
        self._more.setText(more)
        self._more.setVisible(bool(more))
        self.setAccessibleName(f"{words} {more}".strip())
        self.dress(self.theme)
        self.setVisible(bool(words))

    def dress(self, theme: Theme) -> None:
        self.theme = theme
        colour = {"error": theme.error, "warning": theme.guess}.get(self.kind, theme.text)
        self._words.setStyleSheet(f"color: {colour}; background: transparent;")
        self._more.setStyleSheet(f"color: {theme.quiet}; background: transparent;")
        self._sign.update()


class _Sign(QWidget):
    """A circle with "i", "?" or "!"."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self._message = message
        self.setFixedSize(QSize(px(22), px(20)))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, kind = self._message.theme, self._message.kind
        colour = {"error": theme.error, "warning": theme.guess}.get(kind, theme.accent)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colour), 1.6))
        radius = px(8)
        middle = QPointF(self.width() / 2, self.height() / 2)
        painter.drawEllipse(middle, radius, radius)
        painter.setFont(font(11, QFont.Weight.Bold))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, {"error": "!", "warning": "?"}.get(kind, "i"))


def _label(chosen: QFont) -> QLabel:
    label = QLabel()
    label.setFont(chosen)
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label
