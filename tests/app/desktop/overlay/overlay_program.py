"""An overlay in a process of its own, run by the tests on a real X server: one Qt application a process.

Each line in is a JSON list: "show", a list of [x, y, width, height, certain], whether to dim; "highlight", an index;
"gone"; "screens". Each line out is the answer.
"""

from __future__ import annotations

import json
import sys
import threading

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from fingerpost.app.desktop.overlay import Mark, Overlay, OverlayLook
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box


class Lines(QObject):
    came = Signal(str)

    def read(self) -> None:
        for line in sys.stdin:
            self.came.emit(line)
        self.came.emit("")


class Program:
    def __init__(self) -> None:
        self.overlay = Overlay()

    def obey(self, line: str) -> None:
        if not line:
            QGuiApplication.quit()
            return
        command, *arguments = json.loads(line)
        print(json.dumps(getattr(self, command)(*arguments)), flush=True)

    def show(self, boxes: list[list[int]], dim: bool) -> bool:
        marks = []
        for number, (x, y, width, height, certain) in enumerate(boxes, 1):
            box = Box(x, y, width, height)
            marks.append(Mark(box, DesktopPoint(*box.centre), number, bool(certain), "Save", 0.97, 120.0))
        self.overlay.show(marks, OverlayLook(dim=dim))
        return self.overlay.visible

    def highlight(self, index: int) -> None:
        self.overlay.highlight(index)

    def gone(self) -> bool:
        return self.overlay.hide_and_wait()

    def screens(self) -> list[list[float]]:
        """x, y, scale of each."""
        return [[*s.geometry().topLeft().toTuple(), s.devicePixelRatio()] for s in QGuiApplication.screens()]


def main() -> None:
    app = QApplication(sys.argv)
    app.setQuitOnLastWindowClosed(False)
    program, lines = Program(), Lines()
    lines.came.connect(program.obey, Qt.ConnectionType.QueuedConnection)
    threading.Thread(target=lines.read, daemon=True).start()
    app.exec()


main()
