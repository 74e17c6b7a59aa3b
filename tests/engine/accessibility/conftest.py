"""A desktop with a file manager, whose toolbar shows pictures only. Started once: it takes some seconds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from desktop_session import DesktopSession, desktop_session, wait_until

from fingerpost.engine import accessibility
from fingerpost.engine.accessibility import Snapshot
from fingerpost.engine.values import Frame

PATIENCE_S = 10.0
"""For a whole tree on a busy machine; tests of deadlines set their own."""


@dataclass(frozen=True)
class Observed:
    """A running file manager: its picture and its tree of the same moment."""

    desktop: DesktopSession
    pid: int
    frame: Frame
    snapshot: Snapshot


@pytest.fixture(scope="module")
def file_manager() -> Iterator[Observed]:
    with desktop_session() as desktop, pytest.MonkeyPatch.context() as patch:
        use(desktop, patch)
        (desktop.home / "letters.txt").write_text("Dear reader,\n", "utf-8")
        process = desktop.launch("pcmanfm-qt")
        wait_for(process.pid, "Go Up", "letters.txt")
        frame = desktop.settled()
        yield Observed(desktop, process.pid, frame, accessibility.snapshot(PATIENCE_S))


def use(desktop: DesktopSession, patch: pytest.MonkeyPatch) -> None:
    """Brings this process onto the desktop."""
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        patch.setenv(name, desktop.env[name])


def wait_for(pid: int, *names: str) -> None:
    """Until a program tells all these names: its tree comes some time after its window."""
    for name in names:
        wait_until(lambda name=name: accessibility.read_back(name, pid=pid) is not None, 30, f"a node called {name}")
