"""The overlay on a real X server with a window manager: clicks go through it, it is exact, and it goes when told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QColor
from Xlib import X, display
from Xlib.ext import xtest

from fingerpost.app.desktop.theme import LIGHT
from fingerpost.engine import capture

BOX = [200, 150, 120, 60, True]
GAP, LINE = 3, 3
FADING = ("--fading", "--fade-delta=10", "--fade-in-step=0.1", "--fade-out-step=0.1")

Wait = Callable[[Callable[[], Any]], Any]


class OverlayProgram:
    """Drives `overlay_program.py`."""

    def __init__(self, **environment: str) -> None:
        command = [sys.executable, str(Path(__file__).with_name("overlay_program.py"))]
        kept = {**os.environ, "QT_QPA_PLATFORM": "xcb", **environment}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=kept, stderr=subprocess.DEVNULL
        )

    def tell(self, *command: Any) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "the overlay's process has ended"
        return json.loads(answer)

    def end(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        finally:
            self.process.kill()
            self.process.stdout.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., OverlayProgram]]:
    started: list[OverlayProgram] = []

    def begin(**environment: str) -> OverlayProgram:
        started.append(OverlayProgram(XDG_RUNTIME_DIR=str(tmp_path), **environment))
        return started[-1]

    yield begin
    for one in started:
        one.end()


@pytest.fixture
def compositor(manager: str, wait_for: Wait) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts picom and waits until it blends."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(*options: str) -> subprocess.Popen[bytes]:
        connection = display.Display(manager)
        command = ["picom", "--backend", "xrender", "--config", os.devnull, *options]
        started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        selection = connection.intern_atom("_NET_WM_CM_S0")
        wait_for(lambda: connection.get_selection_owner(selection) != X.NONE)
        connection.close()
        return started[-1]

    yield begin
    for one in started:
        one.terminate()
        one.wait(timeout=10)


def pixels() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """What is on the screen, shape (height, width, 3): blue, green, red."""
    way = capture.handler()
    return way.grab(way.layout().bounds)[..., :3]


def ring_at(picture: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    colour = QColor(LIGHT.accent)
    return np.all(picture == np.array([colour.blue(), colour.green(), colour.red()], np.uint8), axis=-1)


def is_settled(box: list[int], gap: int = GAP, line: int = LINE) -> bool:
    """Whether the ring's line is exactly where it belongs, to the pixel, on all four sides."""
    x, y, width, height = box[:4]
    seen = ring_at(pixels())
    column, row = x + width // 4, y + height // 2
    across = np.flatnonzero(seen[row, max(0, x - 40) : x]) + max(0, x - 40)
    down = np.flatnonzero(seen[y + height : y + height + 40, column]) + y + height
    up = np.flatnonzero(seen[max(0, y - 40) : y, column]) + max(0, y - 40)
    right = np.flatnonzero(seen[row, x + width : x + width + 40]) + x + width
    return (
        across.tolist() == list(range(x - gap - line, x - gap))
        and up.tolist() == list(range(y - gap - line, y - gap))
        and right.tolist() == list(range(x + width + gap, x + width + gap + line))
        and down[:line].tolist() == list(range(y + height + gap, y + height + gap + line))
    )


def click(at: tuple[int, int]) -> None:
    connection = display.Display()
    xtest.fake_input(connection, X.MotionNotify, x=at[0], y=at[1])
    for kind in (X.ButtonPress, X.ButtonRelease):
        xtest.fake_input(connection, kind, 1)
    connection.sync()
    connection.close()


PLACES = [(260, 180), (200 - GAP - 1, 180), (260, 150 - GAP - 2), (30, 30)]
"""Inside the ring, on its line twice, and in the dimmed rest."""


@pytest.mark.parametrize("blended", [False, True], ids=["no compositor", "picom"])
def test_every_click_lands_on_the_program_below_and_the_rest_of_the_screen_is_seen(
    manager: str, program: Any, start: Any, compositor: Any, wait_for: Wait, blended: bool
) -> None:
    assert manager
    program.tell("open", "below", [0, 0, 1000, 700], True)
    if blended:
        compositor()
    overlay = start()
    overlay.tell("show", [BOX], True)
    wait_for(lambda: is_settled(BOX))
    for place in PLACES:
        click(place)
    presses = wait_for(lambda: len(program.of("press")) == len(PLACES) and program.of("press"))
    assert [(press["x"], press["y"]) for press in presses] == PLACES
    rest = pixels()[600, 900].tolist()  # dimmed where something blends, untouched where nothing does, never black
    assert all(120 < value < 220 for value in rest) if blended else rest == [255, 255, 255]
    assert pixels()[180, 260].tolist() == [255, 255, 255]


def test_a_compositor_that_comes_and_goes_is_noticed_at_the_next_show(
    manager: str, program: Any, start: Any, compositor: Any, wait_for: Wait
) -> None:
    assert manager
    program.tell("open", "below", [0, 0, 1000, 700], True)
    overlay = start()
    overlay.tell("show", [BOX], True)
    wait_for(lambda: is_settled(BOX))
    running = compositor()
    overlay.tell("show", [BOX], True)
    wait_for(lambda: is_settled(BOX) and pixels()[600, 900].max() < 220)
    running.terminate()
    running.wait(timeout=10)
    overlay.tell("show", [BOX], True)
    wait_for(lambda: is_settled(BOX) and pixels()[600, 900].min() == 255)


@pytest.mark.parametrize("options", [None, (), FADING], ids=["no compositor", "picom", "picom that fades"])
def test_when_told_that_it_is_gone_no_capture_shows_it(
    manager: str, program: Any, start: Any, compositor: Any, wait_for: Wait, options: tuple[str, ...] | None
) -> None:
    assert manager
    program.tell("open", "below", [0, 0, 1000, 700], True)
    if options is not None:
        compositor(*options)
    overlay = start()
    for _ in range(3):
        overlay.tell("show", [BOX], True)
        wait_for(lambda: is_settled(BOX))
        assert overlay.tell("gone")
        assert (pixels()[:700, :1000] == 255).all()


def test_another_target_is_chosen_without_moving_anything_else(
    manager: str, program: Any, start: Any, wait_for: Wait
) -> None:
    assert manager
    program.tell("open", "below", [0, 0, 1000, 700], True)
    overlay = start()
    other = [500, 400, 120, 60, True]
    overlay.tell("show", [BOX, other], True)
    wait_for(lambda: is_settled(BOX))
    overlay.tell("highlight", 1)
    wait_for(lambda: is_settled(other))
    overlay.tell("highlight", 7)
    assert is_settled(other)


SCALED = [  # Qt's scale of each monitor → size of its line and of its gap, physical pixels
    ("1.25", 4, 4),
    ("1.5", 4, 4),
    ("2", 6, 6),
]


@pytest.mark.parametrize(("scale", "line", "gap"), SCALED)
def test_it_is_exact_to_the_pixel_at_every_scale(
    manager: str, start: Any, wait_for: Wait, scale: str, line: int, gap: int
) -> None:
    assert manager
    overlay = start(QT_SCALE_FACTOR=scale, QT_SCALE_FACTOR_ROUNDING_POLICY="PassThrough")
    for box in ([201, 151, 121, 61, True], [333, 477, 333, 91, True]):
        overlay.tell("show", [box], True)
        wait_for(lambda box=box: is_settled(box, gap, line))


def test_it_is_exact_on_two_monitors_of_different_scale(x_display: str, start: Any, wait_for: Wait) -> None:
    for monitor in (("left", "640/170x800/210+0+0", "screen"), ("right", "640/170x700/190+640+100", "none")):
        subprocess.run(["xrandr", "--display", x_display, "--setmonitor", *monitor], check=True)
    overlay = start(QT_SCREEN_SCALE_FACTORS="1;1.5", QT_SCALE_FACTOR_ROUNDING_POLICY="PassThrough")
    assert sorted(overlay.tell("screens")) == [[0, 0, 1.0], [640, 100, 1.5]]
    left, right = [100, 300, 121, 61, True], [801, 451, 150, 71, True]
    overlay.tell("show", [left, right], True)
    wait_for(lambda: is_settled(left, 3, 3))
    overlay.tell("highlight", 1)
    wait_for(lambda: is_settled(right, 4, 4))
    assert overlay.tell("gone")
    assert not ring_at(pixels()).any()
