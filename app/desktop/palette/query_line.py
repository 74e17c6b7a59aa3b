"""A line of text that hands the palette's keys on and keeps all others, those of input methods included."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from fingerpost.app.desktop.palette.keys import Press


class QueryLine(QLineEdit):
    """`pressed` is asked first about every key; True means that it was a command."""

    def __init__(self, pressed: Callable[[Press], bool], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed = pressed
        self._composing = False
        self.setFrame(False)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return False  # Tab is a command

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # While an input method composes, Enter and arrows are about its candidates, not about ours.
        if not self._composing and self._pressed(press_of(event)):
            event.accept()
            return
        super().keyPressEvent(event)


def press_of(event: QKeyEvent) -> Press:
    modifiers, held = event.modifiers(), Qt.KeyboardModifier
    return Press(
        event.key(),
        bool(modifiers & held.AltModifier),
        bool(modifiers & held.ShiftModifier),
        bool(modifiers & held.ControlModifier),
        event.nativeScanCode(),
    )


def platform() -> str:
    return QGuiApplication.platformName()
