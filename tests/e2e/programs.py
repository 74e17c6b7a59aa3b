"""Reads real programs back through their accessibility tree: what a click did, told by the program itself."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from desktop_session import DesktopSession, wait_until

from fingerpost.engine import accessibility
from fingerpost.engine.accessibility import AccessibleNode

PATIENCE_S = 10.0


class Program:
    """A running program."""

    def __init__(self, desktop: DesktopSession, process: subprocess.Popen[bytes]) -> None:
        self.desktop = desktop
        self.pid = process.pid

    def nodes(self) -> tuple[AccessibleNode, ...]:
        return accessibility.snapshot(PATIENCE_S, self.pid).nodes

    def shows(self, name: str, role: str | None = None) -> bool:
        """Whether something of that name is showing."""
        return accessibility.read_back(name, role, self.pid, PATIENCE_S) is not None

    def display(self) -> str:
        """What a calculator shows: the name of its display."""
        return next((node.name for node in self.nodes() if node.description == "Result Display"), "")

    def title(self) -> str:
        return accessibility.snapshot(PATIENCE_S, self.pid).window

    def has(self, name: str, state: str) -> bool:
        node = accessibility.read_back(name, None, self.pid, PATIENCE_S)
        return node is not None and state in node.states

    def comes_true(self, condition: Callable[[], bool], what: str) -> None:
        wait_until(condition, 20, what)


def start(desktop: DesktopSession, program: str, *args: str, ready: str) -> Program:
    """Start a program and wait until its tree tells of `ready`."""
    started = Program(desktop, desktop.launch(program, *args))
    started.comes_true(lambda: started.shows(ready), f"{ready} in {program}")
    desktop.settled()
    return started
