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

    def node(self, name: str, role: str | None = None) -> AccessibleNode | None:
        """What has that name, or is described so."""
        return accessibility.read_back(name, role, self.pid, PATIENCE_S)

    def shows(self, name: str, role: str | None = None) -> bool:
        """Whether something of that name is showing."""
        return self.node(name, role) is not None

    def display(self) -> str:
        """What a calculator shows: the name of its display."""
        return next((node.name for node in self.nodes() if node.description == "Result Display"), "")

    def has(self, name: str, state: str) -> bool:
        node = self.node(name)
        return node is not None and state in node.states

    def holds(self, words: str) -> bool:
        """Whether one of its fields holds these words."""
        return any(words in node.text for node in self.nodes())

    def comes_true(self, condition: Callable[[], bool], what: str) -> None:
        wait_until(condition, 20, what)

    def displays(self, shown: str) -> None:
        """Wait until a calculator's display shows this."""
        self.comes_true(lambda: self.display() == shown, f"{shown} on the display, which shows {self.display()}")

    def clear(self) -> None:
        """Bring a calculator to the front, 0 on its display, the pointer beside it: a digit that an earlier test
        left there would be a second one to find."""
        self.desktop.point(640, 640)
        self.come_to_front()
        self.desktop.key("Escape")
        self.displays("0")

    def window(self) -> int:
        """The X window of the program."""
        command = ["xdotool", "search", "--pid", str(self.pid)]
        found = subprocess.run(command, check=True, env=self.desktop.env, timeout=20, capture_output=True, text=True)
        managed = set(self.desktop.windows())
        return next(number for number in map(int, found.stdout.split()) if number in managed)

    def come_to_front(self) -> None:
        command = ["xdotool", "windowactivate", "--sync", str(self.window())]
        subprocess.run(command, check=True, env=self.desktop.env, timeout=20)

    def move(self, x: int, y: int) -> None:
        """Move its window to a place on the desktop."""
        command = ["xdotool", "windowmove", "--sync", str(self.window()), str(x), str(y)]
        subprocess.run(command, check=True, env=self.desktop.env, timeout=20)


def start(desktop: DesktopSession, program: str, *args: str, ready: str) -> Program:
    """Start a program and wait until its tree tells of `ready`."""
    started = Program(desktop, desktop.launch(program, *args))
    started.comes_true(lambda: started.shows(ready), f"{ready} in {program}")
    desktop.settled()
    return started
