"""X11: pictures through mss, monitors through RandR, windows through the properties of window managers.

One connection is kept between calls; opening it takes longer than a capture. Every call has a deadline, since neither
Xlib nor XCB has one: a display on a host that is down, or a stopped server, would hold the program forever.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from fingerpost.engine.capture import x11_windows
from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.capture.with_mss import NO_DISPLAY_HINT, pixels_of
from fingerpost.engine.deadline import within
from fingerpost.engine.errors import CaptureError
from fingerpost.engine.geometry import Layout, Monitor
from fingerpost.engine.values import Box, Pixels

if TYPE_CHECKING:
    import mss
    from Xlib.display import Display

TIMEOUT_S = 4.0
"""An 8K capture takes half a second on a busy machine."""

Result = TypeVar("Result")


class RefusedError(CaptureError):
    """The server answered with an error, or closed the connection."""


class X11:
    name = "X11"
    hint = "Log in to a desktop session on X11, or set DISPLAY to that of a running one."

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    def problem(self) -> str | None:
        if not sys.platform.startswith("linux"):
            return "this is not Linux"
        display = os.environ.get("DISPLAY", "")
        if not display:
            return "no display: DISPLAY is not set"
        try:
            is_xwayland = self._run(lambda connection: connection.is_xwayland)
        except CaptureError:
            return f"no X server answers on the display {display}"
        return "on Wayland it sees only black" if is_xwayland else None

    def layout(self) -> Layout:
        return self._run(lambda connection: connection.layout())

    def grab(self, box: Box) -> Pixels:
        return self._run(lambda connection: connection.grab(box))

    def windows(self) -> tuple[WindowInfo, ...]:
        """Titled windows, the active one first, then from the topmost down; places include the window's frame."""
        return self._run(lambda connection: x11_windows.windows(connection.display))

    def _run(self, action: Callable[[Connection], Result]) -> Result:
        """The action's result. Raises `CaptureError` when the server does not answer, or not in time."""
        with self._lock:
            kept = self._take_connection()
            if kept is not None:
                # It may be stale: the server was restarted, or the screen has grown since. Then once more, anew.
                with suppress(RefusedError):
                    return self._try(kept, action)
            return self._try(self._opened(), action)

    def _take_connection(self) -> Connection | None:
        kept, self._connection = self._connection, None
        if kept is not None and kept.name != os.environ.get("DISPLAY"):
            kept.close()
            return None
        return kept

    def _opened(self) -> Connection:
        name = os.environ.get("DISPLAY", "")
        try:
            return within(TIMEOUT_S, lambda: Connection(name))
        except TimeoutError:
            raise CaptureError(f"The X server {name} does not answer.", NO_DISPLAY_HINT) from None
        except Exception as error:  # mss, Xlib and ctypes raise their own, and Xlib AssertionErrors
            raise CaptureError(f"No X server answers on the display {name}.", NO_DISPLAY_HINT) from error

    def _try(self, connection: Connection, action: Callable[[Connection], Result]) -> Result:
        """Keeps the connection when all went well, and drops it otherwise."""
        try:
            result = within(TIMEOUT_S, lambda: action(connection))
        except TimeoutError:
            raise CaptureError(f"The X server {connection.name} does not answer.", NO_DISPLAY_HINT) from None
        except Exception as error:
            connection.close()
            raise RefusedError(f"The X server {connection.name} refused: {_reason(error)}.", NO_DISPLAY_HINT) from error
        self._connection = connection
        return result


class Connection:
    """A connection to an X server through python-xlib, and one through mss. Raises what these two raise."""

    def __init__(self, name: str) -> None:
        from Xlib.display import Display

        with redirect_stdout(sys.stderr):  # python-xlib prints its warnings where our JSON goes
            self.display: Display = Display(name)
        self.name = name
        self._mss = _open_mss(name)

    @property
    def is_xwayland(self) -> bool:
        """Xwayland shows programs only their own kind of windows, on black."""
        if self.display.has_extension("XWAYLAND"):
            return True
        return any(monitor.name.startswith("XWAYLAND") for monitor in self.layout().monitors)

    def layout(self) -> Layout:
        root = self.display.screen().root
        scale = self._scale()
        monitors = []
        for number, m in enumerate(self._randr_monitors(), start=1):
            box = Box(m.x, m.y, m.width_in_pixels, m.height_in_pixels)
            name = self.display.get_atom_name(m.name)
            monitors.append(Monitor(number, name, box, scale, primary=bool(m.primary)))
        if not monitors:
            size = root.get_geometry()
            monitors.append(Monitor(1, "screen", Box(0, 0, size.width, size.height), scale, primary=True))
        return Layout(tuple(monitors))

    def grab(self, box: Box) -> Pixels:
        return pixels_of(self._mss.grab({"left": box.x, "top": box.y, "width": box.width, "height": box.height}))

    def close(self) -> None:
        with suppress(Exception):  # it may be broken already
            self._mss.close()
        with suppress(Exception):
            self.display.close()

    def _randr_monitors(self) -> list[Any]:
        """RandR's list; empty where the server has none (RandR before 1.5, no output in use)."""
        if not self.display.has_extension("RANDR"):
            return []
        version = self.display.xrandr_query_version()
        if (version.major_version, version.minor_version) < (1, 5):
            return []
        return list(self.display.screen().root.xrandr_get_monitors(is_active=True).monitors)

    def _scale(self) -> float:
        """X11 has one scale for all monitors: that of the fonts, Xft.dpi / 96, as Qt and GTK take it."""
        from Xlib import Xatom

        found = self.display.screen().root.get_full_property(Xatom.RESOURCE_MANAGER, Xatom.STRING)
        text = found.value.decode("latin-1") if found is not None and isinstance(found.value, bytes) else ""
        dpi = re.search(r"^Xft\.dpi:\s*(\d+(?:\.\d+)?)\s*$", text, re.MULTILINE)
        return float(dpi[1]) / 96 if dpi and float(dpi[1]) > 0 else 1.0


def _open_mss(name: str) -> mss.MSS:
    """mss itself falls back from shared memory to plain requests, but not when a library for it is missing."""
    import mss

    try:
        return mss.MSS(display=name)
    except mss.ScreenShotError:
        return mss.MSS(display=name, backend="xgetimage")


def _reason(error: Exception) -> str:
    return str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
