"""A program with windows of its own on a real X server, with and without a window manager."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from Xlib import Xatom, display

PATIENCE_S = 6.0


def _wait_for(condition: Callable[[], Any]) -> Any:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError("the condition did not come true in time")


@pytest.fixture
def wait_for() -> Callable[[Callable[[], Any]], Any]:
    """Waits for a condition; returns its first true value."""
    return _wait_for


class Program:
    """Drives `x11_program.py`, a process of its own: its windows must not be taken for ours."""

    def __init__(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("x11_program.py"))]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.events: list[dict[str, Any]] = []
        self._answers: queue.Queue[Any] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def tell(self, *command: Any) -> Any:
        """Give a command (see `x11_program.Program`) and wait until the X server has carried it out."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return self._answers.get(timeout=PATIENCE_S)

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The events of a kind so far: "press", "release", "key", "motion"."""
        return [event for event in self.events if event["event"] == kind]

    def reset(self) -> None:
        """Close all windows and forget all events."""
        self.tell("reset")
        self.events.clear()

    def end(self) -> None:
        self.process.kill()
        self.process.wait(timeout=10)
        self._reader.join(timeout=10)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            stream.close()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            said = json.loads(line)
            if "event" in said:
                self.events.append(said)
            else:
                self._answers.put(said["answer"])


@pytest.fixture(scope="session")
def program_class() -> type[Program]:
    return Program


@pytest.fixture
def manager(x_display: str) -> Iterator[str]:
    """The display of an X server with openbox as its window manager."""
    process = subprocess.Popen(["openbox", "--sm-disable"], stderr=subprocess.DEVNULL)
    connection = display.Display(x_display)
    ready = connection.intern_atom("_NET_WORKAREA")
    _wait_for(lambda: connection.screen().root.get_full_property(ready, Xatom.CARDINAL) is not None)
    connection.close()
    yield x_display
    process.terminate()
    process.wait(timeout=10)


@pytest.fixture
def program(x_display: str) -> Iterator[Program]:
    """A running program without windows yet. Ask for `manager` first where a window manager is wanted."""
    assert os.environ["DISPLAY"] == x_display
    running = Program()
    yield running
    running.end()
