"""An engine that cannot take the program down with it, because it runs in a process of its own."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from functools import partial

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.process.child import Setup
from fingerpost.engine.process.limits import Limits, limits_for
from fingerpost.engine.process.messages import Event, Find, Settle
from fingerpost.engine.process.supervisor import Action, Supervisor
from fingerpost.engine.values import Frame

FACTORY = "fingerpost.engine.finder:make_engine"
CLOSE_S = 10.0

_log = logging.getLogger(__name__)


class EngineProcess:
    """Finds in another process, which is restarted when it crashes or hangs. All methods return at once.

    listener  called with every event, on a thread of this object; it must not wait for long
    engine    an engine's name, see `finder.make_engine`
    threads   CPU threads of the engine
    factory   "module:function" that makes the engine in the other process, from its name, threads and `progress`, which
              it calls with the share of a model that is loaded; see `finder.make_engine`

    Any thread may use it. A query that a process dies over is asked once more, then `Failed`. When processes die again
    and again, the state is "failed" until the next `find`. A frozen program's main module must call
    `multiprocessing.freeze_support()` first.
    """

    def __init__(
        self,
        listener: Callable[[Event], None],
        engine: str = "auto",
        threads: int = 1,
        *,
        factory: str = FACTORY,
        limits: Limits | None = None,
    ) -> None:
        limits = limits or limits_for(engine)
        self._listener = listener
        self._tick_s = limits.tick_s
        self._ids = itertools.count(1)
        self._last_request = 0
        self._actions: queue.SimpleQueue[Action] = queue.SimpleQueue()
        setup = Setup(engine, threads, factory, limits.beat_s)
        self._supervisor = Supervisor(setup, limits, self._emit, self._actions.put)
        self._thread = threading.Thread(target=self._run, name="fingerpost-engine", daemon=True)
        self._started = False

    def start(self) -> None:
        """Starts the process; `Ready` follows."""
        if not self._started:
            self._started = True
            self._thread.start()

    @property
    def state(self) -> str:
        """ "starting", "ready", "busy", "restarting", "failed" or "closed"; a request shows a moment later."""
        return self._supervisor.state

    def look(self, frame: Frame, accessible: Sequence[AccessibleNode] = ()) -> int:
        """Gives a frame to the engine, which reads it at once: a later `find` costs only the query.

        Returns the frame's id; `Seen` follows. Queries can be asked about the two frames given last.
        """
        frame_id = next(self._ids)
        self._post(partial(self._supervisor.look, frame_id, frame, tuple(accessible)))
        return frame_id

    def add_accessible(self, frame_id: int, nodes: Sequence[AccessibleNode]) -> None:
        """Adds the accessibility tree to a frame; it counts from the next `find` on."""
        self._post(partial(self._supervisor.add_accessible, frame_id, tuple(nodes)))

    def forget(self, frame_id: int) -> None:
        """Frees the memory of a frame; nothing can be asked about it any more."""
        self._post(partial(self._supervisor.forget, frame_id))

    def find(self, frame_id: int, query: str, session: int = 0, *, typing: bool = True) -> int:
        """Asks; `Answered` or `Failed` follows, unless the request is cancelled or asked anew about the same frame.

        session  queries of the same session may refer to its last answer ("the other one"); 0 for none
        typing   the text may still be growing: see `session.Session.ask`, and `settle`

        Returns the request's id.
        """
        request = self._last_request = next(self._ids)
        self._post(partial(self._supervisor.find, Find(request, frame_id, query, session, typing)))
        return request

    def settle(self, session: int, query: str) -> None:
        """The user has acted on the answer to this query: it stays in the session as it is, and later ones follow it.

        Nothing is asked or evaluated again.
        """
        self._post(partial(self._supervisor.settle, Settle(session, query)))

    def cancel(self, request: int) -> None:
        """Drops a request: nothing is reported about it any more."""
        self._post(partial(self._supervisor.cancel, request))

    def stop_now(self) -> None:
        """Kills the process whatever it does, drops all requests, and starts a new process. Frames are kept."""
        self._post(partial(self._supervisor.stop, self._last_request))
        if child := self._supervisor.child:
            child.stopped = True
            child.kill()

    def close(self) -> None:
        """Ends the process for good and frees all memory. Nothing is reported afterwards."""
        self._post(self._supervisor.close)
        if not self._started:
            self._supervisor.close()
        elif threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_S)

    def _post(self, action: Action) -> None:
        if self.state != "closed":
            self._actions.put(action)

    def _run(self) -> None:
        self._supervisor.launch()
        while self._supervisor.state != "closed":
            try:
                action = self._actions.get(timeout=self._tick_s if self._supervisor.is_watching() else None)
            except queue.Empty:
                pass
            else:
                action()
            self._supervisor.check()

    def _emit(self, event: Event) -> None:
        try:
            self._listener(event)
        except Exception:  # the listener's mistake must not end the supervision
            _log.exception("the engine's listener failed")
