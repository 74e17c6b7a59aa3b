"""Colours can be read, the style sheet is complete, the icon's states differ by form, Qt keeps its singletons."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QObject, Qt, qInstallMessageHandler
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QPushButton

from fingerpost.app.desktop import theme
from fingerpost.app.desktop.theme import DARK, LIGHT, Theme
from fingerpost.app.desktop.theme.motion import kde_reduces_motion, said
from fingerpost.app.desktop.theme.stylesheet import style_sheet
from fingerpost.app.settings.values import Settings

STATES = ("idle", "looking", "paused", "no hotkey")

TEXT = [
    *((ink, paper) for ink in ("text", "quiet") for paper in ("window", "surface", "raised", "hover", "selected")),
    *((ink, "surface") for ink in ("accent", "accent_strong", "guess", "error", "success")),
    *(("error", paper) for paper in ("window", "surface")),
    ("on_accent", "accent"),
    ("on_accent", "accent_strong"),
    ("on_guess", "guess"),
    ("window", "text"),
]
"""Pairs of text and background: 4.5 : 1."""
FORMS = [
    *(("outline", paper) for paper in ("window", "surface")),
    *((colour, paper) for colour in ("accent", "guess") for paper in ("surface", "halo", "line")),
]
"""Pairs of a thing that has to be seen and what is beside it: 3 : 1."""


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it, 1..21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    red, green, blue, _ = QColor(colour).getRgbF()
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_and_forms_can_be_seen(look: Theme) -> None:
    for pairs, least in ((TEXT, 4.5), (FORMS, 3.0)):
        found = {pair: contrast(getattr(look, pair[0]), getattr(look, pair[1])) for pair in pairs}
        assert {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < least} == {}


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_certain_and_guess_differ_for_every_kind_of_colour_sight(look: Theme) -> None:
    """By lightness or along blue to yellow, which hardly anyone lacks."""
    certain, guess = QColor(look.accent), QColor(look.guess)
    assert abs(certain.blue() - guess.blue()) > 100


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_qt_understands_the_whole_style_sheet(qapp: QApplication, look: Theme) -> None:
    heard: list[str] = []
    before = qInstallMessageHandler(lambda _kind, _context, message: heard.append(message))
    button = QPushButton("x")
    try:
        button.setStyleSheet(style_sheet(look))
        button.ensurePolished()
    finally:
        qInstallMessageHandler(before)
    assert heard == []
    assert "$" not in style_sheet(look)
    assert qapp.styleHints() is not None


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_every_picture_of_the_style_sheet_is_there(look: Theme) -> None:
    paths = [Path(part.split('"')[0]) for part in style_sheet(look).split('url("')[1:]]
    assert len(paths) >= 6
    assert [path for path in paths if QImage(str(path)).isNull()] == []


@pytest.mark.usefixtures("qapp")
def test_the_settings_choose_and_the_system_stands_in() -> None:
    assert theme.current(Settings(theme="light", reduced_motion=False)) == LIGHT
    assert theme.current(Settings(theme="dark", reduced_motion=True)) == replace(DARK, reduced_motion=True)
    says_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    assert theme.current(Settings()).dark == says_dark


def test_both_themes_have_all_values_as_colours() -> None:
    for look in (LIGHT, DARK):
        colours = [
            getattr(look, field.name) for field in fields(look) if field.name not in {"name", "dark", "reduced_motion"}
        ]
        assert all(QColor(colour).isValid() for colour in colours)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("size", [16, 22, 64])
def test_the_states_of_the_icon_differ_without_colour(size: int) -> None:
    pictures = [grey(state, size) for state in STATES]
    for one, other in combinations(pictures, 2):
        assert np.mean(np.abs(one - other) > 60) > 0.04


def grey(state: str, size: int) -> np.ndarray:
    picture = theme.icon(state, LIGHT).pixmap(size, size).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine())
    return rows[:, : picture.width()].astype(float)


@pytest.mark.parametrize(("written", "reduced"), [("0", True), ("0.0", True), ("1", False), ("often", False)])
def test_kde_tells_whether_it_animates(tmp_path: Path, written: str, reduced: bool) -> None:
    assert not kde_reduces_motion(tmp_path)
    (tmp_path / "kdeglobals").write_text(f"[KDE]\nAnimationDurationFactor={written}\n", "utf-8")
    assert kde_reduces_motion(tmp_path) == reduced


def test_a_command_that_fails_or_is_not_there_says_nothing() -> None:
    assert said("no-such-command-anywhere") == ""
    assert said(sys.executable, "-c", "print(' yes ')") == "yes"
    assert said(sys.executable, "-c", "import sys; sys.exit(3)") == ""


@pytest.mark.usefixtures("qapp")
def test_qt_does_not_drop_references_to_singletons() -> None:
    """PySide6 6.12.0 does below Python 3.12, and aborts the process after some minutes."""
    holder = QObject()
    before = sys.getrefcount(None)
    for _ in range(200):
        holder.setObjectName("x")
    assert sys.getrefcount(None) > before - 50
