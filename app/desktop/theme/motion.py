"""Whether the user has asked the system for less motion.

Each desktop keeps that in a place of its own; what cannot be read counts as "no".
"""

from __future__ import annotations

import configparser
import ctypes
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ANSWER_S = 1.0


@cache
def system_reduces_motion() -> bool:
    """Asked once a process: a command may have to run."""
    if sys.platform == "win32":
        return windows_reduces_motion()
    if sys.platform == "darwin":
        return said("defaults", "read", "com.apple.universalaccess", "reduceMotion") == "1"
    if kde_reduces_motion(Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")):
        return True
    return said("gsettings", "get", "org.gnome.desktop.interface", "enable-animations") == "false"


def windows_reduces_motion() -> bool:
    """SPI_GETCLIENTAREAANIMATION: "Show animations in Windows" in the accessibility settings."""
    if sys.platform != "win32":
        return False
    animated = ctypes.c_int(1)
    ctypes.windll.user32.SystemParametersInfoW(0x1042, 0, ctypes.byref(animated), 0)
    return not animated.value


def kde_reduces_motion(configuration: Path) -> bool:
    """KDE's speed of animations, "instant" being 0."""
    file = configparser.RawConfigParser(strict=False)
    try:
        file.read(configuration / "kdeglobals", "utf-8")
        return file.getfloat("KDE", "AnimationDurationFactor", fallback=1.0) == 0.0
    except (configparser.Error, UnicodeDecodeError, OSError, ValueError):
        return False


def said(*command: str) -> str:
    """What a command prints, "" when it is not there or fails."""
    program = shutil.which(command[0])
    if program is None:
        return ""
    try:
        done = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=ANSWER_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
