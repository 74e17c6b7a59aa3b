"""Windows are tested without a screen: Qt's own "offscreen" platform shows them, and real key and mouse events reach
them. One application serves all tests of the process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from fingerpost.app import text as words
from fingerpost.app.desktop import theme
from fingerpost.app.desktop.theme import Theme


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Every test begins in English, whatever the one before spoke."""
    words.use("en")
    yield
    words.use("en")


@pytest.fixture
def dress(qapp: QApplication) -> Iterator[Callable[[Theme], None]]:
    """Shows all windows in a theme; afterwards they look as before."""
    palette, sheet = qapp.palette(), qapp.styleSheet()
    yield lambda look: theme.apply(qapp, look)
    qapp.setPalette(palette)
    qapp.setStyleSheet(sheet)
