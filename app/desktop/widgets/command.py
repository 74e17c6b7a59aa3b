"""A command to copy."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from fingerpost.app.text import text


class CommandLine(QWidget):
    """Shows a command that cannot be edited, with a button that copies it."""

    def __init__(self, command: str) -> None:
        super().__init__()
        self._command = command
        field = QLineEdit(command, readOnly=True)
        field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        field.setAccessibleName(command)
        self._button = QPushButton(text("settings.copy"))
        self._button.setAutoDefault(False)
        self._button.clicked.connect(self._copy)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(field, 1)
        layout.addWidget(self._button)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._command)
        self._button.setText(text("settings.copied"))
