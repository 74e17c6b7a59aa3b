"""Whole desktops with the application running on them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from app_driver import AppDriver, running_app
from desktop_session import DesktopSession
from desktops import whole_desktop
from programs import Program, start
from x11_events import button_presses, held_down


@pytest.fixture(scope="module")
def desktop() -> Iterator[DesktopSession]:
    """One desktop of 1280 × 800 for a module, with a tray and without a compositor; this process is on it as well."""
    with whole_desktop() as made:
        yield made


@pytest.fixture(scope="module")
def app(desktop: DesktopSession) -> Iterator[AppDriver]:
    """One application for a module, with the settings as they are at first."""
    with running_app(desktop) as driver:
        yield driver


@pytest.fixture(scope="module")
def kcalc(desktop: DesktopSession) -> Program:
    """A calculator, the only window."""
    return start(desktop, "kcalc", ready="Result Display")


@pytest.fixture
def presses(desktop: DesktopSession) -> Iterator[list[float]]:
    """The times of all presses of the mouse's buttons, whoever makes them."""
    with button_presses(desktop) as times:
        yield times


@pytest.fixture
def rest(desktop: DesktopSession, app: AppDriver, kcalc: Program) -> Iterator[None]:
    """Before: the calculator shows 0, the pointer rests beside it. After: no palette, and nothing is held down."""
    desktop.point(640, 640)
    desktop.key("Escape")
    kcalc.comes_true(lambda: kcalc.display() == "0", "an empty display")
    app.forget()
    yield
    app.leave()
    assert held_down(desktop) == ()
