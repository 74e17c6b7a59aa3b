"""Language, looks, and starting with the desktop."""

from __future__ import annotations

from fingerpost.app.desktop.settings_window.services import Change
from fingerpost.app.desktop.widgets.cards import Page
from fingerpost.app.desktop.widgets.choice import Choice
from fingerpost.app.desktop.widgets.switch import Switch
from fingerpost.app.settings.values import THEMES, Settings
from fingerpost.app.text import LANGUAGES, system_language, text


class GeneralPage(Page):
    def __init__(self, settings: Settings, change: Change) -> None:
        super().__init__(text("settings.general.title"))
        looks = self.card()
        language = Choice({"": _system_language(), **LANGUAGES}, settings.language)
        language.chosen.connect(lambda value: change(language=value))
        looks.row(text("settings.general.language"), language)
        theme = Choice({name: text(f"settings.general.theme_{name}") for name in THEMES}, settings.theme)
        theme.chosen.connect(lambda value: change(theme=value))
        looks.row(text("settings.general.theme"), theme)
        motion = Choice(_motions(), settings.reduced_motion)
        motion.chosen.connect(lambda value: change(reduced_motion=value))
        looks.row(text("settings.general.motion"), motion, text("settings.general.motion_hint"))
        dim = Switch(settings.dim)
        dim.toggled.connect(lambda on: change(dim=on))
        looks.row(text("settings.general.dim"), dim, text("settings.general.dim_hint"))
        start = Switch(settings.start_at_login)
        start.toggled.connect(lambda on: change(start_at_login=on))
        self.card().row(text("settings.general.start"), start, text("settings.general.start_hint"))


def _system_language() -> str:
    """ "As the system: Deutsch" """
    spoken = LANGUAGES.get(system_language(), LANGUAGES["en"])
    return text("settings.general.language_system", language=spoken)


def _motions() -> dict[bool | None, str]:
    return {
        None: text("settings.general.motion_system"),
        True: text("settings.general.motion_less"),
        False: text("settings.general.motion_full"),
    }
