"""What the program has asked and may still ask about: all that a new process must be told when the old one has died."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.process.messages import Find, Found, Working
from fingerpost.engine.turn import MAX_TURNS, Turn, settled
from fingerpost.engine.values import Frame

FRAMES = 2  # that can be asked about, those looked at last; a 4K frame takes 33 MB
SESSIONS = 8
ATTEMPTS = 2
"""So many processes may die over one request."""


@dataclass(frozen=True)
class KeptFrame:
    """`suspect`: a process died while it read this frame; it is not read again before somebody asks."""

    frame: Frame
    accessible: tuple[AccessibleNode, ...] = ()
    suspect: bool = False


@dataclass(frozen=True)
class Request:
    """A query that is not answered yet; `deaths` counts the processes that died over it."""

    find: Find
    deaths: int = 0


class Book:
    """Frames, unanswered requests and sessions. Pure bookkeeping, used by one thread."""

    def __init__(self) -> None:
        self.frames: OrderedDict[int, KeptFrame] = OrderedDict()
        self.requests: dict[int, Request] = {}
        self.sessions: OrderedDict[int, tuple[Turn, ...]] = OrderedDict()

    def add_frame(self, frame_id: int, kept: KeptFrame) -> list[int]:
        """Keeps a frame; returns the ids of those that are forgotten for it."""
        self.frames[frame_id] = kept
        old = list(self.frames)[:-FRAMES]
        for number in old:
            self.forget(number)
        return old

    def add_accessible(self, frame_id: int, accessible: tuple[AccessibleNode, ...]) -> bool:
        """Whether the frame is still kept."""
        if frame_id not in self.frames:
            return False
        self.frames[frame_id] = replace(self.frames[frame_id], accessible=accessible)
        return True

    def forget(self, frame_id: int) -> bool:
        """Forgets a frame and the requests about it; whether it was kept."""
        self._close(lambda find: find.frame_id == frame_id)
        return self.frames.pop(frame_id, None) is not None

    def open(self, find: Find) -> bool:
        """Notes a request, in place of one about the same frame; whether the frame is still kept."""
        self._close(lambda other: other.frame_id == find.frame_id)
        if find.frame_id in self.frames:
            self.requests[find.request] = Request(find)
        return find.frame_id in self.frames

    def cancel(self, request: int) -> bool:
        """Whether the request was unanswered."""
        return self.requests.pop(request, None) is not None

    def cancel_up_to(self, request: int) -> list[int]:
        """Cancels this request and all before it; returns those that were unanswered."""
        cancelled = [number for number in self.requests if number <= request]
        for number in cancelled:
            del self.requests[number]
        return cancelled

    def answer(self, found: Found) -> Find | None:
        """Closes a request and keeps its turn; None when nobody waits for the answer any more."""
        if found.session:
            turns = (*self.sessions.pop(found.session, ()), found.turn)
            self.sessions[found.session] = turns[-MAX_TURNS:]
            while len(self.sessions) > SESSIONS:
                self.sessions.popitem(last=False)
        request = self.requests.pop(found.request, None)
        return request.find if request else None

    def settle(self, session: int, query: str) -> None:
        """See `session.Session.settle`."""
        if session in self.sessions:
            self.sessions[session] = settled(self.sessions[session], query)

    def blame(self, working: Working | None) -> Find | None:
        """Notes what a process was doing when it died; the request that is given up for it, if any."""
        if working is None:
            return None
        if working.frame_id in self.frames:
            self.frames[working.frame_id] = replace(self.frames[working.frame_id], suspect=True)
        request = self.requests.get(working.request)
        if request is None:
            return None
        if request.deaths + 1 >= ATTEMPTS:
            return self.requests.pop(working.request).find
        self.requests[working.request] = replace(request, deaths=request.deaths + 1)
        return None

    def _close(self, is_meant: Callable[[Find], bool]) -> None:
        self.requests = {number: r for number, r in self.requests.items() if not is_meant(r.find)}
