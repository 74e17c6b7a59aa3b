"""Whole desktops with the application running on them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from desktop_session import DesktopSession, desktop_session


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[DesktopSession]:
    """An empty desktop of 1280 × 800; this process is on it as well, to look and to ask."""
    with desktop_session() as made:
        join(made, monkeypatch)
        yield made


def join(desktop: DesktopSession, patch: pytest.MonkeyPatch) -> None:
    """Bring this process onto the desktop."""
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        patch.setenv(name, desktop.env[name])
    patch.delenv("WAYLAND_DISPLAY", raising=False)
