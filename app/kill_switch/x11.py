"""Hears the keyboard on X11 by the RECORD extension, which works while another program holds the keyboard.

Only whether a key is Escape is looked at; nothing is kept.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fingerpost.app.kill_switch.gesture import DoubleTap
from fingerpost.app.kill_switch.listener import Armed, NotArmed

if TYPE_CHECKING:
    from Xlib.display import Display


BEGIN_S = 1.0
END_S = 0.3
"""How long the server may take to begin and to end a recording."""


class X11:
    name = "X11 RECORD"

    def problem(self) -> str | None:
        if not sys.platform.startswith("linux"):
            return "this is not Linux"
        if os.environ.get("WAYLAND_DISPLAY"):
            return "Wayland lets no X11 program hear the keyboard"
        return None if os.environ.get("DISPLAY") else "no X11 display"

    def arm(self, stop: Callable[[], None]) -> Armed | NotArmed:
        from Xlib import display, error

        try:
            data, control = display.Display(), display.Display()
        except (error.DisplayError, OSError) as problem:
            return NotArmed(f"The X server does not answer ({problem}).")
        if not data.has_extension("RECORD"):
            data.close()
            control.close()
            return NotArmed("This X server has no RECORD extension: use the tray's menu to stop.")
        recording = _Recording(data, control, stop)
        recording.start()
        return Armed(self.name, recording.stop)


class _Recording:
    """RECORD needs two connections: one that is blocked while data flows, one to end it."""

    def __init__(self, data: Display, control: Display, stop: Callable[[], None]) -> None:
        from Xlib import XK

        self._data = data
        self._control = control
        self._stop = stop
        self._gesture = DoubleTap()
        self._escape = control.keysym_to_keycode(XK.XK_Escape)
        self._context = data.record_create_context(0, [_current_and_future_clients()], [_key_events()])
        data.sync()
        self._ended = False
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kill switch", daemon=True)

    def start(self) -> None:
        """Returns when it runs: an end that comes before the beginning would be lost."""
        self._thread.start()
        self._begun.wait(BEGIN_S)

    def stop(self) -> None:
        """End it. Safe to call twice."""
        from Xlib import error

        if self._ended:
            return
        self._ended = True
        with contextlib.suppress(error.ConnectionClosedError, OSError):
            self._control.record_disable_context(self._context)
            self._control.flush()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=END_S)
        with contextlib.suppress(error.ConnectionClosedError, OSError):
            self._control.record_free_context(self._context)
            self._control.close()

    def _run(self) -> None:
        from Xlib import error

        with contextlib.suppress(error.ConnectionClosedError, OSError):
            self._data.record_enable_context(self._context, self._receive)
            self._data.close()

    def _receive(self, reply: Any) -> None:
        """Events come packed; their time is the server's, in milliseconds."""
        from Xlib import X
        from Xlib.ext import record
        from Xlib.protocol import rq

        if reply.category == record.StartOfData:
            self._begun.set()
        if reply.category != record.FromServer or reply.client_swapped or len(reply.data) == 0:
            return
        data = reply.data
        while len(data) >= 32:
            event, data = rq.EventField("event").parse_binary_value(data, self._data.display, None, None)
            if event.detail != self._escape:
                if event.type == X.KeyPress:
                    self._gesture.other()
            elif event.type == X.KeyRelease:
                self._gesture.release()
            elif self._gesture.press(event.time / 1000):
                self._stop()


def _current_and_future_clients() -> int:
    from Xlib.ext import record

    return int(record.AllClients)


def _key_events() -> dict[str, Any]:
    """A RECORD range that holds presses and releases of keys as devices send them, and nothing else."""
    from Xlib import X

    none, nothing = (0, 0), (0, 0, 0, 0)
    return {
        "core_requests": none,
        "core_replies": none,
        "ext_requests": nothing,
        "ext_replies": nothing,
        "delivered_events": none,
        "device_events": (X.KeyPress, X.KeyRelease),
        "errors": none,
        "client_started": False,
        "client_died": False,
    }
