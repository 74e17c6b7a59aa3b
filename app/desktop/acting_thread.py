"""Runs one order at a time on a thread of its own, so that the interface never waits for a click."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from fingerpost.app.acting import Order, Outcome
from fingerpost.engine.errors import FingerpostError


class ActingThread(QObject):
    """`finished` carries the order and its outcome, on the main thread."""

    finished = Signal(object, object)

    def __init__(self, perform: Callable[[Order], Outcome], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def start(self, order: Order) -> None:
        self._pool.start(_Job(self, order))

    def wait(self, milliseconds: int) -> bool:
        """Whether everything begun has ended by then."""
        return self._pool.waitForDone(milliseconds)

    def run(self, order: Order) -> None:
        """On the pool's thread: perform, and tell whatever comes of it."""
        try:
            outcome = self._perform(order)
        except FingerpostError as error:
            outcome = Outcome("refused", "acting.failed", {"message": error.message, "hint": error.hint})
        except Exception as error:  # whatever it is, the interface must hear that the order has ended
            outcome = Outcome("refused", "acting.failed", {"message": f"{type(error).__name__}: {error}", "hint": ""})
        self.finished.emit(order, outcome)


class _Job(QRunnable):
    def __init__(self, owner: ActingThread, order: Order) -> None:
        super().__init__()
        self._owner = owner
        self._order = order

    def run(self) -> None:
        self._owner.run(self._order)
