"""How large a window opens."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

SHARE = 0.94  # of the screen's free place, at most


def open_at(window: QWidget, wanted: QSize, least: QSize) -> None:
    """Give a window its first size, less on a small screen; the user may make it as small as `least`."""
    window.setMinimumSize(least)
    free = window.screen().availableSize()
    window.resize(wanted.boundedTo(free * SHARE).expandedTo(least))
