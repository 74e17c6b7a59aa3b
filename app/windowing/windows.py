"""Windows on Windows, through user32 and dwmapi. Written from the documentation; not run on Windows yet."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Collection
from pathlib import PureWindowsPath

from fingerpost.app.windowing.values import WindowAt
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box

GA_ROOT = 2
EXTENDED_FRAME_BOUNDS, CLOAKED = 9, 14  # DWMWINDOWATTRIBUTE in dwmapi.h
EX_STYLE, EX_TRANSPARENT = -20, 0x20
PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
TOKEN_QUERY, TOKEN_INTEGRITY_LEVEL = 0x8, 25
UNKNOWN_IS_SYSTEM = 0x4000  # the integrity level of the system: what may not be asked is above us


class _Rect(ctypes.Structure):
    _fields_ = tuple((side, ctypes.c_long) for side in ("left", "top", "right", "bottom"))


class _Point(ctypes.Structure):
    _fields_ = (("x", ctypes.c_long), ("y", ctypes.c_long))


class Windows:
    name = "Windows"
    hint = "Use Windows 10 or newer."

    def problem(self) -> str | None:
        return None if sys.platform == "win32" else "this is not Windows"

    def window_at(self, point: DesktopPoint, ignore: Collection[int] = ()) -> WindowAt | None:
        """WindowFromPoint knows of holes and of windows that let clicks through; below ours the list has to do."""
        if sys.platform != "win32":  # type checkers on other systems know no user32
            return None
        ctypes.windll.user32.WindowFromPoint.argtypes = (_Point,)
        ctypes.windll.user32.WindowFromPoint.restype = ctypes.c_void_p
        ctypes.windll.user32.GetAncestor.restype = ctypes.c_void_p
        child = ctypes.windll.user32.WindowFromPoint(_Point(point.x, point.y))
        top = ctypes.windll.user32.GetAncestor(ctypes.c_void_p(child), GA_ROOT) if child else None
        if not top or _is_desktop(top):
            return None
        found = _describe(top)
        if found.pid != os.getpid() and found.id not in ignore:
            return found
        for window in self.visible_windows():
            if (
                window.box.contains(point.x, point.y)
                and window.id not in ignore
                and not _lets_clicks_through(window.id)
            ):
                return window
        return None

    def active_window(self) -> WindowAt | None:
        if sys.platform != "win32":
            return None
        ctypes.windll.user32.GetForegroundWindow.restype = ctypes.c_void_p
        handle = ctypes.windll.user32.GetForegroundWindow()
        found = _describe(handle) if handle else None
        if found is None or found.pid != os.getpid():
            return found
        return next((window for window in self.visible_windows() if window.title), None)

    def visible_windows(self) -> tuple[WindowAt, ...]:
        """EnumWindows lists top-level windows from the topmost down, the desktop last."""
        if sys.platform != "win32":
            return ()
        user32 = ctypes.windll.user32
        found: list[WindowAt] = []

        def visit(handle: int, _: int) -> bool:
            if user32.IsWindowVisible(ctypes.c_void_p(handle)) and not _is_away(handle):
                described = _describe(handle)
                if described.box.area and described.pid != os.getpid():
                    found.append(described)
            return True

        user32.EnumWindows(ctypes.WINFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(visit), 0)
        return tuple(found)


def program_name(path: str) -> str:
    """The program's name of an executable file: "notepad" for C:\\Windows\\notepad.exe."""
    return PureWindowsPath(path).stem.lower()


def is_elevated(theirs: int | None, ours: int | None) -> bool:
    """Whether input to a process is dropped: its integrity level is above ours, or nobody tells it."""
    return (UNKNOWN_IS_SYSTEM if theirs is None else theirs) > (0 if ours is None else ours)


def _describe(handle: int) -> WindowAt:
    if sys.platform != "win32":
        return WindowAt(handle, "", "", None, Box(0, 0, 0, 0))
    user32 = ctypes.windll.user32
    pid = ctypes.c_ulong()
    user32.GetWindowThreadProcessId(ctypes.c_void_p(handle), ctypes.byref(pid))
    title = ctypes.create_unicode_buffer(512)
    user32.GetWindowTextW(ctypes.c_void_p(handle), title, len(title))
    app, level = _process(pid.value)
    elevated = is_elevated(level, _process(os.getpid())[1])
    return WindowAt(handle, title.value, app, pid.value or None, _place(handle), elevated, frozenset({app} - {""}))


def _process(pid: int) -> tuple[str, int | None]:
    """A process's name and integrity level; "" and None where Windows does not tell."""
    if sys.platform != "win32":
        return "", None
    kernel32, advapi32 = ctypes.windll.kernel32, ctypes.windll.advapi32
    kernel32.OpenProcess.restype = ctypes.c_void_p
    process = ctypes.c_void_p(kernel32.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, False, pid))
    if not process.value:
        return "", None
    token = ctypes.c_void_p()
    try:
        path = ctypes.create_unicode_buffer(1024)
        length = ctypes.c_ulong(len(path))
        known = kernel32.QueryFullProcessImageNameW(process, 0, path, ctypes.byref(length))
        name = program_name(path.value) if known else ""
        opened = advapi32.OpenProcessToken(process, TOKEN_QUERY, ctypes.byref(token))
        return name, _integrity(token) if opened else None
    finally:
        if token.value:
            kernel32.CloseHandle(token)
        kernel32.CloseHandle(process)


def _integrity(token: ctypes.c_void_p) -> int | None:
    """The last part of the token's label: 0x2000 for usual programs, 0x3000 for elevated ones."""
    if sys.platform != "win32":
        return None
    advapi32 = ctypes.windll.advapi32
    label = ctypes.create_string_buffer(256)  # a TOKEN_MANDATORY_LABEL: a pointer to a SID, attributes, the SID
    size = ctypes.c_ulong()
    if not advapi32.GetTokenInformation(token, TOKEN_INTEGRITY_LEVEL, label, len(label), ctypes.byref(size)):
        return None
    sid = ctypes.c_void_p.from_buffer(label)
    advapi32.GetSidSubAuthorityCount.restype = ctypes.POINTER(ctypes.c_ubyte)
    advapi32.GetSidSubAuthority.restype = ctypes.POINTER(ctypes.c_ulong)
    count = advapi32.GetSidSubAuthorityCount(sid)[0]
    return int(advapi32.GetSidSubAuthority(sid, count - 1)[0])


def _place(handle: int) -> Box:
    """Physical pixels of what is visible of a window; GetWindowRect adds borders that only the mouse feels."""
    if sys.platform != "win32":
        return Box(0, 0, 0, 0)
    rect = _Rect()
    size = ctypes.sizeof(rect)
    asked = ctypes.windll.dwmapi.DwmGetWindowAttribute
    if asked(ctypes.c_void_p(handle), EXTENDED_FRAME_BOUNDS, ctypes.byref(rect), size) != 0:
        ctypes.windll.user32.GetWindowRect(ctypes.c_void_p(handle), ctypes.byref(rect))
    return Box(rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top)


def _is_away(handle: int) -> bool:
    """Minimised, or cloaked: suspended store apps, windows on other virtual desktops."""
    if sys.platform != "win32":
        return False
    cloaked = ctypes.c_int(0)
    ctypes.windll.dwmapi.DwmGetWindowAttribute(ctypes.c_void_p(handle), CLOAKED, ctypes.byref(cloaked), 4)
    return bool(ctypes.windll.user32.IsIconic(ctypes.c_void_p(handle)) or cloaked.value)


def _lets_clicks_through(handle: int) -> bool:
    if sys.platform != "win32":
        return False
    return bool(ctypes.windll.user32.GetWindowLongW(ctypes.c_void_p(handle), EX_STYLE) & EX_TRANSPARENT)


def _is_desktop(handle: int) -> bool:
    if sys.platform != "win32":
        return False
    ctypes.windll.user32.GetDesktopWindow.restype = ctypes.c_void_p
    return bool(handle == ctypes.windll.user32.GetDesktopWindow())
