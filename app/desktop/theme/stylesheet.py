"""The theme as a QPalette and a style sheet for all windows.

A button that is the page's main one has the property `primary`, one that destroys something `danger`. Both are set
with `setProperty` before the widget is shown.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from string import Template

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from fingerpost.app.desktop.theme.values import Theme

GLYPHS = Path(__file__).parent / "glyphs"
SHEET = Path(__file__).parent / "windows.qss"


def apply(app: QApplication, theme: Theme) -> None:
    """Dress every window of the application, also those that are open."""
    app.setStyle("Fusion")
    app.setPalette(palette(theme))
    app.setStyleSheet(style_sheet(theme))


def style_sheet(theme: Theme) -> str:
    """`windows.qss` with the theme's colours and pictures."""
    glyphs = {path.stem.removesuffix(f"-{theme.name}"): path for path in GLYPHS.glob(f"*-{theme.name}.svg")}
    pictures = {f"glyph_{name}": f'url("{path.as_posix()}")' for name, path in glyphs.items()}
    return Template(SHEET.read_text("utf-8")).substitute(asdict(theme), **pictures)


def palette(theme: Theme) -> QPalette:
    role, group = QPalette.ColorRole, QPalette.ColorGroup
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
    for place in (role.WindowText, role.Text, role.ButtonText):
        colours.setColor(group.Disabled, place, QColor(theme.outline))
    return colours
