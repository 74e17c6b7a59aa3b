"""Writes what happens in the application as lines of JSON, for reports of problems and for measuring.

{"ms": 1234.5, "event": "answered", "found": true, ...}; "ms" counts from the start. Only on the user's wish: the
lines contain queries and names of what was found.
"""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject

from fingerpost.app.desktop.controller import Controller, Finished
from fingerpost.app.desktop.engine_link import EngineLink
from fingerpost.app.desktop.palette import Palette
from fingerpost.app.desktop.qt import DesktopError
from fingerpost.engine.process import Answered


class EventLog(QObject):
    """Raises `DesktopError` when `path` cannot be written."""

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        try:
            self._file = path.open("a", buffering=1, encoding="utf-8")
        except OSError as error:
            raise DesktopError(f"{path} cannot be written ({error.strerror}).", "Choose another file.") from error
        self._start = time.monotonic()
        self._lock = threading.Lock()
        self._painted = True

    def write(self, event: str, **values: object) -> None:
        """One line; from any thread. A full disk loses lines, not the application."""
        line = json.dumps({"ms": round((time.monotonic() - self._start) * 1000, 1), "event": event, **values})
        with self._lock:
            try:
                self._file.write(line + "\n")
            except (OSError, ValueError):
                return

    def watch(self, controller: Controller, engine: EngineLink, palette: Palette) -> None:
        """Write what these do from now on."""
        palette.installEventFilter(self)
        palette.asked.connect(lambda query: self.write("asked", query=query))
        engine.ready.connect(lambda event: self.write("engine ready", engine=event.engine, seconds=event.seconds))
        engine.restarted.connect(lambda event: self.write("engine restarted", reason=event.reason))
        engine.failed.connect(lambda event: self.write("engine failed", message=event.message))
        engine.answered.connect(self._answered)
        controller.state_changed.connect(lambda state: self.write("state", state=state))
        controller.pointed.connect(lambda count: self.write("pointed", marks=count))
        controller.tree_read.connect(lambda count, ms: self.write("tree read", nodes=count, took_ms=round(ms)))
        controller.unarmed.connect(lambda reason: self.write("kill switch", armed=not reason, reason=reason))
        controller.finished.connect(self._finished)

    def close(self) -> None:
        self._file.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The palette's first paint after it was shown."""
        if event.type() == QEvent.Type.Show:
            self._painted = False
        elif event.type() == QEvent.Type.Paint and not self._painted:
            self._painted = True
            self.write("palette painted")
        return super().eventFilter(watched, event)

    def _answered(self, event: Answered) -> None:
        answer = event.answer
        values: dict[str, object] = {"query": event.query, "found": answer.found, "ambiguous": answer.ambiguous}
        if answer.targets:
            best, *others = answer.targets
            values |= {"label": best.label, "box": list(best.box), "point": [best.x, best.y]}
            values |= {"confidence": round(best.confidence, 3), "others": [other.label for other in others]}
        self.write("answered", **values)

    def _finished(self, finished: Finished) -> None:
        outcome = finished.outcome
        values = {"kind": outcome.kind, "reason": outcome.reason} if outcome else {"kind": "", "reason": ""}
        self.write("finished", query=finished.query, **values)
