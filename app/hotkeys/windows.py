"""A global key on Windows by RegisterHotKey, which needs no hook. Not run yet on a real Windows."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable

from fingerpost.app.hotkeys.binding import Bound, Conflict, NeedsUser, Result
from fingerpost.app.hotkeys.chord import Chord

MOD = {"Alt": 0x0001, "Ctrl": 0x0002, "Shift": 0x0004, "Super": 0x0008}
MOD_NOREPEAT = 0x4000
WM_HOTKEY, WM_QUIT = 0x0312, 0x0012
ERROR_HOTKEY_ALREADY_REGISTERED = 1409
VIRTUAL_KEYS = {
    "Space": 0x20, "Enter": 0x0D, "Tab": 0x09, "Escape": 0x1B, "Backspace": 0x08, "Delete": 0x2E, "Insert": 0x2D,
    "Home": 0x24, "End": 0x23, "PageUp": 0x21, "PageDown": 0x22, "Left": 0x25, "Up": 0x26, "Right": 0x27, "Down": 0x28,
    "Pause": 0x13, "Print": 0x2C, **{f"F{n}": 0x6F + n for n in range(1, 25)},
}  # fmt: skip
"""Windows' virtual key codes; letters and digits have their character's."""


def modifier_mask(chord: Chord) -> int:
    """The modifiers as RegisterHotKey wants them; a held key fires once."""
    return sum(MOD[name] for name in chord.modifiers) | MOD_NOREPEAT


def virtual_key(key: str) -> int | None:
    """The virtual key code, None for a key that depends on the keyboard's layout."""
    if key in VIRTUAL_KEYS:
        return VIRTUAL_KEYS[key]
    return ord(key) if len(key) == 1 and key.isascii() and key.isalnum() else None


class Windows:
    """RegisterHotKey in a thread with a message loop of its own."""

    name = "Windows"
    hint = "Start Fingerpost on Windows."

    def problem(self) -> str | None:
        return None if sys.platform == "win32" else "this is not Windows"

    def bind(self, chord: Chord, pressed: Callable[[], None]) -> Result:
        code = virtual_key(chord.key)
        if code is None:
            return Conflict(chord, f"Windows cannot bind {chord}: use a letter, a digit or a function key.")
        loop = _Loop(modifier_mask(chord), code, pressed)
        error = loop.start()
        if error == ERROR_HOTKEY_ALREADY_REGISTERED:
            return Conflict(chord, f"Another program owns {chord}.")
        if error:
            return NeedsUser(f"Windows refused the key (error {error}): choose another in the settings.")
        return Bound(chord, self.name, loop.stop)


class _Loop:
    def __init__(self, modifiers: int, code: int, pressed: Callable[[], None]) -> None:
        self._modifiers = modifiers
        self._code = code
        self._pressed = pressed
        self._ready = threading.Event()
        self._error = 0
        self._thread_id = 0
        self._thread = threading.Thread(target=self._run, name="hotkey", daemon=True)

    def start(self) -> int:
        """Register the key; the system's error code, 0 for none."""
        self._thread.start()
        self._ready.wait()
        return self._error

    def stop(self) -> None:
        """Give the key back. Safe to call twice."""
        if sys.platform == "win32" and self._thread.is_alive():  # type checkers elsewhere know no user32
            ctypes.windll.user32.PostThreadMessageW(self._thread_id, WM_QUIT, 0, 0)
            self._thread.join(timeout=2)

    def _run(self) -> None:
        if sys.platform != "win32":
            return
        from ctypes import wintypes

        user32, kernel32 = ctypes.windll.user32, ctypes.windll.kernel32
        self._thread_id = kernel32.GetCurrentThreadId()
        if not user32.RegisterHotKey(None, 1, self._modifiers, self._code):
            self._error = kernel32.GetLastError() or -1
        self._ready.set()
        if self._error:
            return
        message = wintypes.MSG()
        while user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
            if message.message == WM_HOTKEY:
                self._pressed()
        user32.UnregisterHotKey(None, 1)
