"""The engine's process for Qt: its events become signals of the main thread."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal

from fingerpost.engine.accessibility import AccessibleNode
from fingerpost.engine.process import Answered, EngineProcess, Event, Failed, Loading, Ready, Restarted, Seen
from fingerpost.engine.values import Frame


class EngineLink(QObject):
    """Passes calls to the engine's process and its events to the main thread."""

    loading = Signal(Loading)
    ready = Signal(Ready)
    answered = Signal(Answered)
    failed = Signal(Failed)
    restarted = Signal(Restarted)
    seen = Signal(Seen)

    _arrived = Signal(object)

    def __init__(self, engine: str, threads: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._arrived.connect(self._dispatch, Qt.ConnectionType.QueuedConnection)
        self._made_of = (engine, threads)
        self._process = EngineProcess(self._arrived.emit, engine, threads)
        self._unloaded = False

    def start(self) -> None:
        self._process.start()

    @property
    def state(self) -> str:
        return self._process.state

    def look(self, frame: Frame) -> int:
        """Let the engine see a frame at once; returns the frame's id."""
        if self._unloaded:
            self.restart(*self._made_of)
        return self._process.look(frame)

    def add_accessible(self, frame_id: int, nodes: Sequence[AccessibleNode]) -> None:
        self._process.add_accessible(frame_id, nodes)

    def find(self, frame_id: int, query: str, session: int) -> int:
        """Ask what is in the line, which may grow; returns the request's id. A later question makes an earlier one
        void."""
        return self._process.find(frame_id, query, session)

    def settle(self, session: int, query: str) -> None:
        """The user has acted on the answer to that query: later ones follow it."""
        self._process.settle(session, query)

    def forget(self, frame_id: int) -> None:
        """Nobody asks about that frame any more: its memory is free."""
        self._process.forget(frame_id)

    def cancel(self, request: int) -> None:
        self._process.cancel(request)

    def stop_now(self) -> None:
        self._process.stop_now()

    def restart(self, engine: str, threads: int) -> None:
        """Go on with another engine, or with more threads."""
        self._process.close()
        self._made_of = (engine, threads)
        self._process = EngineProcess(self._arrived.emit, engine, threads)
        self._process.start()
        self._unloaded = False

    def unload(self) -> None:
        """End the engine's process and free its memory; the next look starts it again."""
        self._process.close()
        self._unloaded = True

    def close(self) -> None:
        self._process.close()

    def _dispatch(self, event: Event) -> None:
        for kind, signal in (
            (Answered, self.answered),
            (Failed, self.failed),
            (Loading, self.loading),
            (Ready, self.ready),
            (Restarted, self.restarted),
            (Seen, self.seen),
        ):
            if isinstance(event, kind):
                signal.emit(event)
