"""The key that opens the palette, and what to do where no key can be had."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from fingerpost.app.desktop.settings_window.services import Change, Services
from fingerpost.app.desktop.widgets.cards import Page
from fingerpost.app.desktop.widgets.command import CommandLine
from fingerpost.app.desktop.widgets.recorder import ChordRecorder, Keycaps
from fingerpost.app.hotkeys import TOGGLE
from fingerpost.app.settings.values import Settings
from fingerpost.app.text import text


class HotkeyPage(Page):
    """`problem`: why the chosen key does not work at the moment, one sentence."""

    def __init__(self, settings: Settings, change: Change, services: Services, problem: str | None) -> None:
        super().__init__(text("settings.hotkey.title"), text("settings.hotkey.introduction"))
        self.recorder = ChordRecorder(settings.hotkey, services.try_hotkey)
        self.recorder.chosen.connect(lambda chord: change(hotkey=chord))
        self.recorder.set_problem(problem)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(16, 16, 16, 14)
        layout.addWidget(self.recorder)
        card = self.card()
        card.add(content)
        other = self.card(text("settings.hotkey.other"))
        other.block("", CommandLine(TOGGLE), text("settings.hotkey.other_hint"))
        keys = self.card(text("settings.hotkey.inside"))
        for key in ("enter", "tab", "numbers", "arrows", "escape"):
            keys.row(text(f"settings.hotkey.inside_{key}"), Keycaps((text(f"settings.hotkey.key_{key}"),)))
