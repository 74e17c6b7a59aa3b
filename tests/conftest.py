"""Fixtures that several test files need: a picture of real applications, and a real X server."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost.engine.lite.engine import LiteEngine

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def screenshot() -> Path:
    """A screenshot of four real applications, 1280 x 800."""
    return ROOT / "packaging" / "media" / "screenshot.png"


@pytest.fixture(scope="session")
def lite() -> LiteEngine:
    """One engine for all tests: loading the networks takes half a second."""
    return LiteEngine()


def start_x_server(size: str = "1280x800x24") -> tuple[subprocess.Popen[bytes], str]:
    """A virtual X server and its display; the server says itself which display is free."""
    program = shutil.which("Xvfb")
    assert program, "Xvfb is missing: python3 packaging/bootstrap test installs it"
    reader, writer = os.pipe()
    command = [program, "-displayfd", str(writer), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as answer:
        number = answer.readline().strip()
    assert number, "Xvfb did not start"
    return server, f":{number}"


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
