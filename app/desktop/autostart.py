"""Start with the desktop: the one file or registry value that each system reads at login.

Linux   ~/.config/autostart/fingerpost.desktop
macOS   ~/Library/LaunchAgents/org.fingerpost.plist (not run yet on a real Mac)
Windows HKEY_CURRENT_USER\\...\\Run (not run yet on a real Windows)

The texts are made by pure functions of the command; `set_enabled` puts them in their place.
"""

from __future__ import annotations

import os
import plistlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from fingerpost.app.text import text
from fingerpost.engine.errors import FingerpostError

LABEL = "org.fingerpost"
RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
RUN_VALUE = "Fingerpost"


class AutostartError(FingerpostError):
    """Starting at login cannot be switched on or off."""


def command() -> tuple[str, ...]:
    """What starts this very installation, hidden in the tray."""
    options = ("app", "--hidden")
    if bundle := os.environ.get("APPIMAGE"):
        return (bundle, *options)
    if getattr(sys, "frozen", False):
        return (sys.executable, *options)
    script = Path(sys.executable).with_name("fingerpost")
    if sys.platform != "win32" and os.access(script, os.X_OK):
        return (str(script), *options)
    windowless = Path(sys.executable).with_name("pythonw.exe")  # without a console window
    python = windowless if windowless.exists() else Path(sys.executable)
    return (str(python), "-m", "fingerpost", *options)


def is_enabled() -> bool:
    """Whether something of ours starts at login; False where that cannot be read."""
    try:
        return _in_registry() if sys.platform == "win32" else _file().exists()
    except OSError:
        return False


def set_enabled(enabled: bool) -> None:
    """Start at login from now on, or no more. Raises `AutostartError`."""
    parts = command()
    try:
        if sys.platform == "win32":
            _write_registry(windows_command(parts) if enabled else None)
        elif enabled:
            _write(_file(), launch_agent(parts) if sys.platform == "darwin" else desktop_entry(parts))
        else:
            _file().unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = text("settings.problem.autostart_hint", command=" ".join(parts))
        raise AutostartError(text("settings.problem.autostart", reason=reason), hint) from error


def desktop_entry(parts: Sequence[str]) -> str:
    """The autostart file of Linux desktops."""
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Name=Fingerpost",
        f"Exec={exec_line(parts)}",
        "Icon=fingerpost",
        "Terminal=false",
        "X-GNOME-Autostart-enabled=true",
    )
    return "\n".join(lines) + "\n"


def exec_line(parts: Sequence[str]) -> str:
    """A command as the Desktop Entry Specification quotes it.

    Each part in double quotes, then once more as a value of the file: there a backslash is written twice. A percent
    sign would begin a field code.
    """
    return " ".join(_quoted(part) for part in parts)


def _quoted(part: str) -> str:
    plain = part and all(character.isalnum() or character in "/._-+:@,=" for character in part)
    if plain:
        return part
    inner = "".join(f"\\{character}" if character in '"`$\\' else character for character in part)
    return f'"{inner}"'.replace("\\", "\\\\").replace("%", "%%").replace("\n", "\\n").replace("\t", "\\t")


def launch_agent(parts: Sequence[str]) -> str:
    """The property list of macOS."""
    content = {"Label": LABEL, "ProgramArguments": list(parts), "RunAtLoad": True, "ProcessType": "Interactive"}
    return plistlib.dumps(content).decode("utf-8")


def windows_command(parts: Sequence[str]) -> str:
    """One command line, quoted as Windows programs read it."""
    return subprocess.list2cmdline(parts)


def _file() -> Path:
    """Where Linux and macOS look."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    return platformdirs.user_config_path() / "autostart" / "fingerpost.desktop"


def _write(file: Path, content: str) -> None:
    """Put the file in its place whole. Raises `OSError`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        temporary.write_text(content, "utf-8")
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


def _in_registry() -> bool:
    if sys.platform != "win32":
        return False
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, RUN_KEY) as key:
            winreg.QueryValueEx(key, RUN_VALUE)
    except FileNotFoundError:
        return False
    return True


def _write_registry(line: str | None) -> None:
    """Raises `OSError`."""
    if sys.platform != "win32":
        return
    import winreg

    with winreg.CreateKey(winreg.HKEY_CURRENT_USER, RUN_KEY) as key:
        if line is not None:
            winreg.SetValueEx(key, RUN_VALUE, 0, winreg.REG_SZ, line)
        elif _in_registry():
            winreg.DeleteValue(key, RUN_VALUE)
