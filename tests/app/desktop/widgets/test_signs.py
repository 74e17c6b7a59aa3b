"""Signs differ by their shape and stand out from what they lie on."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fingerpost.app.desktop import theme
from fingerpost.app.desktop.theme.stylesheet import palette
from fingerpost.app.desktop.widgets import signs


def luminance(colour: QColor) -> float:
    """Of WCAG 2."""
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK])
@pytest.mark.parametrize("name", signs.COLOURS)
def test_a_sign_stands_out_from_windows_and_cards(look: theme.Theme, name: str) -> None:
    colours = palette(look)
    for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base):
        assert contrast(signs.colour(name, colours), colours.color(role)) >= 3


def test_no_two_signs_have_the_same_shape(qtbot: QtBot) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    shapes = set()
    for name in signs.COLOURS:
        picture = signs.pixmap(name, app.palette(), 32).toImage()
        paper = app.palette().color(QPalette.ColorRole.Base)
        shapes.add(
            tuple(
                picture.pixelColor(x, y).alpha() > 128 and contrast(picture.pixelColor(x, y), paper) > 2
                for x in range(32)
                for y in range(32)
            )
        )
    assert len(shapes) == len(signs.COLOURS)
