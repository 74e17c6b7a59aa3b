"""What a real compositor shows is what is captured, in every monitor's own pixels."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fingerpost.engine import capture
from fingerpost.engine.capture import Desktop, Region, Screen, Window
from fingerpost.engine.errors import CaptureError
from fingerpost.engine.values import Box, Pixels
from fingerpost.engine.wayland import session

RED, GREEN, BLUE, YELLOW, WHITE = (0, 0, 192), (0, 192, 0), (192, 0, 0), (0, 192, 192), (255, 255, 255)
"""The test card's colours: blue, green, red."""
LINE_TO_TYPE_IN = Box(20, 150, 200, 30)  # logical units

Start = Callable[..., Any]


def colour_at(pixels: Pixels, x: int, y: int) -> tuple[int, ...]:
    return tuple(int(value) for value in pixels[y, x, :3])


def drawn(width: int, height: int) -> Pixels:
    """The test card as it was drawn."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2], pixels[: height // 2, width // 2 :] = RED, GREEN
    pixels[height // 2 :, : width // 2], pixels[height // 2 :, width // 2 :] = BLUE, YELLOW
    pixels[20:25, 10:17] = WHITE
    return pixels


def test_each_monitor_is_captured_in_its_own_pixels(desktop: Start, card: Start) -> None:
    desktop()
    card()
    layout = capture.monitors()
    assert [(m.name, m.box, m.scale) for m in layout.monitors] == [
        ("HEADLESS-1", Box(0, 0, 640, 480), 1.0),
        ("HEADLESS-2", Box(1280, 0, 800, 600), 2.0),
    ]
    for number, size, scale in ((1, (640, 480), 1), (2, (800, 600), 2)):
        frame = capture.capture(Screen(number))
        assert (frame.width, frame.height, frame.scale) == (*size, scale)
        shown, expected = frame.pixels[..., :3].copy(), drawn(*size)
        x, y, width, height = (value * scale for value in LINE_TO_TYPE_IN)
        shown[y : y + height, x : x + width] = expected[y : y + height, x : x + width]
        assert np.array_equal(shown, expected)


def test_a_region_over_two_monitors_is_black_between_them(desktop: Start, card: Start) -> None:
    desktop()
    card()
    frame = capture.capture(Region(630, 10, 660, 20))
    assert frame.origin == (630, 10)
    assert colour_at(frame.pixels, 9, 0) == GREEN  # the last column of the first monitor
    assert colour_at(frame.pixels, 10, 0) == colour_at(frame.pixels, 649, 0) == (0, 0, 0)
    assert colour_at(frame.pixels, 650, 0) == RED  # the first column of the second
    assert colour_at(frame.pixels, 659, 9) == RED
    assert colour_at(frame.pixels, 659, 10) == RED
    assert capture.capture(Desktop()).width == 2080


def test_monitors_left_of_and_above_the_first_have_negative_places(desktop: Start, card: Start) -> None:
    desktop(
        "HEADLESS-1 resolution 640x480 position 0,0 scale 1", "HEADLESS-2 resolution 800x600 position -400,-300 scale 2"
    )
    card()
    assert [monitor.box for monitor in capture.monitors().monitors] == [Box(0, 0, 640, 480), Box(-800, -600, 800, 600)]
    frame = capture.capture(Screen(2))
    assert colour_at(frame.pixels, 10, 20) == WHITE
    assert colour_at(capture.capture(Region(-790, -580, 7, 5)).pixels, 6, 4) == WHITE


def test_a_turned_monitor_is_captured_upright(desktop: Start, card: Start) -> None:
    sway = desktop("HEADLESS-1 resolution 640x480 position 0,0 scale 1")
    card()
    for turned in ("90", "180", "270", "flipped", "flipped-90", "flipped-180", "flipped-270"):
        sway.ask("output", "HEADLESS-1", "transform", turned)
        width, height = (480, 640) if "90" in turned or "270" in turned else (640, 480)
        sway.wait_for_colour(width - 1, height - 1, YELLOW)
        frame = capture.capture(Screen(1))
        assert (frame.width, frame.height) == (width, height)
        shown, expected = frame.pixels[..., :3].copy(), drawn(width, height)
        x, y, across, down = LINE_TO_TYPE_IN
        shown[y : y + down, x : x + across] = expected[y : y + down, x : x + across]
        assert np.array_equal(shown, expected), turned


def test_a_scale_between_two_numbers_keeps_the_monitor_s_pixels(desktop: Start, card: Start) -> None:
    desktop("HEADLESS-1 resolution 1366x768 position 0,0 scale 1.5")
    card()
    frame = capture.capture(Screen(1))
    assert (frame.width, frame.height) == (1366, 768)
    corners = [colour_at(frame.pixels, x, y) for y in (5, 760) for x in (5, 1360)]
    assert corners == [RED, GREEN, BLUE, YELLOW]


def test_a_window_is_found_by_its_title(desktop: Start, card: Start) -> None:
    desktop()
    card()
    frame = capture.capture(Window("card headless-2"))
    assert (frame.origin, frame.width, frame.height) == ((1280, 0), 800, 600)


def test_a_compositor_that_hangs_is_explained(desktop: Start, card: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    sway = desktop()
    card()
    way = capture.handler()
    monkeypatch.setattr(session, "TIMEOUT_S", 0.2)
    sway.process.send_signal(signal.SIGSTOP)
    with pytest.raises(CaptureError, match="does not answer"):
        way.grab(Box(0, 0, 10, 10))
    assert "no Wayland compositor answers" in str(way.problem())
    sway.process.send_signal(signal.SIGCONT)
    monkeypatch.setattr(session, "TIMEOUT_S", 20)
    assert way.grab(Box(0, 0, 10, 10)).shape == (10, 10, 4)


def test_a_program_that_captured_ends_without_a_fault(desktop: Start) -> None:
    """pywayland crashes at the end of a program that leaves a connection open."""
    desktop()
    code = "from fingerpost.engine import capture; print(len(capture.monitors().monitors), capture.handler().name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "2 Wayland (wlr-screencopy)")
