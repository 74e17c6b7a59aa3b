"""How everything looks: colours, style sheet, motion, and the icon of the application.

theme = current(settings)
apply(app, theme)
"""

from __future__ import annotations

from fingerpost.app.desktop.theme.icons import icon
from fingerpost.app.desktop.theme.stylesheet import apply
from fingerpost.app.desktop.theme.system import SystemLook, current
from fingerpost.app.desktop.theme.values import DARK, LIGHT, Theme

__all__ = ["DARK", "LIGHT", "SystemLook", "Theme", "apply", "current", "icon"]
