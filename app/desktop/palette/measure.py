"""Lengths and fonts of the palette: they grow with the system's font, for those who need it larger."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontInfo, QGuiApplication

USUAL_TEXT = 13  # logical pixels; a system font below this is shown at this size


def px(length: float) -> int:
    """A length designed for `USUAL_TEXT`, in logical pixels."""
    return round(length * _factor())


def font(size: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The system's font; `size` as designed for `USUAL_TEXT`."""
    chosen = QFont(QGuiApplication.font())
    chosen.setPixelSize(px(size))
    chosen.setWeight(weight)
    return chosen


def _factor() -> float:
    return max(1.0, QFontInfo(QGuiApplication.font()).pixelSize() / USUAL_TEXT)
