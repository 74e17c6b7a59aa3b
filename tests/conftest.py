"""Fixtures that several test files need: a picture of real applications, and a real X server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost.engine.lite.engine import LiteEngine

sys.path.insert(0, str(Path(__file__).parent))  # for desktop_session, which tests in several folders use

from desktop_session import DesktopSession, desktop_session, start_x_server

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def screenshot() -> Path:
    """A screenshot of four real applications, 1280 x 800."""
    return ROOT / "packaging" / "media" / "screenshot.png"


@pytest.fixture(scope="session")
def lite() -> LiteEngine:
    """One engine for all tests: loading the networks takes half a second."""
    return LiteEngine()


@pytest.fixture
def x_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    """A fresh X server of 1280 x 800, which a test may stop or kill; DISPLAY is set to it."""
    server, display = start_x_server()
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    yield server
    server.kill()  # also one that was stopped
    server.wait(timeout=10)


@pytest.fixture
def x_display(x_server: subprocess.Popen[bytes]) -> str:
    """The display of a fresh X server of 1280 x 800; DISPLAY is set to it."""
    assert x_server.poll() is None
    return os.environ["DISPLAY"]


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[DesktopSession]:
    """A fresh desktop of 1280 x 800 with a window manager and buses of its own, where this process is, too."""
    with desktop_session() as session:
        for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
            monkeypatch.setenv(name, session.env[name])
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
        yield session
