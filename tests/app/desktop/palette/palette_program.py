"""A palette in a process of its own, run by the tests on a real X server: one Qt application a process.

Each line in is a command: "open", "close", "query". Each line out is the answer as JSON; "open" answers before the
palette is on the screen.
"""

from __future__ import annotations

import json
import sys
import threading

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from fingerpost.app.desktop.palette import Palette
from fingerpost.app.desktop.theme import LIGHT
from fingerpost.engine import capture


class Lines(QObject):
    came = Signal(str)

    def read(self) -> None:
        for line in sys.stdin:
            self.came.emit(line.strip())
        self.came.emit("")


def main() -> None:
    app = QApplication(sys.argv)
    app.setQuitOnLastWindowClosed(False)
    palette, lines = Palette(LIGHT), Lines()
    palette.set_hotkey("Ctrl+Alt+Space")
    cancelled: list[bool] = []
    palette.cancelled.connect(lambda: cancelled.append(True))

    def obey(command: str) -> None:
        answer: object = None
        if command == "open":
            palette.open_on(capture.monitors().monitors[0])
        elif command == "close":
            palette.close_quietly()
        elif command == "query":
            answer = palette.query
        elif command == "cancelled":
            answer = len(cancelled)
        elif command == "area":
            answer = [*palette.geometry().getRect(), palette.isActiveWindow()]
        else:
            QGuiApplication.quit()
            return
        print(json.dumps(answer), flush=True)

    lines.came.connect(obey, Qt.ConnectionType.QueuedConnection)
    threading.Thread(target=lines.read, daemon=True).start()
    app.exec()


main()
