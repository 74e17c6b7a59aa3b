"""The icon of the application, drawn: a ring around a dot, as the overlay points, with what the state adds.

    idle       the ring and its dot
    looking    three dots
    paused     two bars
    no hotkey  crossed out

States differ by their form, so they are told apart without colour.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

from fingerpost.app.desktop.theme.values import Theme

SIZES = (16, 22, 24, 32, 48, 64, 128, 256)
PLATE = QColor("#1b63d8")
ASLEEP = QColor("#5d6675")
INK = QColor("#ffffff")


def icon(state: str, theme: Theme) -> QIcon:
    """The icon for one of the tray's states: "idle", "looking", "paused", "no hotkey".

    It brings its own plate, so it is seen on light and dark panels.
    """
    drawn = QIcon()
    for size in SIZES:
        picture = QPixmap(size, size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(size / 32, size / 32)
        _draw(painter, state)
        painter.end()
        drawn.addPixmap(picture)
    return drawn


def _draw(painter: QPainter, state: str) -> None:
    """On a square of 32 by 32."""
    asleep = state in {"paused", "no hotkey"}
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ASLEEP if asleep else PLATE)
    painter.drawRoundedRect(QRectF(1, 1, 30, 30), 8, 8)
    if state == "paused":
        painter.setBrush(INK)
        for left in (10, 18):
            painter.drawRoundedRect(QRectF(left, 9, 4, 14), 1.5, 1.5)
        return
    if state == "looking":
        painter.setBrush(INK)
        for middle in (8.5, 16, 23.5):
            painter.drawEllipse(QPointF(middle, 16), 2.7, 2.7)
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(INK, 3))
    painter.drawEllipse(QPointF(16, 16), 8, 8)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(INK)
    painter.drawEllipse(QPointF(16, 16), 3, 3)
    if state == "no hotkey":
        _cross_out(painter)


def _cross_out(painter: QPainter) -> None:
    """A bar from corner to corner with a gap on both sides, as signs for "off" have it."""
    path = QPainterPath(QPointF(6.5, 25.5))
    path.lineTo(25.5, 6.5)
    for colour, width in ((ASLEEP, 7.0), (INK, 3.0)):
        painter.strokePath(path, QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
