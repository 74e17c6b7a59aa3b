"""What finds things: the engine, and how much of the machine it may use."""

from __future__ import annotations

import os

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from fingerpost.app.desktop.settings_window.services import Change, Services
from fingerpost.app.desktop.widgets.cards import Page
from fingerpost.app.desktop.widgets.choice import Choice, Number
from fingerpost.app.desktop.widgets.switch import Switch
from fingerpost.app.settings.values import MAX_THREADS, Settings
from fingerpost.app.text import text


class EnginePage(Page):
    def __init__(self, settings: Settings, change: Change, services: Services) -> None:
        super().__init__(text("settings.engine.title"), text("settings.engine.introduction"))
        card = self.card()
        names = dict.fromkeys((*services.engines, settings.engine))
        engine = Choice({name: _engine_name(name) for name in names}, settings.engine)
        engine.chosen.connect(lambda value: change(engine=value))
        card.row(text("settings.engine.engine"), engine, text("settings.engine.engine_hint"))
        threads = Number(1, max(settings.threads, min(os.cpu_count() or 1, MAX_THREADS)), settings.threads)
        threads.settled.connect(lambda value: change(threads=value))
        card.row(text("settings.engine.threads"), threads, text("settings.engine.threads_hint"))
        tree = Switch(settings.accessibility)
        tree.toggled.connect(lambda value: change(accessibility=value))
        card.row(text("settings.engine.accessibility"), tree, text("settings.engine.accessibility_hint"))
        model = ModelFile(settings.model)
        model.file_field.editingFinished.connect(lambda: change(model=model.file_field.text().strip()))
        card.block(text("settings.engine.model"), model, text("settings.engine.model_hint"))


def _engine_name(name: str) -> str:
    known = {
        "auto": text("settings.engine.auto"),
        "lite": text("settings.engine.lite"),
        "holotron": text("settings.engine.holotron"),
    }
    return known.get(name, name)


class ModelFile(QWidget):
    """A file's path, typed or chosen; empty for none."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.file_field = QLineEdit(path, placeholderText=text("settings.engine.no_model"), clearButtonEnabled=True)
        self.file_field.setAccessibleName(text("settings.engine.model"))
        browse = QPushButton(text("settings.engine.browse"))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.file_field, 1)
        layout.addWidget(browse)

    def _browse(self) -> None:
        title = text("settings.engine.model")
        path, _ = QFileDialog.getOpenFileName(self, title, self.file_field.text(), "GGUF (*.gguf)")
        if path:
            self.file_field.setText(path)
            self.file_field.editingFinished.emit()
