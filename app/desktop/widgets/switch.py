"""A switch: on or off, at once."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QCheckBox

from fingerpost.app.desktop.widgets.cards import blend

WIDTH, HEIGHT = 40, 22  # logical pixels, without the focus ring
RING = 3


class Switch(QCheckBox):
    """A check box that looks like a switch; the place of its knob tells the state, not only its colour."""

    def __init__(self, on: bool) -> None:
        super().__init__()
        self.setChecked(on)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(WIDTH + 2 * RING, HEIGHT + 2 * RING)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.palette()
        accent, base = palette.color(QPalette.ColorRole.Highlight), palette.color(QPalette.ColorRole.Base)
        ink = palette.color(QPalette.ColorRole.WindowText)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(RING, RING, WIDTH, HEIGHT)
        if self.hasFocus():
            painter.setPen(QPen(accent, 2))
            painter.drawRoundedRect(track.adjusted(-2, -2, 2, 2), HEIGHT / 2 + 2, HEIGHT / 2 + 2)
        on = self.isChecked()
        outline = accent if on else blend(base, ink, 0.5)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        painter.setPen(QPen(outline, 1.5))
        painter.setBrush(accent if on else base)
        painter.drawRoundedRect(track.adjusted(0.75, 0.75, -0.75, -0.75), HEIGHT / 2, HEIGHT / 2)
        self._knob(painter, track, palette.color(QPalette.ColorRole.HighlightedText) if on else outline)

    def _knob(self, painter: QPainter, track: QRectF, ink: QColor) -> None:
        side = HEIGHT - 8
        left = track.right() - side - 4 if self.isChecked() else track.left() + 4
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawEllipse(QRectF(left, track.top() + 4, side, side))
