"""Windows: pictures through mss after asking for physical pixels; monitors and windows through user32 and shcore.

Written from the documentation; it has not been run on Windows yet.
"""

from __future__ import annotations

import ctypes
import sys

from fingerpost.engine.capture import with_mss
from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.geometry import Layout, Monitor
from fingerpost.engine.values import Box, Pixels

EXTENDED_FRAME_BOUNDS, CLOAKED = 9, 14  # DWMWINDOWATTRIBUTE in dwmapi.h
PRIMARY = 1  # MONITORINFOF_PRIMARY in winuser.h
EFFECTIVE_DPI = 0  # MDT_EFFECTIVE_DPI in shellscalingapi.h: with the scale that the user has chosen
USUAL_DPI = 96  # at a scale of 100 %


class _Rect(ctypes.Structure):
    _fields_ = tuple((side, ctypes.c_long) for side in ("left", "top", "right", "bottom"))


class _MonitorInfo(ctypes.Structure):
    """MONITORINFOEXW in winuser.h."""

    _fields_ = (
        ("cbSize", ctypes.c_ulong),
        ("rcMonitor", _Rect),
        ("rcWork", _Rect),
        ("dwFlags", ctypes.c_ulong),
        ("szDevice", ctypes.c_wchar * 32),
    )


def monitor_of(number: int, info: _MonitorInfo, dpi: int) -> Monitor:
    """The monitor that Windows describes; "\\\\.\\DISPLAY1" is called DISPLAY1."""
    rect = info.rcMonitor
    box = Box(rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top)
    name = info.szDevice.removeprefix("\\\\.\\") or f"Monitor {number}"
    return Monitor(number, name, box, (dpi or USUAL_DPI) / USUAL_DPI, primary=bool(info.dwFlags & PRIMARY))


class Windows:
    name = "Windows (GDI)"
    hint = "Use Windows 10 or newer."

    def problem(self) -> str | None:
        return None if sys.platform == "win32" else "this is not Windows"

    def layout(self) -> Layout:
        """EnumDisplayMonitors lists them; each has a scale of its own, which only an aware process is told."""
        if sys.platform != "win32":  # type checkers on other systems know no user32
            return Layout(())
        with_mss.be_aware_of_scaling()
        user32, shcore = ctypes.windll.user32, ctypes.windll.shcore
        found: list[Monitor] = []

        def visit(handle: int, _context: int, _rect: object, _data: int) -> bool:
            info = _MonitorInfo(cbSize=ctypes.sizeof(_MonitorInfo))
            dpi_x, dpi_y = ctypes.c_uint(USUAL_DPI), ctypes.c_uint(USUAL_DPI)
            if user32.GetMonitorInfoW(ctypes.c_void_p(handle), ctypes.byref(info)):
                shcore.GetDpiForMonitor(
                    ctypes.c_void_p(handle), EFFECTIVE_DPI, ctypes.byref(dpi_x), ctypes.byref(dpi_y)
                )
                found.append(monitor_of(len(found) + 1, info, dpi_x.value))
            return True

        visitor = ctypes.WINFUNCTYPE(
            ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_Rect), ctypes.c_void_p
        )
        user32.EnumDisplayMonitors(None, None, visitor(visit), 0)
        return Layout(tuple(found))

    def grab(self, box: Box) -> Pixels:
        with_mss.be_aware_of_scaling()
        return with_mss.grab(box)

    def windows(self) -> tuple[WindowInfo, ...]:
        """EnumWindows lists top-level windows from the topmost down; their places need the awareness of scaling."""
        if sys.platform != "win32":  # type checkers on other systems know no user32
            return ()
        with_mss.be_aware_of_scaling()
        user32, dwmapi = ctypes.windll.user32, ctypes.windll.dwmapi
        found: list[WindowInfo] = []

        def visit(handle: int, _: int) -> bool:
            length = user32.GetWindowTextLengthW(handle)
            if length and user32.IsWindowVisible(handle) and not _is_cloaked(dwmapi, handle):
                title = ctypes.create_unicode_buffer(length + 1)
                user32.GetWindowTextW(handle, title, length + 1)
                box = _place(user32, dwmapi, handle)
                found.append(WindowInfo(title.value, box, bool(user32.IsIconic(handle))))
            return True

        user32.EnumWindows(ctypes.WINFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(visit), 0)
        return tuple(found)


def _place(user32: ctypes.CDLL, dwmapi: ctypes.CDLL, handle: int) -> Box:
    """Physical pixels of what is visible of a window; GetWindowRect adds borders that only the mouse feels."""
    rect = _Rect()
    size = ctypes.sizeof(rect)
    if dwmapi.DwmGetWindowAttribute(handle, EXTENDED_FRAME_BOUNDS, ctypes.byref(rect), size) != 0:
        user32.GetWindowRect(handle, ctypes.byref(rect))
    return Box(rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top)


def _is_cloaked(dwmapi: ctypes.CDLL, handle: int) -> bool:
    """Suspended store apps and windows on other virtual desktops count as visible, but are not shown."""
    cloaked = ctypes.c_int(0)
    dwmapi.DwmGetWindowAttribute(handle, CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked))
    return cloaked.value != 0
