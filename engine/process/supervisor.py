"""Keeps one engine process at work: starts it, gives it what there is to do, replaces it when it dies or hangs.

Everything here runs on one thread, so nothing is locked. Times are of `time.monotonic`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.process.book import Book, KeptFrame
from fingerpost.engine.process.child import Child, Setup
from fingerpost.engine.process.limits import CrashLog, Limits, Watch
from fingerpost.engine.process.messages import (
    NO_REQUEST,
    Answered,
    Beat,
    Cancel,
    CannotStart,
    DropFrame,
    Event,
    Failed,
    Find,
    Found,
    Idle,
    Loading,
    Ready,
    Report,
    Restarted,
    Seen,
    Settle,
    TakeSession,
    TakeTree,
    Took,
    Working,
)
from fingerpost.engine.values import Frame

Action = Callable[[], None]


class Supervisor:
    """`emit` tells the program what happened; `post` has an action run on the supervisor's thread, from any thread."""

    def __init__(
        self, setup: Setup, limits: Limits, emit: Callable[[Event], None], post: Callable[[Action], None]
    ) -> None:
        self._setup, self._limits, self._emit, self._post = setup, limits, emit, post
        self._book = Book()
        self._watch = Watch(limits)
        self._crashes = CrashLog(limits)
        self._working: Working | None = None
        self._loaded = False
        self._fault = ""
        self._refusal: CannotStart | None = None
        self.child: Child | None = None
        self.state = "starting"

    # What the program wants

    def launch(self) -> None:
        """Starts a process and tells it all that is in the book."""
        self._loaded, self._working, self._fault, self._refusal = False, None, "", None
        self._watch.progressed(loading=True)
        post = self._post
        try:
            self.child = Child(
                self._setup,
                lambda child, report: post(partial(self._heard, child, report)),
                lambda child: post(partial(self._gone, child)),
            )
        except OSError as error:
            message = f"The system does not start a process for the engine ({error.strerror})."
            self._give_up(message, "Close other programs, then ask again.")
            return
        for session, turns in self._book.sessions.items():
            self.child.say(TakeSession(session, turns))
        for frame_id, kept in self._book.frames.items():
            self.child.hand_over(frame_id, kept.frame, kept.accessible, read_now=not kept.suspect)
        for request in self._book.requests.values():
            self.child.say(request.find)

    def look(self, frame_id: int, frame: Frame, accessible: tuple[AccessibleNode, ...]) -> None:
        for old in self._book.add_frame(frame_id, KeptFrame(frame, accessible)):
            self._tell_child_to_drop(old)
        if self.child:
            self.child.hand_over(frame_id, frame, accessible, read_now=True)

    def add_accessible(self, frame_id: int, accessible: tuple[AccessibleNode, ...]) -> None:
        if self._book.add_accessible(frame_id, accessible) and self.child:
            self.child.say(TakeTree(frame_id, accessible))

    def forget(self, frame_id: int) -> None:
        if self._book.forget(frame_id):
            self._tell_child_to_drop(frame_id)

    def find(self, find: Find) -> None:
        if not self._book.open(find):
            self._emit(Failed(find.request, "That picture of the screen is no longer there.", "Look again."))
        elif self.child:
            self.child.say(find)
        elif self.state == "failed":
            self.state = "restarting"
            self.launch()

    def settle(self, settle: Settle) -> None:
        self._book.settle(settle.session, settle.query)
        if self.child:
            self.child.say(settle)

    def cancel(self, request: int) -> None:
        if self._book.cancel(request) and self.child:
            self.child.say(Cancel(request))

    def stop(self, last_request: int) -> None:
        """Forgets all requests up to this one; the process that worked on them is killed by the caller."""
        for request in self._book.cancel_up_to(last_request):
            if self.child:
                self.child.say(Cancel(request))

    def close(self) -> None:
        self.state = "closed"
        child, self.child = self.child, None
        if child:
            child.kill()
            child.bury()
        self._book = Book()

    # What the process says

    def _heard(self, child: Child, report: Report) -> None:
        if child is not self.child:
            return
        self._watch.heard()
        match report:
            case Beat():
                pass
            case Took(frame_id):
                child.took(frame_id)
            case Working() | Idle():
                self._working = report if isinstance(report, Working) else None
                self._watch.progressed()
            case Loading() | Ready():
                self._loaded = isinstance(report, Ready)
                self._watch.progressed(loading=not self._loaded)
                self._emit(report)
            case CannotStart():
                self._refusal = report
            case Found():
                if find := self._book.answer(report):
                    self._emit(Answered(find.request, find.frame_id, find.query, report.turn.answer))
            case Failed():
                if self._book.cancel(report.request):
                    self._emit(report)
            case Seen():
                if report.frame_id in self._book.frames:
                    self._emit(report)

    def _gone(self, child: Child) -> None:
        """The process has ended, for whatever reason."""
        if child is not self.child:
            return
        self.child = None
        end = child.bury()
        if self._refusal:
            self._give_up(self._refusal.message, self._refusal.hint)
            return
        given_up = self._book.blame(self._working)
        if child.stopped:
            self._restart("The engine was stopped.")
            return
        reason = self._fault or end
        if given_up:
            message = f"The engine {reason} while it looked for “{given_up.query}”, twice."
            self._emit(Failed(given_up.request, message, "Use other words, or look again."))
        if self._crashes.record(time.monotonic()):
            message = f"The engine {reason}; that was once too often in a short time, so it stays off for now."
            self._give_up(message, "Ask again to start it once more; `fingerpost doctor` shows what is wrong.")
        else:
            self._restart(f"The engine {reason}.")

    # Keeping it alive

    def is_watching(self) -> bool:
        """Whether a process is expected to do something."""
        return self.child is not None and (not self._loaded or self._working is not None or bool(self._book.requests))

    def check(self) -> None:
        """Kills a process that hangs, and brings `state` up to date. Called after each action and every tick."""
        if self.child is None:
            return
        if not self.is_watching():
            self._watch.rest()
            self.state = "ready"
            return
        if self._loaded:
            self.state = "busy"
        if not self._fault and (problem := self._watch.problem(time.monotonic())):
            self._fault = problem
            self.child.kill()

    def _restart(self, reason: str) -> None:
        self.state = "restarting"
        self._emit(Restarted(reason))
        self.launch()

    def _give_up(self, message: str, hint: str) -> None:
        self.state = "failed"
        self._emit(Failed(NO_REQUEST, message, hint))
        for request in self._book.cancel_up_to(sys.maxsize):
            self._emit(Failed(request, message, hint))

    def _tell_child_to_drop(self, frame_id: int) -> None:
        if self.child:
            self.child.say(DropFrame(frame_id))
