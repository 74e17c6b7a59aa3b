"""One engine process, seen from the program: started, spoken to, listened to, ended."""

from __future__ import annotations

import multiprocessing
import queue
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.process import entry
from fingerpost.engine.process.messages import OUT_OF_MEMORY, Command, Report, TakeFrame
from fingerpost.engine.process.shared_pixels import SharedPixels, Shelf
from fingerpost.engine.values import Frame, Pixels

BURIAL_S = 5.0
"""How long a killed process may take to leave: one that waits for a device cannot be hurried."""
NO_PIXELS: Pixels = np.empty((0, 0, 4), np.uint8)

_starting = threading.Lock()


@dataclass(frozen=True)
class Setup:
    """Which engine a process loads; `factory` is "module:function", see `EngineProcess`."""

    engine: str
    threads: int
    factory: str
    beat_s: float


class Child:
    """A running process. `heard` is called with each report and `gone` once, both on a thread of this object.

    stopped  ended because the user said so, not by a mistake of its own
    """

    def __init__(self, setup: Setup, heard: Callable[[Child, Report], None], gone: Callable[[Child], None]) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, far_end = context.Pipe()
        arguments = (far_end, setup.engine, setup.threads, setup.factory, setup.beat_s)
        self._process = context.Process(target=entry.main, args=arguments, name="fingerpost-engine", daemon=True)
        with _starting, _without_main_module():
            self._process.start()
        far_end.close()
        self.stopped = False
        self._heard, self._gone = heard, gone
        self._shelf = Shelf()
        self._outbox: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=target, name=f"fingerpost-{target.__name__}", daemon=True)
            for target in (self._send, self._receive)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def say(self, command: Command) -> None:
        """Never waits, also when the process does not listen."""
        self._outbox.put(command)

    def hand_over(self, frame_id: int, frame: Frame, accessible: tuple[AccessibleNode, ...], read_now: bool) -> None:
        """Gives a frame to the process; its pixels go through shared memory when there is room."""
        header = replace(frame, pixels=NO_PIXELS)
        pixels: SharedPixels | Pixels
        try:
            pixels = self._shelf.put(frame_id, frame.pixels)
        except OSError:
            pixels = frame.pixels
        self.say(TakeFrame(frame_id, header, pixels, accessible, read_now))

    def took(self, frame_id: int) -> None:
        """The process has copied a frame's pixels."""
        self._shelf.taken(frame_id)

    def kill(self) -> None:
        """Ends the process at once; `gone` follows. May be called by any thread, and twice."""
        self._process.kill()

    def bury(self) -> str:
        """After the process has ended: frees everything; how it ended, to be put after "The engine"."""
        self._process.kill()  # it closed its line; whether it lives on does not matter any more
        self._process.join(BURIAL_S)
        self._outbox.put(None)
        for thread in self._threads:
            thread.join(BURIAL_S)
        self._connection.close()
        self._shelf.clear()
        return describe_end(self._process.exitcode)

    def _send(self) -> None:
        while (command := self._outbox.get()) is not None:
            try:
                self._connection.send(command)
            except OSError:  # the process is dead; `_receive` tells
                return

    def _receive(self) -> None:
        try:
            while True:
                self._heard(self, self._connection.recv())
        except (EOFError, OSError):  # the process is dead
            pass
        finally:
            self._gone(self)


def describe_end(exitcode: int | None) -> str:
    """How a process ended, in words."""
    if exitcode == OUT_OF_MEMORY:
        return "ran out of memory"
    if exitcode is not None and exitcode < 0:
        try:
            name = signal.Signals(-exitcode).name
        except ValueError:
            name = f"signal {-exitcode}"
        killed = name == "SIGKILL"
        return "was ended by the system, which may be short of memory" if killed else f"crashed ({name})"
    return f"ended by itself (exit status {exitcode})"


@contextmanager
def _without_main_module() -> Iterator[None]:
    """A spawned process first imports the program's main module again, with all that it imports: Qt, for example.

    The engine's process needs nothing from it; multiprocessing only has an empty one to tell about.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
