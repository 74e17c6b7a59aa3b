"""Keeping the overlay out of captures where the system can: Windows 10 2004 and newer.

Layered windows, such as translucent ones, are reported to be refused; so the answer is looked at, and elsewhere the
overlay is hidden before a capture.
"""

from __future__ import annotations

import ctypes
import sys

EXCLUDE_FROM_CAPTURE = 0x11
FIRST_BUILD = 19041
"""Windows 10 2004; older ones would show a black box."""


def exclude(window: int) -> bool:
    """Whether captures no longer show this window."""
    if sys.platform != "win32" or sys.getwindowsversion().build < FIRST_BUILD:
        return False
    user32 = ctypes.windll.user32
    if not user32.SetWindowDisplayAffinity(ctypes.c_void_p(window), EXCLUDE_FROM_CAPTURE):
        return False
    affinity = ctypes.c_uint(0)
    read = user32.GetWindowDisplayAffinity(ctypes.c_void_p(window), ctypes.byref(affinity))
    return bool(read) and affinity.value == EXCLUDE_FROM_CAPTURE


def wait_for_composition() -> None:
    """Until the desktop has been drawn once more (Windows)."""
    if sys.platform == "win32":
        ctypes.windll.dwmapi.DwmFlush()
