"""The first-run page: what this is, the key that opens it, what works here, and a first find that succeeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fingerpost.app.desktop.practice import Practice
from fingerpost.app.desktop.widgets.cards import Page
from fingerpost.app.desktop.widgets.check_rows import CheckRow, CheckRows
from fingerpost.app.desktop.widgets.command import CommandLine
from fingerpost.app.desktop.widgets.keys import shown
from fingerpost.app.desktop.widgets.recorder import ChordRecorder
from fingerpost.app.desktop.widgets.window_size import open_at
from fingerpost.app.hotkeys import TOGGLE
from fingerpost.app.settings.values import Settings
from fingerpost.app.text import text


class FirstRun(QWidget):
    """Shown once, and whenever the user asks for it.

    changed      settings after a choice on this page: another hotkey
    finished     settings with `first_run_done`, when the page is left, however it is left
    try_it       "Try it now": open the palette as the hotkey would
    try_hotkey   None when a chord is free, else one sentence saying who has it
    checks       what works here; called on a thread of its own
    hotkey_problem    why the chosen hotkey does not work, None when it does
    """

    changed = Signal(object)
    finished = Signal(object)
    try_it = Signal()

    def __init__(
        self,
        settings: Settings,
        try_hotkey: Callable[[str], str | None],
        checks: Callable[[], Sequence[CheckRow]],
        hotkey_problem: str | None = None,
    ) -> None:
        super().__init__()
        self._settings = settings
        self._done = False
        self.setWindowTitle(text("first_run.title"))
        self.practice = Practice()
        self.practice.try_it.connect(self.try_it)
        self.recorder = ChordRecorder(settings.hotkey, try_hotkey)
        self.recorder.chosen.connect(self._new_hotkey)
        self.checks = CheckRows(checks, brief=True)
        self._command = CommandLine(TOGGLE)
        self._lay_out()
        self.set_hotkey_problem(hotkey_problem)
        self.practice.setFocus()
        self.checks.run()

    @property
    def settings(self) -> Settings:
        return self._settings

    def set_hotkey_problem(self, problem: str | None) -> None:
        """Say why the hotkey does not work; None when it does."""
        self.recorder.set_problem(f"{problem} {text('first_run.choose_hotkey')}" if problem else None)
        self._command.setVisible(bool(problem))
        self.practice.set_hotkey(None if problem else shown(self._settings.hotkey))

    def set_settings(self, settings: Settings) -> None:
        """Settings that were changed elsewhere; the page hands them on when it is left."""
        self._settings = settings

    def finish(self) -> None:
        """Leave the page."""
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if not self._done:
            self._done = True
            self._settings = replace(self._settings, first_run_done=True)
            self.finished.emit(self._settings)

    def _new_hotkey(self, chord: str) -> None:
        self._settings = replace(self._settings, hotkey=chord)
        self._command.hide()
        self.practice.set_hotkey(shown(chord))
        self.changed.emit(self._settings)

    def _lay_out(self) -> None:
        page = Page(text("first_run.heading"), text("first_run.introduction"))
        page.card(text("first_run.hotkey")).add(self._hotkey())
        page.heading(text("first_run.practice"))
        page.add(self.practice)
        page.card(text("first_run.checks")).add(_padded(self.checks))
        page.card(text("first_run.privacy")).row(text("first_run.promise"), None, text("first_run.promise_hint"))
        bar = QFrame()
        buttons = QHBoxLayout(bar)
        buttons.setContentsMargins(24, 10, 24, 12)
        buttons.addStretch(1)
        done = QPushButton(text("first_run.finish"))
        done.setProperty("primary", True)
        done.clicked.connect(self.finish)
        buttons.addWidget(done)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(page, 1)
        layout.addWidget(bar)
        open_at(self, QSize(760, 720), least=QSize(560, 420))

    def _hotkey(self) -> QWidget:
        """The key, and the command to bind where there is none."""
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(16, 16, 16, 14)
        layout.setSpacing(10)
        layout.addWidget(self.recorder)
        layout.addWidget(self._command)
        return content


def _padded(content: QWidget) -> QWidget:
    outer = QWidget()
    layout = QVBoxLayout(outer)
    layout.setContentsMargins(16, 14, 16, 14)
    layout.addWidget(content)
    return outer
