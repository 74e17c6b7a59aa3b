"""Pointer and keyboard on macOS through pyautogui. Written from the documentation; not run on a Mac yet.

pyautogui is loaded at the first use only: importing it can raise even `SystemExit`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from fingerpost.app.input.pointer import never
from fingerpost.engine.errors import InputError
from fingerpost.engine.geometry import DesktopPoint

MODIFIERS = ("shift", "ctrl", "option", "command", "fn")
TYPE_SCRIPT = """on run argv
tell application "System Events" to keystroke (item 1 of argv)
end run"""
CHARACTERS_AT_ONCE = 8


class MacOS:
    name = "macOS (pyautogui)"
    hint = "Install pyautogui, and allow Fingerpost in System Settings, Privacy and Security, Accessibility."

    def problem(self) -> str | None:
        if sys.platform != "darwin":
            return "this is not macOS"
        try:
            _pyautogui()
        except InputError as error:
            return error.message.removesuffix(".").lower()
        return None if _is_trusted() else "macOS does not let Fingerpost use the pointer yet"

    def position(self) -> DesktopPoint | None:
        try:
            x, y = _pyautogui().position()
        except InputError:
            return None
        return DesktopPoint(int(x), int(y))

    def move(self, point: DesktopPoint) -> None:
        _pyautogui().moveTo(point.x, point.y)
        reached = self.position()
        if reached != point:
            where = "an unknown place" if reached is None else f"{reached.x},{reached.y}"
            raise InputError(
                f"The pointer went to {where} instead of {point.x},{point.y}.", "Let go of the mouse and try again."
            )

    def click(self, point: DesktopPoint, button: str = "left", count: int = 1) -> None:
        self.release_all()
        self.move(point)
        _pyautogui().click(point.x, point.y, clicks=count, interval=0.04 if count > 1 else 0.0, button=button)

    def type_text(self, text: str, stopped: Callable[[], bool] = never) -> None:
        """pyautogui types what is on a US keyboard only; the system's own script types anything."""
        self.release_all()
        for start in range(0, len(text), CHARACTERS_AT_ONCE):
            if stopped():
                return
            piece = text[start : start + CHARACTERS_AT_ONCE]
            try:
                subprocess.run(["osascript", "-e", TYPE_SCRIPT, piece], check=True, capture_output=True, timeout=10)
            except (OSError, subprocess.SubprocessError) as error:
                raise InputError("macOS did not type the text.", self.hint) from error

    def release_all(self) -> None:
        try:
            library = _pyautogui()
        except InputError:
            return
        for key in MODIFIERS:
            library.keyUp(key)


def _pyautogui() -> Any:
    """The library without its pauses and without its corner, which would raise at targets in a corner."""
    try:
        library: Any = import_module("pyautogui")
    except (Exception, SystemExit) as error:
        raise InputError("Pyautogui cannot be loaded.", MacOS.hint) from error
    library.PAUSE = 0
    library.FAILSAFE = False
    return library


def _is_trusted() -> bool:
    """Without the user's trust macOS drops every click without a word."""
    try:
        services: Any = import_module("ApplicationServices")  # comes with pyautogui on macOS
    except ImportError:
        return True
    return bool(services.AXIsProcessTrusted())
