"""What programs tell assistive software: names, kinds and places of what a window shows, exact where it is told.

A walk takes up to a few hundred milliseconds, so it is begun together with the capture:

    pending = begin(deadline_s=0.3)
    ...
    snapshot = pending.result()

Nothing here raises: where nothing can be read, the snapshot is empty, and `problem` says why.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import Future
from functools import cache
from typing import Protocol

from fingerpost.engine.accessibility.nodes import EMPTY, AccessibleNode, Snapshot, find_node, uncovered

__all__ = ["AccessibleNode", "Pending", "Snapshot", "begin", "enable", "find_node", "prepare", "problem", "read_back",
           "snapshot", "uncovered"]  # fmt: skip

DEADLINE_S = 0.3
LEEWAY_S = 0.15
"""How long after the deadline a reader is waited for, to hand over what it has."""


class Reader(Protocol):
    """Reads the trees of one system. No method raises but `begin`'s future."""

    name: str

    def begin(self, deadline_s: float, pid: int | None) -> Future[Snapshot]: ...
    def problem(self) -> str | None: ...
    def enable(self) -> bool: ...
    def prepare(self) -> None: ...


class Pending:
    """A walk under way."""

    def __init__(self, future: Future[Snapshot], deadline_s: float) -> None:
        self._future = future
        self._end = time.monotonic() + deadline_s + LEEWAY_S

    @property
    def done(self) -> bool:
        return self._future.done()

    def result(self) -> Snapshot:
        """Waits until the deadline of the walk at most. Empty when nothing was read."""
        try:
            return self._future.result(max(0.0, self._end - time.monotonic()))
        except Exception:  # whatever a program, a bus or a COM server may answer: the picture is enough to work with
            self._future.cancel()
            return EMPTY


def begin(deadline_s: float = DEADLINE_S, pid: int | None = None) -> Pending:
    """Starts reading the active window, or that of the process `pid`, in the background; returns at once."""
    reader = _reader()
    return Pending(_nothing() if reader is None else reader.begin(deadline_s, pid), deadline_s)


def snapshot(deadline_s: float = DEADLINE_S, pid: int | None = None) -> Snapshot:
    """The active window, or that of the process `pid`, as far as it could be read within the deadline."""
    return begin(deadline_s, pid).result()


def read_back(
    name: str, role: str | None = None, pid: int | None = None, deadline_s: float = 1.0
) -> AccessibleNode | None:
    """The node of that name (or description) as it is now, to see what a click did; None when there is none."""
    return find_node(snapshot(deadline_s, pid).nodes, role, name)


def problem() -> str | None:
    """Why windows cannot be read, as a clause; None when they can."""
    reader = _reader()
    return "this system's programs cannot be asked yet" if reader is None else reader.problem()


def enable() -> bool:
    """Asks all programs to tell what they show, as a screen reader does; True when they do. Ask the user first.

    On Linux the choice is kept by the session. Programs that run already notice, most of them.
    """
    reader = _reader()
    return reader is not None and reader.enable()


def prepare() -> None:
    """Makes the first walk as quick as the next ones; returns at once."""
    reader = _reader()
    if reader is not None:
        reader.prepare()


@cache
def _reader() -> Reader | None:
    if sys.platform.startswith("linux"):
        from fingerpost.engine.accessibility.atspi import AtSpi

        return AtSpi()
    if sys.platform == "win32":
        from fingerpost.engine.accessibility.windows import UiAutomation

        return UiAutomation()
    return None


def _nothing() -> Future[Snapshot]:
    future: Future[Snapshot] = Future()
    future.set_result(EMPTY)
    return future
