"""What is never captured, and what is remembered."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from fingerpost.app.desktop.settings_window.services import Change, Services
from fingerpost.app.desktop.widgets.cards import Page
from fingerpost.app.desktop.widgets.choice import Number
from fingerpost.app.desktop.widgets.confirm import confirmed
from fingerpost.app.desktop.widgets.name_list import NameList
from fingerpost.app.desktop.widgets.switch import Switch
from fingerpost.app.settings.values import MAX_DAYS, Settings
from fingerpost.app.text import text


class PrivacyPage(Page):
    def __init__(self, settings: Settings, change: Change, services: Services) -> None:
        super().__init__(text("settings.privacy.title"), text("settings.privacy.promise"))
        self._settings, self._change, self._services = settings, change, services
        self._exclusions()
        self._history()

    def _exclusions(self) -> None:
        settings, change, windows = self._settings, self._change, self._services.open_windows
        placeholder = text("settings.privacy.apps_placeholder")
        apps = NameList(settings.excluded_apps, lambda: [app for app, _ in windows()], placeholder)
        apps.changed.connect(lambda names: change(excluded_apps=names))
        placeholder = text("settings.privacy.titles_placeholder")
        titles = NameList(settings.excluded_titles, lambda: [title for _, title in windows()], placeholder)
        titles.changed.connect(lambda names: change(excluded_titles=names))
        card = self.card(text("settings.privacy.excluded"))
        card.block(text("settings.privacy.apps"), apps, text("settings.privacy.apps_hint"))
        card.block(text("settings.privacy.titles"), titles, text("settings.privacy.titles_hint"))

    def _history(self) -> None:
        settings, change = self._settings, self._change
        history, pictures = Switch(settings.history), Switch(settings.history_pictures)
        days = Number(0, MAX_DAYS, settings.history_days, text("settings.privacy.days_suffix"))
        days.setSpecialValueText(text("settings.privacy.for_ever"))
        for control in (pictures, days):
            control.setEnabled(settings.history)
            history.toggled.connect(control.setEnabled)
        history.toggled.connect(lambda on: change(history=on))
        pictures.toggled.connect(lambda on: change(history_pictures=on))
        days.settled.connect(lambda value: change(history_days=value))
        card = self.card(text("settings.privacy.history_heading"))
        card.row(text("settings.privacy.history"), history, text("settings.privacy.history_hint"))
        card.row(text("settings.privacy.pictures"), pictures, text("settings.privacy.pictures_hint"))
        card.row(text("settings.privacy.days"), days)
        card.row("", self._buttons())

    def _buttons(self) -> QWidget:
        """Open and clear the history."""
        both = QWidget()
        layout = QHBoxLayout(both)
        layout.setContentsMargins(0, 0, 0, 0)
        for key, pressed in (("open", self._services.open_history), ("clear", self._clear)):
            button = QPushButton(text(f"settings.privacy.{key}"))
            button.setAutoDefault(False)
            button.setProperty("danger", key == "clear")
            button.clicked.connect(lambda _checked=False, pressed=pressed: pressed())
            layout.addWidget(button)
        return both

    def _clear(self) -> None:
        if confirmed(self, text("history.clear_question"), text("history.clear_detail"), text("history.clear_yes")):
            self._services.clear_history()
