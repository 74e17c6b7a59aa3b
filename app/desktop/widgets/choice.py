"""One value out of a few."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSpinBox


class Choice(QComboBox):
    """`options`: value → its words. `chosen` carries the value when the user chooses another.

    A wheel scrolls the page and never changes a choice by accident.
    """

    chosen = Signal(object)

    def __init__(self, options: Mapping[Any, str], value: object) -> None:
        super().__init__()
        self._values = list(options)
        self.addItems(list(options.values()))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setCurrentIndex(self._values.index(value) if value in self._values else -1)
        self.activated.connect(lambda row: self.chosen.emit(self._values[row]))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Number(QSpinBox):
    """A whole number; `settled` carries it once the user has finished typing or stepping."""

    settled = Signal(int)

    def __init__(self, low: int, high: int, value: int, suffix: str = "") -> None:
        super().__init__()
        self.setRange(low, high)
        self.setValue(value)
        self.setSuffix(suffix)
        self.setMinimumWidth(96)
        self.lineEdit().setTextMargins(7, 0, 0, 0)
        self.setKeyboardTracking(False)
        self.valueChanged.connect(self.settled)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
