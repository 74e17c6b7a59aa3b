"""Capturing through python-mss: what X11, Windows and macOS share."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from fingerpost.engine.errors import CaptureError
from fingerpost.engine.geometry import Layout, Monitor
from fingerpost.engine.values import Box, Pixels

if TYPE_CHECKING:
    from mss.screenshot import ScreenShot

NO_DISPLAY_HINT = "Start it inside a desktop session, or use --image with a picture."


def layout() -> Layout:
    """The monitors as mss sees them. Raises `CaptureError` when the display cannot be reached."""
    import mss  # not needed for pictures, and slow to load

    try:
        with mss.MSS() as screen:
            found = [dict(monitor) for monitor in screen.monitors[1:]]
    except Exception as error:  # mss raises its own, Xlib's and ctypes' errors
        raise _unreachable(error) from error
    return Layout(tuple(_monitor(number, values) for number, values in enumerate(found, start=1)))


def grab(box: Box) -> Pixels:
    """A part of the desktop, BGRA. Raises `CaptureError` when the display cannot be reached."""
    import mss

    area = {"left": box.x, "top": box.y, "width": box.width, "height": box.height}
    try:
        with mss.MSS() as screen:
            return pixels_of(screen.grab(area))
    except Exception as error:
        raise _unreachable(error) from error


def pixels_of(shot: ScreenShot) -> Pixels:
    """The pixels of a capture as mss holds them, BGRA, not copied and not to be written to."""
    pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
    pixels.flags.writeable = False
    return pixels


def be_aware_of_scaling() -> None:
    """On Windows, see physical pixels on every monitor; must come before anything else asks for the screen.

    -4 is DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2. The call is refused when the process has chosen before.
    """
    windll = getattr(ctypes, "windll", None)
    if windll is not None:
        windll.user32.SetProcessDpiAwarenessContext(ctypes.c_void_p(-4))


def _monitor(number: int, values: dict[str, object]) -> Monitor:
    left, top, width, height = (int(str(values[key])) for key in ("left", "top", "width", "height"))
    name = str(values.get("name") or values.get("output") or f"Monitor {number}")
    return Monitor(number=number, name=name, box=Box(left, top, width, height), primary=bool(values.get("is_primary")))


def _unreachable(error: Exception) -> CaptureError:
    what = str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
    return CaptureError(f"The screen cannot be captured ({what}).", NO_DISPLAY_HINT)
