"""The overlay of layers on a real compositor: seen as painted, felt by nobody, gone when hidden."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fingerpost.app.input.wlroots import Wlroots
from fingerpost.app.wayland.overlay import LayerOverlay
from fingerpost.engine import capture
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Pixels
from fingerpost.engine.wayland.errors import CompositorError

RED, GREEN = (0, 0, 192), (0, 192, 0)
PINK = (180, 105, 255)
Start = Callable[..., Any]


@pytest.fixture
def overlay() -> Iterator[LayerOverlay]:
    made = LayerOverlay()
    yield made
    made.hide()


def ring(width: int, height: int, place: tuple[int, int, int, int], alpha: int = 255) -> Pixels:
    """A picture with a rectangle of one colour, else clear; colours multiplied with alpha."""
    picture = np.zeros((height, width, 4), np.uint8)
    x, y, across, down = place
    picture[y : y + down, x : x + across] = [*(value * alpha // 255 for value in PINK), alpha]
    return picture


def shown(number: int) -> Pixels:
    return capture.capture(capture.Screen(number)).pixels[..., :3]


@pytest.mark.parametrize(
    ("mode", "scale", "size"),
    [("640x480", "1", (640, 480)), ("800x600", "2", (800, 600)), ("1366x768", "1.5", (1366, 768))],
)
def test_the_overlay_is_shown_to_the_pixel_at_every_scale(
    desktop: Start, card: Start, overlay: LayerOverlay, mode: str, scale: str, size: tuple[int, int]
) -> None:
    sway = desktop(f"HEADLESS-1 resolution {mode} position 0,0 scale {scale}")
    card()
    before = shown(1).copy()
    overlay.show({1: ring(*size, (41, 31, 23, 7))})
    sway.wait_for_colour(41, 31, PINK)
    expected = before
    expected[31:38, 41:64] = PINK
    assert np.array_equal(shown(1), expected)


def test_it_covers_panels_too_and_lets_the_colours_below_through(
    desktop: Start, card: Start, overlay: LayerOverlay
) -> None:
    sway = desktop()
    card()
    overlay.show({1: ring(640, 480, (0, 0, 640, 480), alpha=128), 2: ring(800, 600, (0, 0, 800, 600))})
    sway.wait_for_colour(1280, 0, PINK)
    mixed = shown(1)[0, 0].astype(int)
    expected = np.array(PINK) * 128 // 255 + np.array(RED) * 127 // 255
    assert np.abs(mixed - expected).max() <= 2


def test_clicks_go_through_it(desktop: Start, card: Start, overlay: LayerOverlay) -> None:
    sway = desktop()
    program = card()
    overlay.show({1: ring(640, 480, (0, 0, 640, 480)), 2: ring(800, 600, (0, 0, 800, 600))})
    sway.wait_for_colour(1280, 0, PINK)
    Wlroots().click(DesktopPoint(1280 + 77, 55))
    assert program.wait_for("press") == "press HEADLESS-2 LeftButton 77,55 NoModifier"


def test_once_hidden_it_is_in_no_capture(desktop: Start, card: Start, overlay: LayerOverlay) -> None:
    sway = desktop()
    card()
    for _ in range(15):
        overlay.show({1: ring(640, 480, (5, 5, 50, 50))})
        sway.wait_for_colour(6, 6, PINK)
        overlay.hide()
        assert tuple(shown(1)[6, 6]) == RED


def test_what_is_shown_can_be_changed_and_moved_to_another_monitor(
    desktop: Start, card: Start, overlay: LayerOverlay
) -> None:
    sway = desktop()
    card()
    for x in (10, 60, 110, 160):
        overlay.show({1: ring(640, 480, (x, 40, 10, 10))})
        sway.wait_for_colour(x, 40, PINK)
    assert tuple(shown(1)[40, 10]) == RED
    overlay.show({2: ring(800, 600, (3, 3, 10, 10))})
    sway.wait_for_colour(1283, 3, PINK)
    assert tuple(shown(1)[40, 160]) == RED


def test_a_monitor_that_is_not_there_is_explained(desktop: Start, overlay: LayerOverlay) -> None:
    desktop()
    with pytest.raises(CompositorError, match="monitor"):
        overlay.show({3: ring(10, 10, (0, 0, 1, 1))})
    with pytest.raises(CompositorError, match="does not fit"):
        overlay.show({1: ring(10, 10, (0, 0, 1, 1))})
    overlay.show({1: ring(640, 480, (0, 0, 1, 1))})


def test_a_program_that_still_shows_it_ends_without_a_fault(desktop: Start) -> None:
    desktop()
    code = (
        "import numpy as np; from fingerpost.app.wayland.overlay import LayerOverlay; overlay = LayerOverlay();"
        "overlay.show({1: np.full((480, 640, 4), 255, np.uint8)}); print('shown')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "shown")


def test_the_painted_overlay_appears_on_its_monitor_only_and_goes(
    desktop: Start, card: Start, program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop()
    card()
    before = [shown(number).copy() for number in (1, 2)]
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    painter = program(sys.executable, str(Path(__file__).with_name("painter.py")))
    painter.wait_for("shown")
    assert np.array_equal(shown(1), before[0])
    changed = (shown(2) != before[1]).any(axis=-1)
    assert changed[190:270, 190:370].any()  # the ring around the mark
    painter.tell("")
    painter.wait_for("hidden")
    assert np.array_equal(shown(2), before[1])
