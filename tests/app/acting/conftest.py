"""One X server and one program for all tests of a file: starting them takes longer than most of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import start_x_server


@pytest.fixture(scope="module")
def shared_display() -> Iterator[str]:
    server, name = start_x_server()
    yield name
    server.kill()
    server.wait(timeout=10)


@pytest.fixture(scope="module")
def shared_process(shared_display: str, program_class: Any) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", shared_display)
        running = program_class()
    yield running
    running.end()


@pytest.fixture
def shared_program(shared_display: str, shared_process: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A program without windows; DISPLAY is that of its X server, which has no window manager."""
    monkeypatch.setenv("DISPLAY", shared_display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    shared_process.reset()
    return shared_process
