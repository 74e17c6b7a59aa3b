"""The window: a list of pages on the left, the page on the right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from fingerpost.app import text as words
from fingerpost.app.desktop.settings_window.about import AboutPage
from fingerpost.app.desktop.settings_window.actions import ActionsPage
from fingerpost.app.desktop.settings_window.engine import EnginePage
from fingerpost.app.desktop.settings_window.general import GeneralPage
from fingerpost.app.desktop.settings_window.hotkey import HotkeyPage
from fingerpost.app.desktop.settings_window.privacy import PrivacyPage
from fingerpost.app.desktop.settings_window.services import Services
from fingerpost.app.desktop.widgets.cards import Notice, Page
from fingerpost.app.desktop.widgets.page_list import PageList
from fingerpost.app.desktop.widgets.window_size import open_at
from fingerpost.app.settings.values import Settings
from fingerpost.app.text import text

PAGES = ("general", "hotkey", "engine", "actions", "privacy", "about")


class SettingsWindow(QWidget):
    """`changed` carries all settings after each change; who hears it keeps them and makes them true.

    A new language is spoken (`app.text.use`) before `changed` is emitted; the window then translates itself.
    """

    changed = Signal(object)

    def __init__(self, settings: Settings, services: Services) -> None:
        super().__init__()
        self._settings, self._services = settings, services
        self._hotkey_problem: str | None = None
        self._list = PageList()
        self._list.currentRowChanged.connect(self._show)
        self._stack = QStackedWidget()
        self._notice = Notice()
        self._lay_out()
        self._build()
        QShortcut(QKeySequence.StandardKey.Close, self, self.close)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def page(self) -> Page:
        """The page that is shown."""
        shown = self._stack.currentWidget()
        assert isinstance(shown, Page)
        return shown

    def open_page(self, name: str) -> None:
        """Show one of `PAGES`, and the window in front of the others."""
        self._list.setCurrentRow(PAGES.index(name))
        self.show()
        self.raise_()
        self.activateWindow()

    def set_settings(self, settings: Settings) -> None:
        """Show settings that were changed elsewhere."""
        if settings != self._settings:
            self._settings = settings
            self._build()

    def set_hotkey_problem(self, problem: str | None) -> None:
        """Say on the hotkey page why the key does not work; None when it does."""
        self._hotkey_problem = problem
        hotkey = self._stack.widget(PAGES.index("hotkey"))
        if isinstance(hotkey, HotkeyPage):
            hotkey.recorder.set_problem(problem)

    def show_problem(self, sentence: str) -> None:
        """Say something that matters on every page, such as that nothing can be saved; "" takes it away."""
        self._notice.tell(sentence, "warning")

    def problem_is_over(self, sentence: str) -> None:
        """Take that sentence away; another one stays."""
        if sentence and self._notice.words == sentence:
            self._notice.tell("")

    def change(self, **values: Any) -> None:
        """Take new values of some fields and tell everybody."""
        settings = replace(self._settings, **values)
        if settings == self._settings:
            return
        translate = settings.language != self._settings.language
        self._settings = settings
        if translate:
            words.use(settings.language)
        self.changed.emit(settings)
        if translate:
            self._build()

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        self._notice.setContentsMargins(24, 14, 24, 0)
        right.addWidget(self._notice)
        right.addWidget(self._stack, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._list)
        layout.addLayout(right, 1)
        open_at(self, QSize(920, 660), least=QSize(720, 420))

    def _build(self) -> None:
        """Make all pages anew in the language in use; the same one stays on top."""
        row = max(self._list.currentRow(), 0)
        self.setWindowTitle(text("settings.title"))
        self._list.setAccessibleName(text("settings.pages"))
        self._list.blockSignals(True)
        self._list.show_pages([text(f"settings.{name}.title") for name in PAGES])
        self._list.blockSignals(False)
        while page := self._stack.widget(0):
            self._stack.removeWidget(page)
            page.deleteLater()
        for name in PAGES:
            self._stack.addWidget(self._pages()[name]())
        self._list.setCurrentRow(row)

    def _pages(self) -> dict[str, Callable[[], Page]]:
        settings, change, services = self._settings, self.change, self._services
        return {
            "general": lambda: GeneralPage(settings, change),
            "hotkey": lambda: HotkeyPage(settings, change, services, self._hotkey_problem),
            "engine": lambda: EnginePage(settings, change, services),
            "actions": lambda: ActionsPage(settings, change, services),
            "privacy": lambda: PrivacyPage(settings, change, services),
            "about": lambda: AboutPage(services),
        }

    def _show(self, row: int) -> None:
        self._stack.setCurrentIndex(row)
        shown = self._stack.currentWidget()
        if isinstance(shown, AboutPage):
            shown.first_shown()
