"""Whether Qt can work here, asked before it is loaded: Qt ends the whole process when it finds no display."""

from __future__ import annotations

import ctypes
import importlib.metadata
import importlib.util
import os
import re
import sys
from pathlib import Path

from fingerpost.engine.errors import FingerpostError


class DesktopError(FingerpostError):
    """The desktop application cannot run here."""


def require_qt() -> None:
    """Raises `DesktopError` when Qt is missing, would abort on this Python, or finds no display."""
    if importlib.util.find_spec("PySide6") is None:
        raise DesktopError("The desktop application needs Qt.", "Run: pip install 'fingerpost[desktop]'.")
    version = importlib.metadata.version("PySide6-Essentials")
    if version.startswith("6.12.") and sys.version_info < (3, 12):
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise DesktopError(
            f"Qt for Python {version} aborts on Python {python}.", "Run: pip install 'PySide6-Essentials<6.12'."
        )
    if sys.platform.startswith("linux") and not _has_display():
        raise DesktopError(
            "There is no display to show anything on.", "Start it from a desktop session, or use fingerpost find."
        )
    if sys.platform.startswith("linux") and (library := _missing_library()):
        raise DesktopError(f"Qt lacks the system library {library}.", f"Install it; on Debian: {package_of(library)}.")


def _has_display() -> bool:
    if os.environ.get("QT_QPA_PLATFORM", "").split(":")[0] in {"offscreen", "minimal", "vnc"}:
        return True
    return _reaches_x() or _reaches_wayland()


def _reaches_wayland() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name:
        return False
    return (Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / name).exists()  # an absolute name stays itself


def _reaches_x() -> bool:
    if not os.environ.get("DISPLAY"):
        return False
    from Xlib import display, error

    try:
        display.Display().close()
    except (error.DisplayError, error.XauthError, OSError, ValueError):
        return False
    return True


def _missing_library() -> str | None:
    """The library of the system without which Qt's X11 plug-in does not load; Qt itself would only abort."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or spec.origin is None or "QT_QPA_PLATFORM" in os.environ or not os.environ.get("DISPLAY"):
        return None
    plugin = Path(spec.origin).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        found = re.match(r"([\w.+-]+\.so[\w.]*): cannot open", str(error))
        return found.group(1) if found else None
    return None


def package_of(library: str) -> str:
    """The command that installs a library: Debian names a package after a library and its version."""
    stem, _, version = library.partition(".so")
    name = stem + ("-" if stem[-1].isdigit() else "") + version.lstrip(".")
    return f"apt install {name}"
