"""Wayland desktops of the wlroots family (Sway, Hyprland, labwc) through the program `grim`, without pywayland.

grim gives one picture of all monitors, in pixels of the one with the greatest scale. Where the monitors are in it no
program tells on every such desktop, so here they are one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.errors import CaptureError, ImageError
from fingerpost.engine.geometry import Layout, Monitor
from fingerpost.engine.values import Box, Pixels

TIMEOUT_S = 10.0


class WaylandGrim:
    name = "Wayland (grim)"
    hint = "Run: pip install 'fingerpost[desktop]', or on Sway, Hyprland or labwc install grim."

    def problem(self) -> str | None:
        if not sys.platform.startswith("linux"):
            return "this is not Linux"
        if not os.environ.get("WAYLAND_DISPLAY"):
            return "no Wayland session"
        if shutil.which("grim") is None:
            return "this is a Wayland session, and grim is not installed"
        try:
            _picture()
        except CaptureError:
            return "this Wayland desktop lets grim capture nothing"
        return None

    def layout(self) -> Layout:
        height, width, _ = _picture().shape
        return Layout((Monitor(1, "all monitors", Box(0, 0, width, height), primary=True),))

    def grab(self, box: Box) -> Pixels:
        return _picture()[box.y : box.bottom, box.x : box.right]

    def windows(self) -> tuple[WindowInfo, ...]:
        return ()


def _picture() -> Pixels:
    """All monitors. PPM, since compressing costs more than all the rest."""
    try:
        done = subprocess.run(("grim", "-t", "ppm", "-"), capture_output=True, check=True, timeout=TIMEOUT_S)
        from fingerpost.engine import pictures  # it loads OpenCV, which other ways do not need

        return pictures.as_frame(done.stdout).pixels
    except (OSError, subprocess.SubprocessError, ImageError) as error:
        raise CaptureError("The program grim cannot capture this desktop.", WaylandGrim.hint) from error
