"""The theme as a QPalette and a style sheet for all windows."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from fingerpost.app.desktop.theme.values import Theme


def apply(app: QApplication, theme: Theme) -> None:
    """Dress every window of the application, also those that are open."""
    app.setStyle("Fusion")
    app.setPalette(palette(theme))


def palette(theme: Theme) -> QPalette:
    role = QPalette.ColorRole
    colours = QPalette()
    for place, colour in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.surface),
        (role.AlternateBase, theme.hover),
        (role.Text, theme.text),
        (role.PlaceholderText, theme.quiet),
        (role.Button, theme.raised),
        (role.ButtonText, theme.text),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Accent, theme.accent),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.ToolTipBase, theme.text),
        (role.ToolTipText, theme.window),
        (role.BrightText, theme.error),
        (role.Light, theme.surface),
        (role.Midlight, theme.hover),
        (role.Mid, theme.line),
        (role.Dark, theme.outline),
        (role.Shadow, theme.outline),
    ):
        colours.setColor(place, QColor(colour))
    return colours
