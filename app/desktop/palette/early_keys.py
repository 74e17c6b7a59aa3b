"""Keys that are pressed between the hotkey and the moment the window manager has given us the keyboard.

Window managers take some milliseconds for that, and until then keys would go to the program that had the keyboard. On
X11 a window of one pixel that no window manager handles can hold the keyboard at once; it hands every key on.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QWindow

from fingerpost.app.desktop import x11

RETRY_MS = 4
GIVE_UP_MS = 1000
"""A keyboard that never comes is not held any longer than this."""
SETTLE_MS = 150
"""Window managers may set the keyboard's place twice; it is held until that is over."""
LEAVE_MS = 200
"""Keys that were on their way when the keyboard was given back still arrive; a hidden window would lose them."""


class EarlyKeys(QWindow):
    """`hand_on` gets the keys from `begin` until `end`."""

    def __init__(self, hand_on: Callable[[QKeyEvent], None]) -> None:
        super().__init__()
        self._hand_on = hand_on
        self.setFlags(Qt.WindowType.X11BypassWindowManagerHint | Qt.WindowType.FramelessWindowHint)
        self._retry = QTimer(self, interval=RETRY_MS)
        self._retry.timeout.connect(self._hold)
        self._give_up = QTimer(self, interval=GIVE_UP_MS, singleShot=True)
        self._give_up.timeout.connect(self.end)
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self.end)
        self._leave = QTimer(self, interval=LEAVE_MS, singleShot=True)
        self._leave.timeout.connect(self.hide)

    def begin(self) -> None:
        if not x11.in_use() or os.environ.get("WAYLAND_DISPLAY"):
            return
        self._leave.stop()
        self._settle.stop()
        self.setGeometry(QRect(-2, -2, 1, 1))
        self.show()
        self._give_up.start()
        self._hold()

    def end_soon(self) -> None:
        """The window manager has given us the keyboard."""
        if self.isVisible() and not self._settle.isActive():
            self._settle.start()

    def end(self) -> None:
        self._settle.stop()
        self._retry.stop()
        self._give_up.stop()
        if self.isVisible():
            self.setKeyboardGrabEnabled(False)
            self._leave.start()

    def _hold(self) -> None:
        """Again and again while the key of the hotkey is still down: until then it belongs to the hotkey."""
        if self.setKeyboardGrabEnabled(True):
            self._retry.stop()
        elif not self._retry.isActive():
            self._retry.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._hand_on(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._hand_on(event)
