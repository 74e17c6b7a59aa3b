"""Hears Escape on Windows by asking for its state 50 times a second while armed. Not run yet on a real Windows.

A keyboard hook in Python would delay every key of the system; the state can be asked without one.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable

from fingerpost.app.kill_switch.gesture import DoubleTap
from fingerpost.app.kill_switch.listener import Armed, NotArmed

VK_ESCAPE = 0x1B
INTERVAL_S = 0.02
DOWN_NOW, DOWN_SINCE = 0x8000, 0x0001  # bits of GetAsyncKeyState


class Windows:
    name = "Windows"

    def problem(self) -> str | None:
        return None if sys.platform == "win32" else "this is not Windows"

    def arm(self, stop: Callable[[], None]) -> Armed | NotArmed:
        ended = threading.Event()
        threading.Thread(target=_watch, args=(ended, stop), name="kill switch", daemon=True).start()
        return Armed(self.name, ended.set)


def _watch(ended: threading.Event, stop: Callable[[], None]) -> None:
    if sys.platform != "win32":  # type checkers elsewhere know no user32
        return
    gesture = DoubleTap()
    state = ctypes.windll.user32.GetAsyncKeyState
    while not ended.wait(INTERVAL_S):
        if feed(gesture, int(state(VK_ESCAPE)), time.monotonic()):
            stop()


def feed(gesture: DoubleTap, state: int, now: float) -> bool:
    """Give a key's state to the gesture; a tap between two questions shows only in the second bit."""
    if state & DOWN_NOW:
        return gesture.press(now)
    tapped = bool(state & DOWN_SINCE) and gesture.press(now)
    gesture.release()
    return tapped
