"""Windows on macOS, from the window server's list. Written from the documentation; not run on a Mac yet.

macOS names programs without permission, and titles only with the one for screen recording.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any

from fingerpost.app.windowing.values import WindowAt
from fingerpost.engine.errors import WindowError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box

NORMAL_LAYER, TOP_LAYER = 0, 102
"""From ordinary windows to popup menus (kCGPopUpMenuWindowLevel is 101); the pointer and shields are above."""


class MacOS:
    name = "macOS"
    hint = "Allow screen recording for Fingerpost in System Settings, Privacy and Security."

    def problem(self) -> str | None:
        return None if sys.platform == "darwin" else "this is not macOS"

    def window_at(self, point: DesktopPoint, ignore: Collection[int] = ()) -> WindowAt | None:
        windows = self.visible_windows()
        return next((one for one in windows if one.box.contains(point.x, point.y) and one.id not in ignore), None)

    def active_window(self) -> WindowAt | None:
        return next((window for window, layer in _listed() if layer == NORMAL_LAYER), None)

    def visible_windows(self) -> tuple[WindowAt, ...]:
        return tuple(window for window, _ in _listed())


def _listed() -> list[tuple[WindowAt, int]]:
    """The windows on the screen, topmost first, with their layers."""
    try:
        quartz: Any = import_module("Quartz")  # comes with pyautogui on macOS
    except ImportError as error:
        raise WindowError("The open windows are unknown: Quartz is not installed.", "Install pyautogui.") from error
    options = quartz.kCGWindowListOptionOnScreenOnly
    listed = quartz.CGWindowListCopyWindowInfo(options, quartz.kCGNullWindowID)
    if listed is None:
        raise WindowError("macOS does not tell which windows are open.", MacOS.hint)
    found = [(as_window(entry), int(entry.get("kCGWindowLayer", 0))) for entry in listed]
    return [one for one in found if NORMAL_LAYER <= one[1] <= TOP_LAYER and one[0].pid != os.getpid()]


def as_window(entry: Mapping[str, Any]) -> WindowAt:
    """One entry of the window server's list; places are in points, as pyautogui and mss count on macOS."""
    bounds = entry["kCGWindowBounds"]
    box = Box(*(round(float(bounds[key])) for key in ("X", "Y", "Width", "Height")))
    app = str(entry.get("kCGWindowOwnerName") or "").lower()
    title = str(entry.get("kCGWindowName") or "")
    pid = int(entry["kCGWindowOwnerPID"])
    return WindowAt(int(entry["kCGWindowNumber"]), title, app, pid, box, names=frozenset({app} - {""}))
