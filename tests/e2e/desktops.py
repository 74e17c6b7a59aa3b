"""Desktops as people have them: with a tray, with and without a compositor, with several monitors."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from desktop_session import DesktopSession, desktop_session, wait_until
from x11_events import owner_of

NAMES = ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")


@contextmanager
def whole_desktop(
    size: str = "1280x800", tray: bool = True, compositor: bool = False, monitors: Sequence[str] = ()
) -> Iterator[DesktopSession]:
    """A desktop that this process is on as well, to look and to ask.

    monitors  virtual ones in place of the only one, as xrandr writes them: "800/200x800/200+0+0"
    """
    with pytest.MonkeyPatch.context() as patch, desktop_session(size) as desktop:
        for name in NAMES:
            patch.setenv(name, desktop.env[name])
        patch.delenv("WAYLAND_DISPLAY", raising=False)
        patch.delenv("XDG_SESSION_TYPE", raising=False)
        for number, place in enumerate(monitors):
            command = ["xrandr", "--setmonitor", f"part-{number}", place, "screen" if number == 0 else "none"]
            subprocess.run(command, check=True, env=desktop.env, stderr=subprocess.DEVNULL)
        if tray:
            desktop.start("trayer", "--edge", "bottom", "--align", "right", "--widthtype", "pixel", "--width", "80")
            wait_until(lambda: owner_of(desktop, "_NET_SYSTEM_TRAY_S0") is not None, what="the tray")
        if compositor:
            desktop.start("picom", "--backend", "xrender", "--config", "/dev/null")
            wait_until(lambda: owner_of(desktop, "_NET_WM_CM_S0") is not None, what="the compositor")
        yield desktop
