"""A global key on X11, by a passive grab: the key reaches nobody else, and a key that is taken is told.

While a menu of another program is open that program holds the keyboard, and the key does not come through.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fingerpost.app.hotkeys.binding import Bound, Conflict, NeedsUser, Result
from fingerpost.app.hotkeys.chord import Chord

if TYPE_CHECKING:
    from Xlib.display import Display

KEYSYMS = {"Enter": "Return", "PageUp": "Prior", "PageDown": "Next", "Space": "space", "Backspace": "BackSpace"}
"""Where X calls a key otherwise than `NAMED_KEYS`."""
HELD_POLL_S = 0.01
"""While the key is down, so often it is asked whether it came up: what comes before is the keyboard's repetition."""


class X11:
    """XGrabKey on the root window, in a thread with a connection of its own."""

    name = "X11"
    hint = "Start an X11 session."

    def problem(self) -> str | None:
        if not sys.platform.startswith("linux"):
            return "this is not Linux"
        if os.environ.get("WAYLAND_DISPLAY"):
            return "Wayland lets no X11 program take a key"
        if not os.environ.get("DISPLAY"):
            return "no X11 display"
        return None

    def bind(self, chord: Chord, pressed: Callable[[], None]) -> Result:
        from Xlib import display, error

        try:
            connection = display.Display()
        except (error.DisplayError, OSError) as problem:
            return NeedsUser(f"The X server does not answer ({problem}): start Fingerpost anew.")
        code = _key_code(connection, chord.key)
        if not code:
            connection.close()
            return Conflict(chord, f"The keyboard has no key {chord.key}.")
        if not _grab(connection, chord, code):
            connection.close()
            return Conflict(chord, f"Another program owns {chord}.")
        listener = _Listener(connection, chord, code, pressed)
        listener.start()
        return Bound(chord, self.name, listener.stop)


def _key_code(connection: Display, key: str) -> int:
    from Xlib import XK

    name = KEYSYMS.get(key, key.lower() if len(key) == 1 else key)
    keysym = XK.string_to_keysym(name) or (ord(key.lower()) if len(key) == 1 else 0)
    if len(key) == 1 and ord(key) > 0xFF:
        keysym = 0x1000000 | ord(key.lower())  # X's rule for Unicode
    return connection.keysym_to_keycode(keysym)


def _mask(connection: Display, chord: Chord) -> int:
    from Xlib import X

    masks = {"Ctrl": X.ControlMask, "Shift": X.ShiftMask, "Alt": X.Mod1Mask, "Super": _bit_of(connection, "Super_L")}
    total = 0
    for modifier in chord.modifiers:
        total |= masks[modifier] or X.Mod4Mask
    return total


def _bit_of(connection: Display, keysym: str) -> int:
    """The modifier bit that a key carries, 0 when it carries none."""
    from Xlib import XK

    code = connection.keysym_to_keycode(XK.string_to_keysym(keysym))
    for index, codes in enumerate(connection.get_modifier_mapping()):
        if code and code in codes:
            return 1 << index
    return 0


def _variants(connection: Display) -> set[int]:
    """The locks in every combination: a grab without them is deaf while Caps Lock or Num Lock is on."""
    from Xlib import X

    number_lock = _bit_of(connection, "Num_Lock")
    return {0, X.LockMask, number_lock, X.LockMask | number_lock}


def _grab(connection: Display, chord: Chord, code: int) -> bool:
    """Whether the key is ours now; all of its variants or none."""
    from Xlib import X, error

    root, mask = connection.screen().root, _mask(connection, chord)
    taken = error.CatchError(error.BadAccess)
    for extra in _variants(connection):
        root.grab_key(code, mask | extra, True, X.GrabModeAsync, X.GrabModeAsync, onerror=taken)
    connection.sync()
    if taken.get_error() is None:
        return True
    _release(connection, chord, code)
    return False


def _release(connection: Display, chord: Chord, code: int) -> None:
    from Xlib import error

    ignored = error.CatchError(error.BadAccess)
    for extra in _variants(connection):
        connection.screen().root.ungrab_key(code, _mask(connection, chord) | extra, onerror=ignored)
    connection.sync()


class _Listener:
    """Waits for the key in a thread, and takes it again when the keyboard's layout changes."""

    def __init__(self, connection: Display, chord: Chord, code: int, pressed: Callable[[], None]) -> None:
        self._connection = connection
        self._chord = chord
        self._code = code
        self._pressed = pressed
        self._wake_read, self._wake_write = os.pipe()
        self._stopped = False
        self._held = False
        self._thread = threading.Thread(target=self._run, name="hotkey", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Give the key back. Safe to call twice."""
        if self._stopped:
            return
        self._stopped = True
        os.write(self._wake_write, b"x")
        self._thread.join(timeout=2)
        os.close(self._wake_write)
        os.close(self._wake_read)

    def _run(self) -> None:
        from Xlib import error

        with contextlib.suppress(error.ConnectionClosedError, OSError):
            while not self._stopped:
                while self._connection.pending_events():
                    self._handle(self._connection.next_event())
                self._held = self._held and self._is_down()
                if not self._connection.pending_events():  # the question may have brought some
                    patience = HELD_POLL_S if self._held else None
                    select.select([self._connection.fileno(), self._wake_read], [], [], patience)
            _release(self._connection, self._chord, self._code)
            self._connection.close()

    def _is_down(self) -> bool:
        return bool(self._connection.query_keymap()[self._code // 8] & 1 << self._code % 8)

    def _handle(self, event: Any) -> None:
        from Xlib import X

        if event.type == X.KeyPress and event.detail == self._code:
            self._connection.ungrab_keyboard(X.CurrentTime)  # else nobody hears keys until this one comes up
            self._connection.flush()
            if not self._held:
                self._held = True
                self._pressed()
        elif event.type == X.MappingNotify:
            self._connection.refresh_keyboard_mapping(event)
            code = _key_code(self._connection, self._chord.key)
            if code and code != self._code:
                _release(self._connection, self._chord, self._code)
                self._code = code
                _grab(self._connection, self._chord, code)
