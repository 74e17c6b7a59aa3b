"""What is asked of the X server beside Qt, in a process of its own: one Qt application a process."""

from __future__ import annotations

import os
import subprocess
import sys

WAITS = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from Xlib.display import Display

from fingerpost.app.desktop import x11

application = QApplication([])
obeyed = []
QTimer.singleShot(0, lambda: obeyed.append("event"))
window = QWidget()
window.show()
x11.finish_requests()
assert Display().create_resource_object("window", int(window.winId())).get_attributes().map_state, "not shown yet"
assert not obeyed, "an event was handed out"
application.processEvents()
assert obeyed
"""


def test_waiting_for_the_server_hands_out_no_events(x_display: str, tmp_path: object) -> None:
    env = {**os.environ, "DISPLAY": x_display, "QT_QPA_PLATFORM": "xcb", "XDG_RUNTIME_DIR": str(tmp_path)}
    env.pop("WAYLAND_DISPLAY", None)
    subprocess.run([sys.executable, "-c", WAITS], check=True, env=env, timeout=60)


WITHOUT_SERVER = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from fingerpost.app.desktop import x11

application = QApplication([])
obeyed = []
QTimer.singleShot(0, lambda: obeyed.append("event"))
x11.finish_requests()
assert not obeyed, "an event was handed out"
"""


def test_without_a_server_there_is_nothing_to_wait_for() -> None:
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", WITHOUT_SERVER], check=True, env=env, timeout=60)
