"""What Enter does, when it asks first, and how to stop it."""

from __future__ import annotations

from fingerpost.app.desktop.settings_window.services import Change, Services
from fingerpost.app.desktop.widgets.cards import Page
from fingerpost.app.desktop.widgets.choice import Choice
from fingerpost.app.desktop.widgets.name_list import NameList
from fingerpost.app.desktop.widgets.switch import Switch
from fingerpost.app.settings.values import ACTIONS, Settings
from fingerpost.app.text import text


class ActionsPage(Page):
    def __init__(self, settings: Settings, change: Change, services: Services) -> None:
        super().__init__(text("settings.actions.title"))
        card = self.card()
        action = Choice({name: text(f"action.{name}") for name in ACTIONS}, settings.action)
        action.chosen.connect(lambda value: change(action=value))
        card.row(text("settings.actions.action"), action, text("settings.actions.action_hint"))
        dry_run = Switch(settings.dry_run)
        dry_run.toggled.connect(lambda on: change(dry_run=on))
        card.row(text("settings.actions.dry_run"), dry_run, text("settings.actions.dry_run_hint"))
        allowed = NameList(
            settings.allowed_apps,
            lambda: [app for app, _ in services.open_windows()],
            text("settings.actions.allowed_placeholder"),
        )
        allowed.changed.connect(lambda names: change(allowed_apps=names))
        confirm = self.card(text("settings.actions.confirm"))
        confirm.row(text("settings.actions.confirm_rule"), None, text("settings.actions.confirm_rule_hint"))
        confirm.block(text("settings.actions.allowed"), allowed, text("settings.actions.allowed_hint"))
        stop = self.card(text("settings.actions.stop"))
        for way in ("escape", "pointer", "corner", "tray"):
            stop.row(text(f"settings.actions.stop_{way}"), None, text(f"settings.actions.stop_{way}_hint"))
