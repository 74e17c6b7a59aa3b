"""The windows of a Sway session, through its own program `swaymsg`.

Wayland itself tells no program where windows are; Sway does, in logical units of its layout.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fingerpost.engine.values import Box
from fingerpost.engine.wayland.errors import CompositorError

TIMEOUT_S = 4.0


@dataclass(frozen=True)
class SwayWindow:
    """`box` in logical units, with the title bar; `app` is the program's own name for itself, in lower case."""

    id: int
    title: str
    app: str
    pid: int | None
    box: Box
    visible: bool
    focused: bool
    rank: int  # 2 full screen, 1 floating, 0 tiled


def problem() -> str | None:
    """Why Sway cannot be asked, in a few words; None when it can."""
    if not os.environ.get("SWAYSOCK"):
        return "this is not Sway"
    return None if shutil.which("swaymsg") else "swaymsg is not installed"


def windows() -> tuple[SwayWindow, ...]:
    """All windows, also those on other workspaces, topmost first. Raises `CompositorError`."""
    try:
        done = subprocess.run(("swaymsg", "-r", "-t", "get_tree"), capture_output=True, check=True, timeout=TIMEOUT_S)
        topmost_first = list(_windows(json.loads(done.stdout), floating=False))[::-1]
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise CompositorError("Sway does not tell its windows.", "Check that swaymsg -t get_tree works.") from error
    return tuple(sorted(topmost_first, key=lambda window: -window.rank))


def _windows(node: dict[str, Any], floating: bool) -> Iterator[SwayWindow]:
    """The windows below a node of the tree, as they are drawn: tiled ones, then floating ones, the topmost last."""
    children, above = node.get("nodes", []), node.get("floating_nodes", [])
    if node.get("type") in {"con", "floating_con"} and not children and not above:
        yield _window(node, floating)
    for child in children:
        yield from _windows(child, floating)
    for child in above:
        yield from _windows(child, floating=True)


def _window(node: dict[str, Any], floating: bool) -> SwayWindow:
    rect, bar = node["rect"], node.get("deco_rect", {}).get("height", 0)
    name = node.get("app_id") or node.get("window_properties", {}).get("class") or ""
    return SwayWindow(
        id=node["id"],
        title=node.get("name") or "",
        app=name.lower(),
        pid=node.get("pid"),
        box=Box(rect["x"], rect["y"] - bar, rect["width"], rect["height"] + bar),
        visible=bool(node.get("visible")),
        focused=bool(node.get("focused")),
        rank=2 if node.get("fullscreen_mode") else int(floating),
    )
