"""The settings window: every choice takes effect at once.

window.py    the window: the list of pages and the page that is shown
services.py  what it asks of the rest of the application
one file a page
"""

from fingerpost.app.desktop.settings_window.services import Services
from fingerpost.app.desktop.settings_window.window import PAGES, SettingsWindow

__all__ = ["PAGES", "Services", "SettingsWindow"]
