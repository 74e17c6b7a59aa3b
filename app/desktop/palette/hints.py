"""The last line: which keys do what, and at the right how long the answer took."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from fingerpost.app.desktop.palette.measure import font, px
from fingerpost.app.desktop.theme import Theme


class Hints(QWidget):
    """Pairs of a key and what it does; those that do not fit are left out, the last first."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._hints: tuple[tuple[str, str], ...] = ()
        self._status = ""
        self.setFixedHeight(px(38))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_hints(self, hints: Sequence[tuple[str, str]], status: str = "") -> None:
        self._hints, self._status = tuple(hints), status
        self.setAccessibleName(". ".join(f"{key}: {words}" for key, words in hints))
        self.setAccessibleDescription(status)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(200), px(38))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.theme.line), 1))
        painter.drawLine(0, 0, self.width(), 0)
        plain = font(12)
        right = float(self.width() - px(18))
        if self._status:
            painter.setFont(plain)
            painter.setPen(QColor(self.theme.quiet))
            width = QFontMetricsF(plain).horizontalAdvance(self._status)
            area = QRectF(right - width, 0, width + 1, self.height())
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self._status)
            right -= width + px(16)
        x = float(px(18))
        for key, words in self._hints:
            width = self._width(key, words)
            if x + width > right:
                break
            self._paint_hint(painter, x, key, words)
            x += width + px(16)

    def _width(self, key: str, words: str) -> float:
        small, plain = QFontMetricsF(_key_font()), QFontMetricsF(font(12))
        return self._cap_width(small, key) + px(6) + plain.horizontalAdvance(words)

    def _cap_width(self, metrics: QFontMetricsF, key: str) -> float:
        return max(float(px(20)), metrics.horizontalAdvance(key) + px(10))

    def _paint_hint(self, painter: QPainter, x: float, key: str, words: str) -> None:
        height = px(19)
        cap = QRectF(
            round(x) + 0.5,
            (self.height() - height) // 2 + 0.5,
            self._cap_width(QFontMetricsF(_key_font()), key),
            height,
        )
        painter.setPen(QPen(QColor(self.theme.line), 1))
        painter.setBrush(QColor(self.theme.raised))
        painter.drawRoundedRect(cap, px(4), px(4))
        painter.setFont(_key_font())
        painter.setPen(QColor(self.theme.text))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
        painter.setFont(font(12))
        painter.setPen(QColor(self.theme.quiet))
        rest = QRectF(cap.right() + px(6), 0, self.width(), self.height())
        painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


def _key_font() -> QFont:
    return font(11, QFont.Weight.Medium)
