"""The sign at the left of the line: a magnifier, or that someone is looking."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from fingerpost.app.desktop.palette.measure import px
from fingerpost.app.desktop.theme import Theme

STEP_MS = 33
STEP_DEGREES = 14
PATIENCE_MS = 120
"""An answer that comes sooner needs no sign; it would only flicker."""


class BusySign(QWidget):
    """Turns while busy; with reduced motion an hourglass stands still. Its timer runs only while it turns."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._busy = False
        self._angle = 0
        self._patience = QTimer(self, interval=PATIENCE_MS, singleShot=True)
        self._patience.timeout.connect(self._begin)
        self._turn = QTimer(self, interval=STEP_MS)
        self._turn.timeout.connect(self._step)
        self.setFixedSize(self.sizeHint())

    @property
    def busy(self) -> bool:
        return self._busy or self._patience.isActive()

    @property
    def is_shown(self) -> bool:
        """Whether the user sees that someone is looking."""
        return self._busy

    @property
    def is_turning(self) -> bool:
        return self._turn.isActive()

    def sizeHint(self) -> QSize:
        return QSize(px(22), px(22))

    def set_busy(self, busy: bool) -> None:
        if busy and not self.busy:
            self._patience.start()
        elif not busy:
            self._patience.stop()
            self._turn.stop()
            self._busy = False
            self.update()

    def _begin(self) -> None:
        self._busy = True
        if not self.theme.reduced_motion:
            self._turn.start()
        self.update()

    def _step(self) -> None:
        self._angle = (self._angle + STEP_DEGREES) % 360
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.width() / 22, self.height() / 22)
        if not self._busy:
            self._paint_magnifier(painter)
        elif self.theme.reduced_motion:
            self._paint_hourglass(painter)
        else:
            self._paint_arc(painter)

    def _paint_magnifier(self, painter: QPainter) -> None:
        painter.setPen(_pen(self.theme.quiet))
        painter.drawEllipse(QPointF(9.5, 9.5), 6, 6)
        painter.drawLine(QPointF(14.2, 14.2), QPointF(18.5, 18.5))

    def _paint_arc(self, painter: QPainter) -> None:
        area = QRectF(4, 4, 14, 14)
        painter.setPen(_pen(self.theme.line))
        painter.drawEllipse(area)
        painter.setPen(_pen(self.theme.accent))
        painter.drawArc(area, -self._angle * 16, 100 * 16)

    def _paint_hourglass(self, painter: QPainter) -> None:
        painter.setPen(_pen(self.theme.accent))
        for top, tip in ((4, 11), (18, 11)):
            painter.drawPolyline([QPointF(6, top), QPointF(16, top), QPointF(11, tip), QPointF(6, top)])


def _pen(colour: str) -> QPen:
    return QPen(QColor(colour), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
