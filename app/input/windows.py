"""Pointer and keyboard on Windows through SendInput. Written from the documentation; not run on Windows yet.

A press and its release go to the system in one call: nothing stays down when this program is ended.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable, Sequence

from fingerpost.app.input.pointer import never
from fingerpost.engine.errors import InputError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box

MOUSE, KEYBOARD = 0, 1
MOVE, ABSOLUTE, VIRTUAL_DESKTOP = 0x0001, 0x8000, 0x4000
PRESS = {"left": 0x0002, "right": 0x0008, "middle": 0x0020}
RELEASE = {"left": 0x0004, "right": 0x0010, "middle": 0x0040}
KEY_UP, UNICODE = 0x0002, 0x0004
VK_RETURN, VK_TAB = 0x0D, 0x09
MODIFIERS = (0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0x5B, 0x5C)  # Shift, Ctrl, Alt, Windows: left and right
SM_SWAPBUTTON, SM_VIRTUAL = 23, (76, 77, 78, 79)  # x, y, width, height of all monitors
PER_MONITOR_V2 = -4  # DPI_AWARENESS_CONTEXT
KEYS_AT_ONCE = 8


class _MouseInput(ctypes.Structure):
    _fields_ = (
        ("dx", ctypes.c_long),
        ("dy", ctypes.c_long),
        ("data", ctypes.c_ulong),
        ("flags", ctypes.c_ulong),
        ("time", ctypes.c_ulong),
        ("extra", ctypes.c_size_t),
    )


class _KeyboardInput(ctypes.Structure):
    _fields_ = (
        ("key", ctypes.c_ushort),
        ("scan", ctypes.c_ushort),
        ("flags", ctypes.c_ulong),
        ("time", ctypes.c_ulong),
        ("extra", ctypes.c_size_t),
    )


class _Union(ctypes.Union):
    _fields_ = (("mouse", _MouseInput), ("keyboard", _KeyboardInput))


class _Input(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_ulong), ("of", _Union))


class _Point(ctypes.Structure):
    _fields_ = (("x", ctypes.c_long), ("y", ctypes.c_long))


class Windows:
    name = "Windows SendInput"
    hint = "Use Windows 10, version 1703 or newer."

    def problem(self) -> str | None:
        if sys.platform != "win32":
            return "this is not Windows"
        user32 = ctypes.windll.user32
        user32.GetThreadDpiAwarenessContext.restype = ctypes.c_void_p
        context = ctypes.c_void_p(user32.GetThreadDpiAwarenessContext())
        if user32.AreDpiAwarenessContextsEqual(context, ctypes.c_void_p(PER_MONITOR_V2)):
            return None
        return "Windows scales what this process sees, so clicks would miss"

    def position(self) -> DesktopPoint | None:
        if sys.platform != "win32":
            return None
        point = _Point()
        known = ctypes.windll.user32.GetCursorPos(ctypes.byref(point))
        return DesktopPoint(point.x, point.y) if known else None

    def move(self, point: DesktopPoint) -> None:
        self._require()
        _send([_motion(point, _virtual_desktop())])
        reached = self.position()
        if reached != point:
            where = "an unknown place" if reached is None else f"{reached.x},{reached.y}"
            raise InputError(
                f"The pointer went to {where} instead of {point.x},{point.y}.",
                "Let go of the mouse and try again; another program may be holding the pointer.",
            )

    def click(self, point: DesktopPoint, button: str = "left", count: int = 1) -> None:
        self.release_all()
        self.move(point)
        if sys.platform == "win32" and ctypes.windll.user32.GetSystemMetrics(SM_SWAPBUTTON):
            button = {"left": "right", "right": "left"}.get(button, button)  # SendInput means the real buttons
        once = [_motion(point, _virtual_desktop()), _mouse(PRESS[button]), _mouse(RELEASE[button])]
        _send(once * count)

    def type_text(self, text: str, stopped: Callable[[], bool] = never) -> None:
        self._require()
        self.release_all()
        keys = key_events(text)
        for start in range(0, len(keys), 2 * KEYS_AT_ONCE):  # an even number: each press with its release
            if stopped():
                return
            _send([_key(*one) for one in keys[start : start + 2 * KEYS_AT_ONCE]])
            time.sleep(0.01)

    def release_all(self) -> None:
        if sys.platform != "win32":
            return
        state = ctypes.windll.user32.GetAsyncKeyState
        _send([_key(code, 0, KEY_UP) for code in MODIFIERS if state(code) & 0x8000])

    def _require(self) -> None:
        if problem := self.problem():
            raise InputError(f"Fingerpost cannot click here: {problem}.", self.hint)


def absolute(point: DesktopPoint, desktop: Box) -> tuple[int, int]:
    """A desktop pixel's middle in SendInput's units: 0..65535 over all monitors. `desktop` is their bounding box."""
    x = ((2 * (point.x - desktop.x) + 1) * 65536) // (2 * desktop.width)
    y = ((2 * (point.y - desktop.y) + 1) * 65536) // (2 * desktop.height)
    return x, y


def key_events(text: str) -> list[tuple[int, int, int]]:
    """(virtual key, UTF-16 unit, flags) of each press and release. Raises `InputError` for control characters."""
    events = []
    for character in text.replace("\r\n", "\n").replace("\r", "\n"):
        if character in "\n\t":
            key = VK_RETURN if character == "\n" else VK_TAB
            events += [(key, 0, 0), (key, 0, KEY_UP)]
            continue
        if ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0:
            raise InputError("The text has a control character, which cannot be typed.", "Type it without that one.")
        units = character.encode("utf-16-le")
        for unit in (int.from_bytes(units[i : i + 2], "little") for i in range(0, len(units), 2)):
            events += [(0, unit, UNICODE), (0, unit, UNICODE | KEY_UP)]
    return events


def _virtual_desktop() -> Box:
    if sys.platform != "win32":
        return Box(0, 0, 1, 1)
    return Box(*(ctypes.windll.user32.GetSystemMetrics(number) for number in SM_VIRTUAL))


def _motion(point: DesktopPoint, desktop: Box) -> _Input:
    x, y = absolute(point, desktop)
    return _mouse(MOVE | ABSOLUTE | VIRTUAL_DESKTOP, x, y)


def _mouse(flags: int, x: int = 0, y: int = 0) -> _Input:
    return _Input(MOUSE, _Union(mouse=_MouseInput(x, y, 0, flags, 0, 0)))


def _key(key: int, unit: int, flags: int) -> _Input:
    return _Input(KEYBOARD, _Union(keyboard=_KeyboardInput(key, unit, flags, 0, 0)))


def _send(inputs: Sequence[_Input]) -> None:
    """Raises `InputError` when the system took less than all of it."""
    if sys.platform != "win32" or not inputs:
        return
    array = (_Input * len(inputs))(*inputs)
    if ctypes.windll.user32.SendInput(len(inputs), array, ctypes.sizeof(_Input)) != len(inputs):
        raise InputError("Windows refused the click.", "A window with more rights may be in front; use it by hand.")
