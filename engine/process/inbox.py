"""What the program wants from the engine, reduced to what still matters. One thread fills it, another works it off."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.process.messages import (
    Cancel,
    Command,
    DropFrame,
    Find,
    Settle,
    TakeFrame,
    TakeSession,
    TakeTree,
)
from fingerpost.engine.turn import Turn
from fingerpost.engine.values import Frame


@dataclass(frozen=True)
class View:
    """A frame, and the accessibility tree when it has arrived."""

    frame: Frame
    accessible: tuple[AccessibleNode, ...] = ()


@dataclass(frozen=True)
class Reading:
    """Read this frame; nobody has asked anything yet."""

    frame_id: int


class Inbox:
    """Of several queries about one frame only the newest is kept, of several frames to read only the newest."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._views: dict[int, View] = {}
        self._wanted: dict[int, Find] = {}
        self._unread: int | None = None
        self._current: Find | None = None
        self._turns: dict[int, tuple[Turn, ...]] = {}
        self._settled: list[Settle] = []

    def put(self, command: Command, frame: Frame | None = None) -> None:
        """Takes a command; `frame` is that of a `TakeFrame`, with its pixels."""
        with self._changed:
            match command:
                case TakeFrame(frame_id, _, _, accessible, read_now) if frame is not None:
                    self._views[frame_id] = View(frame, accessible)
                    self._unread = frame_id if read_now else self._unread
                case TakeTree(frame_id, accessible) if frame_id in self._views:
                    self._views[frame_id] = replace(self._views[frame_id], accessible=accessible)
                case DropFrame(frame_id):
                    self._drop(frame_id)
                case TakeSession(session, turns):
                    self._turns[session] = turns
                case Find():
                    self._withdraw(lambda find: find.frame_id == command.frame_id)
                    self._wanted[command.frame_id] = command
                case Settle():
                    self._settled.append(command)
                case Cancel(request):
                    self._withdraw(lambda find: find.request == request)
            self._changed.notify()

    def next(self) -> Find | Reading:
        """Waits for something to do. Queries come before reading ahead, those that wait longest first."""
        with self._changed:
            self._current = None
            self._changed.wait_for(lambda: self._wanted or self._unread is not None)
            if self._wanted:
                self._current = self._wanted.pop(next(iter(self._wanted)))
                return self._current
            assert self._unread is not None
            reading = Reading(self._unread)
            self._unread = None
            return reading

    def is_empty(self) -> bool:
        with self._changed:
            return not self._wanted and self._unread is None

    def is_wanted(self, find: Find) -> bool:
        """Whether the query that `next` gave is still the newest about its frame, and not cancelled."""
        with self._changed:
            return self._current is find

    def is_left(self, frame_id: int) -> bool:
        """Whether a frame is no longer worth reading ahead: it was dropped, or another one is wanted."""
        with self._changed:
            others = self._unread is not None or any(other != frame_id for other in self._wanted)
            return others or frame_id not in self._views

    def view(self, frame_id: int) -> View | None:
        """None for a frame that was dropped or never came."""
        with self._changed:
            return self._views.get(frame_id)

    def turns(self, session: int) -> tuple[Turn, ...]:
        """What an earlier process answered in a session; given once."""
        with self._changed:
            return self._turns.pop(session, ())

    def settled(self) -> tuple[Settle, ...]:
        """The queries that the user has acted on meanwhile; given once."""
        with self._changed:
            found, self._settled = tuple(self._settled), []
            return found

    def _drop(self, frame_id: int) -> None:
        self._views.pop(frame_id, None)
        self._withdraw(lambda find: find.frame_id == frame_id)
        if self._unread == frame_id:
            self._unread = None

    def _withdraw(self, is_meant: Callable[[Find], bool]) -> None:
        self._wanted = {frame_id: find for frame_id, find in self._wanted.items() if not is_meant(find)}
        if self._current is not None and is_meant(self._current):
            self._current = None
