"""The windows of the application, each made when it is first asked for and kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

from fingerpost.app import doctor
from fingerpost.app.desktop.first_run import FirstRun
from fingerpost.app.desktop.history_window import HistoryWindow
from fingerpost.app.desktop.settings_window import Services, SettingsWindow
from fingerpost.app.desktop.widgets.check_rows import CheckRow, rows_of
from fingerpost.app.history.store import History
from fingerpost.app.settings.values import Settings
from fingerpost.app.windowing import visible_windows
from fingerpost.engine.errors import WindowError

CLOSING_MS = 250
"""From the click on "Try it now" to the palette: the button must have come up again in the picture."""


class Owner(Protocol):
    """What the windows need of the application."""

    settings: Settings
    history: History

    def change(self, settings: Settings) -> None: ...
    def try_hotkey(self, written: str) -> str | None: ...
    def clear_history(self) -> None: ...
    def load_queries(self) -> None: ...
    def open_palette(self) -> None: ...


class Windows(QObject):
    def __init__(self, owner: Owner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._owner = owner
        self._settings: SettingsWindow | None = None
        self._history: HistoryWindow | None = None
        self._first_run: FirstRun | None = None
        self._hotkey_problem: str | None = None

    @property
    def any_open(self) -> bool:
        windows: Sequence[QWidget | None] = (self._settings, self._history, self._first_run)
        return any(window is not None and window.isVisible() for window in windows)

    def settings(self, page: str = "general", notice: str = "", in_front: bool = True) -> None:
        """Show the settings at one of their pages, with a sentence above when there is something to say."""
        if self._settings is None:
            services = Services(
                self._owner.try_hotkey, open_windows, run_doctor, self.history, self._owner.clear_history
            )
            self._settings = SettingsWindow(self._owner.settings, services)
            self._settings.changed.connect(self._owner.change)
        self._settings.set_settings(self._owner.settings)
        self._settings.set_hotkey_problem(self._hotkey_problem)
        if notice:
            self._settings.show_problem(notice)
        self._settings.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not in_front)
        if in_front:
            self._settings.open_page(page)
        else:
            self._settings.show()
            self._settings.lower()

    def doctor(self) -> None:
        self.settings("about")

    def history(self) -> None:
        if self._history is None:
            self._history = HistoryWindow(self._owner.history)
            self._history.cleared.connect(self._owner.clear_history)
            self._history.deleted.connect(lambda _entry: self._owner.load_queries())
        self._history.refresh()
        _to_front(self._history)

    def first_run(self) -> None:
        """The page for the first start; it is made anew, in the language in use."""
        page = FirstRun(self._owner.settings, self._owner.try_hotkey, run_doctor, self._hotkey_problem)
        page.changed.connect(self._owner.change)
        page.finished.connect(self._owner.change)
        page.try_it.connect(lambda: QTimer.singleShot(CLOSING_MS, self._owner.open_palette))
        self._first_run = page
        _to_front(page)

    def found(self, query: str) -> None:
        """Something was found and clicked; the history that is open shows it."""
        if self._history is not None and self._history.isVisible():
            self._history.refresh()

    def settings_changed(self, settings: Settings) -> None:
        """Show settings that were changed elsewhere."""
        for window in (self._settings, self._first_run):
            if window is not None:
                window.set_settings(settings)

    def set_hotkey_problem(self, problem: str | None) -> None:
        """Say wherever it matters why the hotkey does not work; None when it does."""
        self._hotkey_problem = problem
        for window in (self._settings, self._first_run):
            if window is not None and window.isVisible():
                window.set_hotkey_problem(problem)

    def show_problem(self, sentence: str) -> None:
        """A sentence above the settings when they are open."""
        if self._settings is not None and self._settings.isVisible():
            self._settings.show_problem(sentence)

    def problem_is_over(self, sentence: str) -> None:
        """That sentence is not true any more; another one stays."""
        if self._settings is not None:
            self._settings.problem_is_over(sentence)

    def close_all(self) -> None:
        for window in (self._settings, self._history, self._first_run):
            if window is not None:
                window.close()


def open_windows() -> tuple[tuple[str, str], ...]:
    """Program and title of each open window, topmost first; none where nobody tells."""
    try:
        return tuple((window.app, window.title) for window in visible_windows())
    except WindowError:
        return ()


def run_doctor() -> tuple[CheckRow, ...]:
    return rows_of(doctor.run_checks())


def _to_front(window: QWidget) -> None:
    window.show()
    window.raise_()
    window.activateWindow()
