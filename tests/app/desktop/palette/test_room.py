"""The palette never covers what is pointed at when there is room elsewhere, and does not move without need."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from fingerpost.app.desktop.palette.room import EDGE, free_top, home

SCREEN = QRect(-1920, -100, 1920, 1080)


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> QApplication:
    """Fonts need one, and lengths follow them."""
    return qapp


def card(top: int, height: int) -> QRect:
    return QRect(SCREEN.left() + 610, top, 700, height)


@given(
    x=st.integers(SCREEN.left(), SCREEN.right() - 200),
    y=st.integers(SCREEN.top(), SCREEN.bottom() - 60),
    width=st.integers(8, 200),
    height=st.integers(8, 60),
    own=st.integers(100, 380),
)
def test_a_card_that_leaves_room_never_covers_the_target(x: int, y: int, width: int, height: int, own: int) -> None:
    target = QRect(x, y, width, height)
    before = card(home(SCREEN), own)
    after = card(free_top(before, target, SCREEN), own)
    assert not after.intersects(target)
    assert SCREEN.contains(after)
    if not before.intersects(target.adjusted(-30, -60, 30, 60)):
        assert after == before


def test_without_any_room_it_stays() -> None:
    full = card(SCREEN.top() + EDGE, SCREEN.height() - 2 * EDGE)
    assert free_top(full, QRect(SCREEN.left() + 700, 300, 50, 20), SCREEN) == full.top()
