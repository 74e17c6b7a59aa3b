"""What the system says about colours and motion."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from fingerpost.app.desktop.theme.motion import system_reduces_motion
from fingerpost.app.desktop.theme.values import DARK, LIGHT, Theme
from fingerpost.app.settings.values import Settings


def current(settings: Settings) -> Theme:
    """The theme of the settings, where they say "system" that of the desktop. Needs a QGuiApplication."""
    dark = settings.theme == "dark" if settings.theme in {"light", "dark"} else system_is_dark()
    reduced = settings.reduced_motion if settings.reduced_motion is not None else system_reduces_motion()
    return replace(DARK if dark else LIGHT, reduced_motion=reduced)


def system_is_dark() -> bool:
    """Whether the desktop asks for dark windows; False where it says nothing."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


class SystemLook(QObject):
    """Tells when the desktop changed between light and dark: then ask `current` again."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        QGuiApplication.styleHints().colorSchemeChanged.connect(lambda _scheme: self.changed.emit())
