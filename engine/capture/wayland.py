"""Wayland desktops of the wlroots family (Sway, Hyprland, labwc), through the program `grim`.

Others (GNOME, KDE) let programs capture only after a dialogue of their own; that needs the desktop application.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
from PIL import Image

from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.errors import CaptureError
from fingerpost.engine.geometry import Layout, Monitor
from fingerpost.engine.values import Box, Pixels

TIMEOUT_S = 10.0


class Wayland:
    name = "Wayland (grim)"
    hint = "On Sway, Hyprland or labwc install grim and wlr-randr; on GNOME and KDE log in to a session on X11."

    def problem(self) -> str | None:
        if not sys.platform.startswith("linux"):
            return "this is not Linux"
        if not os.environ.get("WAYLAND_DISPLAY"):
            return "no Wayland session"
        missing = [tool for tool in ("grim", "wlr-randr") if shutil.which(tool) is None]
        return f"{' and '.join(missing)} not installed" if missing else None

    def layout(self) -> Layout:
        outputs: list[dict[str, Any]] = json.loads(_run("wlr-randr", "--json"))
        shown = [output for output in outputs if output.get("enabled", True)]
        return Layout(tuple(_monitor(number, output) for number, output in enumerate(shown, start=1)))

    def grab(self, box: Box) -> Pixels:
        """grim takes and gives one pixel a logical unit when no output is scaled."""
        content = _run("grim", "-t", "ppm", "-g", f"{box.x},{box.y} {box.width}x{box.height}", "-")
        with Image.open(io.BytesIO(content)) as picture:
            return np.ascontiguousarray(np.asarray(picture.convert("RGBA"))[..., [2, 1, 0, 3]])

    def windows(self) -> tuple[WindowInfo, ...]:
        return ()


def _monitor(number: int, output: dict[str, Any]) -> Monitor:
    mode = next((m for m in output.get("modes", ()) if m.get("current")), {"width": 0, "height": 0})
    position = output.get("position", {"x": 0, "y": 0})
    box = Box(int(position["x"]), int(position["y"]), int(mode["width"]), int(mode["height"]))
    return Monitor(number=number, name=str(output.get("name", number)), box=box, scale=float(output.get("scale", 1)))


def _run(*command: str) -> bytes:
    try:
        return subprocess.run(command, capture_output=True, check=True, timeout=TIMEOUT_S).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise CaptureError(f"The program {command[0]} cannot capture the screen ({error}).", Wayland.hint) from error
