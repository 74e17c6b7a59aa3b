"""Paints marks, in physical pixels. Knows no window: the same on a screen, a picture or another process's buffer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QImage, QPainter

from fingerpost.app.desktop.overlay.values import Mark, OverlayLook
from fingerpost.engine.geometry import Monitor


def paint(painter: QPainter, monitor: Monitor, marks: Sequence[Mark], look: OverlayLook) -> None:
    """Paint what `monitor` shows of the marks.

    The painter's unit is one physical pixel and its origin the monitor's top left one; `monitor.scale` sizes text and
    lines. What is not painted is left as it was.
    """


def image(monitor: Monitor, marks: Sequence[Mark], look: OverlayLook) -> QImage:
    """The overlay of one monitor as a picture of its size, ARGB32 premultiplied, transparent where nothing is shown."""
    picture = QImage(monitor.box.width, monitor.box.height, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0)
    painter = QPainter(picture)
    paint(painter, monitor, marks, look)
    painter.end()
    return picture
