"""What runs in the engine's process: takes commands, reads frames, answers queries.

Three threads: this process's main thread works (an engine serves one thread), one receives, one says that it is alive.
The process ends itself as soon as the program is gone, whatever it is doing.
"""

from __future__ import annotations

import importlib
import logging
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.conversing import Conversation
from fingerpost.engine.errors import FingerpostError
from fingerpost.engine.process.inbox import Inbox, Reading, View
from fingerpost.engine.process.messages import (
    NO_REQUEST,
    OUT_OF_MEMORY,
    Beat,
    CannotStart,
    Command,
    Failed,
    Find,
    Found,
    Idle,
    Loading,
    Ready,
    Report,
    Seen,
    TakeFrame,
    Took,
    Working,
)
from fingerpost.engine.process.shared_pixels import SharedPixels, unpack
from fingerpost.engine.references.reading import read_refinement
from fingerpost.engine.session import Session
from fingerpost.engine.values import Answer, Engine, Frame, Query

SESSIONS = 8  # that are remembered, those asked last
STEPS = 20  # in which loading a model is told
_log = logging.getLogger(__name__)


def work(connection: Connection, engine: str, threads: int, factory: str, beat_s: float) -> None:
    """Runs until the program is gone. `factory` is "module:function", see `EngineProcess`."""
    line = Line(connection, beat_s)
    inbox = Inbox()
    threading.Thread(target=receive, args=(line, inbox), name="receive", daemon=True).start()
    threading.Thread(target=line.beat, name="beat", daemon=True).start()
    try:
        start = time.perf_counter()
        module, _, function = factory.partition(":")
        loaded: Engine = getattr(importlib.import_module(module), function)(engine, threads, progress=line.loading)
        read_refinement("load the words")
        warnings = tuple(getattr(loaded, "warnings", ()))
        line.say(Ready(loaded.name, time.perf_counter() - start, warnings))
    except FingerpostError as error:
        line.say(CannotStart(error.message, error.hint))
        return
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except Exception as error:  # a broken installation, most likely
        line.say(CannotStart(f"The engine cannot be loaded ({_brief(error)}).", "Install Fingerpost again."))
        return
    Worker(loaded, line, inbox).run()


class Line:
    """The connection to the program; any thread may speak."""

    def __init__(self, connection: Connection, beat_s: float) -> None:
        self._connection = connection
        self._speaking = threading.Lock()
        self._beat_s = beat_s
        self._told = 0
        self._busy = threading.Event()
        self._busy.set()  # loading the engine is work

    def say(self, report: Report) -> None:
        if isinstance(report, Working):
            self._busy.set()
        elif isinstance(report, Idle):
            self._busy.clear()
        try:
            with self._speaking:
                self._connection.send(report)
        except OSError:
            os._exit(0)

    def loading(self, share: float) -> bool:
        """Says how much of a model is loaded, `STEPS` times at most; True: go on."""
        if (step := round(share * STEPS)) > self._told:
            self._told = step
            self.say(Loading(share))
        return True

    def listen(self) -> Command:
        """The next command. Ends the process when the program is gone."""
        try:
            command: Command = self._connection.recv()
        except (EOFError, OSError):
            os._exit(0)
        return command

    def beat(self) -> NoReturn:
        """Says again and again that the process is alive, while there is work."""
        while True:
            self._busy.wait()
            self.say(Beat())
            time.sleep(self._beat_s)


def receive(line: Line, inbox: Inbox) -> NoReturn:
    """Puts commands into the inbox. Pixels are taken out of shared memory at once, so that it is soon free again."""
    while True:
        command = line.listen()
        frame = None
        if isinstance(command, TakeFrame):
            frame = _with_pixels(command)
            line.say(Took(command.frame_id))
        inbox.put(command, frame)


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(":. ")


def _with_pixels(command: TakeFrame) -> Frame | None:
    if not isinstance(command.pixels, SharedPixels):
        return replace(command.frame, pixels=command.pixels)
    try:
        return replace(command.frame, pixels=unpack(command.pixels))
    except OSError:  # the program has dropped it meanwhile
        return None
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


class Worker:
    """Works off the inbox, one step after the other; between steps it looks whether the answer is still wanted."""

    def __init__(self, engine: Engine, line: Line, inbox: Inbox) -> None:
        self._engine = engine
        self._line = line
        self._inbox = inbox
        self._no_session = Session()  # nothing is ever added to it
        self._sessions: OrderedDict[int, Session] = OrderedDict()
        self._seen: set[int] = set()
        self._looks_ahead = hasattr(engine, "prefill")

    def run(self) -> NoReturn:
        while True:
            if self._inbox.is_empty():
                self._line.say(Idle())
            task = self._inbox.next()
            request = NO_REQUEST if isinstance(task, Reading) else task.request
            self._line.say(Working(task.frame_id, request))
            try:
                self._do(task)
            except FingerpostError as error:
                self._fail(task, error.message, error.hint)
            except MemoryError:
                os._exit(OUT_OF_MEMORY)
            except Exception as error:  # an engine's mistake about one screen must not end all others
                _log.debug("the engine failed", exc_info=True)
                self._fail(
                    task, f"The engine failed on this screen ({_brief(error)}).", "Look again, or use other words."
                )

    def _do(self, task: Find | Reading) -> None:
        view = self._inbox.view(task.frame_id)
        if view is not None:
            self._read(task, view)
        if isinstance(task, Reading) or not self._inbox.is_wanted(task):
            return
        if view is None:
            self._fail(task, "That picture of the screen is no longer there.", "Look again.")
            return
        self._line.say(Working(task.frame_id, task.request))
        for settle in self._inbox.settled():
            self._session(settle.session).settle(settle.query)
        session = self._session(task.session)
        engine = _Stoppable(self._engine, self._stop_of(task)) if self._looks_ahead else self._engine
        turn = session.ask(engine, view.frame, Query(task.query), view.accessible, task.typing)
        if self._inbox.is_wanted(task):
            session.add(turn)
            self._line.say(Found(task.request, task.session, turn))

    def _read(self, task: Find | Reading, view: View) -> None:
        """Lets the engine see a frame the first time; it keeps what it saw."""
        engine: Any = self._engine
        if task.frame_id in self._seen or not (self._looks_ahead or hasattr(engine, "see")):
            return
        start = time.perf_counter()
        if self._looks_ahead:
            engine.prefill(view.frame, self._stop_of(task))
        else:
            engine.see(view.frame)
        self._seen.add(task.frame_id)
        self._line.say(Seen(task.frame_id, (time.perf_counter() - start) * 1000))

    def _stop_of(self, task: Find | Reading) -> Callable[[], bool]:
        """Whether a task has become pointless; a large model asks again and again, and each time is a sign of life."""
        request = NO_REQUEST if isinstance(task, Reading) else task.request

        def is_pointless() -> bool:
            self._line.say(Working(task.frame_id, request))
            return self._inbox.is_left(task.frame_id) if isinstance(task, Reading) else not self._inbox.is_wanted(task)

        return is_pointless

    def _session(self, number: int) -> Session:
        if number == 0:
            return self._no_session
        if number not in self._sessions:
            self._sessions[number] = Session(self._inbox.turns(number))
        self._sessions.move_to_end(number)
        while len(self._sessions) > SESSIONS:
            self._sessions.popitem(last=False)
        return self._sessions[number]

    def _fail(self, task: Find | Reading, message: str, hint: str) -> None:
        if isinstance(task, Find) and self._inbox.is_wanted(task):
            self._line.say(Failed(task.request, message, hint))


class _Stoppable:
    """A large model's engine, told when to give a question up."""

    def __init__(self, engine: Any, stopped: Callable[[], bool]) -> None:
        self.name: str = engine.name
        self.see = engine.see
        self._engine = engine
        self._stopped = stopped

    def converse(self) -> Conversation:
        conversation: Conversation = self._engine.converse()
        return conversation

    def find(
        self,
        frame: Frame,
        query: Query,
        accessible: Sequence[AccessibleNode] = (),
        conversation: Conversation | None = None,
    ) -> Answer:
        answer: Answer = self._engine.find(frame, query, accessible, self._stopped, conversation)
        return answer
