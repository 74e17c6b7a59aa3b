"""X11: pictures through mss, windows through the properties that window managers set (EWMH)."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Any

from fingerpost.engine.capture import with_mss
from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.errors import CaptureError
from fingerpost.engine.geometry import Layout
from fingerpost.engine.values import Box, Pixels

TIMEOUT_S = 3.0  # a display that does not answer by then is not there


class X11:
    name = "X11"
    hint = "Log in to a desktop session on X11, or set DISPLAY to that of a running one."

    def problem(self) -> str | None:
        if not sys.platform.startswith("linux"):
            return "this is not Linux"
        if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
            return "on Wayland it sees only black"
        display = os.environ.get("DISPLAY", "")
        if not display:
            return "no display: DISPLAY is not set"
        return None if _answers(display) else f"no X server answers on the display {display}"

    def layout(self) -> Layout:
        return with_mss.layout()

    def grab(self, box: Box) -> Pixels:
        return with_mss.grab(box)

    def windows(self) -> tuple[WindowInfo, ...]:
        """Top-level windows, topmost first. Raises `CaptureError` when the X server goes away."""
        from Xlib import display, error

        try:
            connection = display.Display()
        except (error.DisplayError, OSError) as problem:
            raise CaptureError(f"The X server cannot be asked for windows ({problem}).", self.hint) from problem
        try:
            found = [_describe(connection, window) for window in _stacked(connection)]
        except (error.ConnectionClosedError, OSError) as problem:
            raise CaptureError("The X server went away.", self.hint) from problem
        finally:
            connection.close()
        return tuple(window for window in found if window is not None)


def _answers(display: str) -> bool:
    """Whether something accepts a connection on a local display; other hosts are believed to."""
    host, _, number = display.partition(":")
    if host not in {"", "unix"}:
        return True
    number = number.partition(".")[0]
    for address in (f"/tmp/.X11-unix/X{number}", f"\0/tmp/.X11-unix/X{number}"):
        if address.startswith("/") and not Path(address).exists():
            continue
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(TIMEOUT_S)
            try:
                connection.connect(address)
            except OSError:
                continue
            return True
    return False


def _stacked(connection: Any) -> list[Any]:
    """The managed windows, topmost first; all mapped children of the root without a window manager."""
    root = connection.screen().root
    listed = root.get_full_property(connection.intern_atom("_NET_CLIENT_LIST_STACKING"), 0)
    if listed is not None:
        return [connection.create_resource_object("window", int(number)) for number in reversed(listed.value)]
    return list(reversed(root.query_tree().children))


def _describe(connection: Any, window: Any) -> WindowInfo | None:
    """Title and place of a window; None when it has no title or was closed meanwhile."""
    from Xlib import error

    try:
        title = _title(connection, window)
        if not title:
            return None
        size = window.get_geometry()
        corner = window.translate_coords(connection.screen().root, 0, 0)
        state = window.get_full_property(connection.intern_atom("_NET_WM_STATE"), 0)
        hidden = connection.intern_atom("_NET_WM_STATE_HIDDEN")
        minimised = state is not None and hidden in state.value
        return WindowInfo(title, Box(-corner.x, -corner.y, size.width, size.height), minimised)
    except (error.BadWindow, error.BadDrawable):
        return None


def _title(connection: Any, window: Any) -> str:
    name = window.get_full_property(connection.intern_atom("_NET_WM_NAME"), 0)
    if name is not None:
        value = name.value
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    plain = window.get_wm_name()
    return plain.decode("latin-1") if isinstance(plain, bytes) else plain or ""
