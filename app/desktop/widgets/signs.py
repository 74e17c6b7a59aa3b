"""Small signs that say how something stands by their shape; the colour only repeats it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QLabel, QWidget

COLOURS = {  # on light, on dark
    "ok": ("#1a7f37", "#4ac26b"),
    "warning": ("#8a5a00", "#e3b341"),
    "error": ("#c2202b", "#ff7b72"),
    "info": ("#0b63c5", "#79b8ff"),
    "question": ("#8a5a00", "#e3b341"),
    "stop": ("#5b6470", "#a4adb8"),
    "none": ("#5b6470", "#a4adb8"),
}
"""Name of a sign → its colour."""


def is_dark(palette: QPalette) -> bool:
    return palette.color(QPalette.ColorRole.Window).lightnessF() < 0.5


def colour(name: str, palette: QPalette) -> QColor:
    return QColor(COLOURS[name][is_dark(palette)])


def icon(name: str, palette: QPalette) -> QIcon:
    """The sign for a list, the same in a row that is selected."""
    picture = pixmap(name, palette, 16, 2.0)
    made = QIcon(picture)
    made.addPixmap(picture, QIcon.Mode.Selected)
    return made


def pixmap(name: str, palette: QPalette, side: int = 16, ratio: float = 1.0) -> QPixmap:
    """The sign `name`, `side` logical pixels wide and high, for a screen of scale `ratio`."""
    picture = QPixmap(QSize(round(side * ratio), round(side * ratio)))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(side / 16, side / 16)
    _draw(painter, name, colour(name, palette), palette.color(QPalette.ColorRole.Base))
    painter.end()
    return picture


def _draw(painter: QPainter, name: str, ink: QColor, paper: QColor) -> None:
    """On a square of 16 by 16."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    if name == "warning":
        painter.setPen(QPen(ink, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.drawPolygon(QPolygonF([QPointF(8, 2.2), QPointF(14.4, 13.4), QPointF(1.6, 13.4)]))
    elif name == "stop":
        painter.drawRoundedRect(QRectF(2, 2, 12, 12), 3, 3)
    elif name == "none":
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink, 1.6))
        painter.drawEllipse(QRectF(1.8, 1.8, 12.4, 12.4))
    else:
        painter.drawEllipse(QRectF(1, 1, 14, 14))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    line = ink if name == "none" else paper
    painter.setPen(QPen(line, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    for stroke in STROKES[name]:
        if len(stroke) == 1:
            painter.drawPoint(QPointF(*stroke[0]))
        else:
            painter.drawPolyline(QPolygonF([QPointF(*point) for point in stroke]))


STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "ok": (((4.6, 8.4), (7.1, 10.8), (11.5, 5.6)),),
    "warning": (((8, 6.2), (8, 9.2)), ((8, 11.8),)),
    "error": (((5.4, 5.4), (10.6, 10.6)), ((10.6, 5.4), (5.4, 10.6))),
    "info": (((8, 4.6),), ((8, 7.4), (8, 11.4))),
    "question": (((5.9, 6.2), (6.3, 5.0), (8, 4.4), (9.8, 5.2), (9.9, 6.7), (8.1, 8.2), (8, 9.2)), ((8, 11.8),)),
    "stop": (),
    "none": (((5.2, 8), (10.8, 8)),),
}


class Sign(QLabel):
    """A sign in a window; it follows a change between light and dark."""

    def __init__(self, name: str, side: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._side = name, side
        self.setFixedSize(side, side)
        self._paint()

    def set_name(self, name: str) -> None:
        self._name = name
        self._paint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()

    def _paint(self) -> None:
        self.setPixmap(pixmap(self._name, self.palette(), self._side, self.devicePixelRatioF()))
