"""From words to an effect in a real program on a real Wayland desktop."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingerpost.app.input.wlroots import Wlroots
from fingerpost.engine import capture
from fingerpost.engine.errors import CaptureError
from fingerpost.engine.geometry import DesktopPoint, FramePoint, frame_to_desktop
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.values import Frame, Query

PATIENCE_S = 30.0


def place_of(lite: LiteEngine, query: str) -> DesktopPoint:
    """Where a thing is, once it is shown on the second monitor; desktop physical pixels."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        try:
            frame: Frame = capture.capture(capture.Screen(2))
        except CaptureError:  # nothing is drawn yet
            continue
        answer = lite.find(frame, Query(query))
        if answer.found and not answer.ambiguous:
            best = answer.targets[0]
            return frame_to_desktop(frame, FramePoint(best.x, best.y))
    raise AssertionError(f"no “{query}” on the screen")


def test_words_open_a_menu_and_text_reaches_the_document(
    desktop: Callable[..., Any],
    program: Callable[..., Any],
    lite: LiteEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The monitor of scale 2 stands right of another: places are right only if every conversion is."""
    sway = desktop(
        "HEADLESS-1 resolution 640x480 position 0,0 scale 1", "HEADLESS-2 resolution 1600x1200 position 640,0 scale 2"
    )
    document = tmp_path / "note.txt"
    document.write_text("first line\n", "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GDK_BACKEND", "wayland")
    sway.ask("focus", "output", "HEADLESS-2")
    program("dbus-run-session", "--", "mousepad", "--disable-server", str(document))
    pointer = Wlroots()
    pointer.click(place_of(lite, "the Edit menu"))
    pointer.click(place_of(lite, "Select All"))
    pointer.type_text("Grüße – 10 €")
    pointer.click(place_of(lite, "the File menu"))
    pointer.click(place_of(lite, "Save"))
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and "Grüße" not in document.read_text("utf-8"):
        time.sleep(0.05)
    assert document.read_text("utf-8").strip() == "Grüße – 10 €"
