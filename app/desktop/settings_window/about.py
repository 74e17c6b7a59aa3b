"""What this is, and what works on this machine."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fingerpost.app.desktop.settings_window.services import Services
from fingerpost.app.desktop.widgets.cards import Page
from fingerpost.app.desktop.widgets.check_rows import CheckRows
from fingerpost.app.text import text


class AboutPage(Page):
    """The checks run when the page is first shown."""

    def __init__(self, services: Services) -> None:
        super().__init__(text("settings.about.title"), text("settings.about.introduction"))
        self.checks = CheckRows(services.checks)
        self._asked = False
        self._again = _button("settings.about.again", self.checks.run)
        self._copy = _button("settings.about.copy", self._copy_report)
        self._copy.setEnabled(False)
        self.checks.arrived.connect(lambda _rows: self._copy.setEnabled(True))
        about = self.card()
        about.row(f"Fingerpost {version()}", None, text("settings.about.licence"))
        self.card(text("settings.about.checks")).add(self._report())

    def first_shown(self) -> None:
        if not self._asked:
            self._asked = True
            self.checks.run()

    def _report(self) -> QWidget:
        report, buttons = QWidget(), QHBoxLayout()
        buttons.addWidget(self._again)
        buttons.addWidget(self._copy)
        buttons.addStretch(1)
        layout = QVBoxLayout(report)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(14)
        layout.addWidget(self.checks)
        layout.addLayout(buttons)
        return report

    def _copy_report(self) -> None:
        QGuiApplication.clipboard().setText(f"Fingerpost {version()}\n{self.checks.as_text()}")
        self._copy.setText(text("settings.copied"))


def version() -> str:
    return importlib.metadata.version("fingerpost")


def _button(key: str, pressed: Callable[[], None]) -> QPushButton:
    button = QPushButton(text(key))
    button.setAutoDefault(False)
    button.clicked.connect(lambda _checked=False: pressed())
    return button
