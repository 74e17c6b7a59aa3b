"""Capturing from a real X server, and what is said when there is nothing to capture."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from Xlib import X, display

from fingerpost.engine import capture
from fingerpost.engine.capture import Desktop, Region, Screen, Window
from fingerpost.engine.capture.wayland_grim import WaylandGrim
from fingerpost.engine.errors import CaptureError, UsageError

RED, GREEN = 0xCC2211, 0x11BB55


def open_window(connection: Any, title: str, place: tuple[int, int, int, int], colour: int) -> Any:
    """An unmanaged window of one colour with a title."""
    x, y, width, height = place
    screen = connection.screen()
    window = screen.root.create_window(
        x, y, width, height, 0, screen.root_depth, X.CopyFromParent, X.CopyFromParent,
        background_pixel=colour, override_redirect=True,
    )  # fmt: skip
    window.set_wm_name(title)
    window.map()
    connection.sync()
    return window


@pytest.fixture
def windows(x_display: str) -> Iterator[Any]:
    """Two windows on the X server: "Red room" and, over it, "Green room"."""
    connection = display.Display(x_display)
    open_window(connection, "Red room", (100, 80, 300, 200), RED)
    open_window(connection, "Green room", (350, 200, 120, 90), GREEN)
    time.sleep(0.2)
    yield connection
    connection.close()


def colour_at(pixels: np.ndarray[Any, Any], x: int, y: int) -> int:
    blue, green, red = (int(value) for value in pixels[y, x, :3])
    return red << 16 | green << 8 | blue


@pytest.mark.usefixtures("windows")
def test_the_desktop_is_captured_pixel_by_pixel() -> None:
    frame = capture.capture(Desktop())
    assert (frame.width, frame.height, frame.origin) == (1280, 800, (0, 0))
    assert colour_at(frame.pixels, 100, 80) == RED
    assert colour_at(frame.pixels, 99, 80) == 0
    assert colour_at(frame.pixels, 349, 279) == RED
    assert colour_at(frame.pixels, 350, 279) == GREEN


@pytest.mark.usefixtures("windows")
def test_a_region_has_its_place_as_origin() -> None:
    frame = capture.capture(Region(90, 70, 20, 30))
    assert (frame.width, frame.height, frame.origin) == (20, 30, (90, 70))
    assert colour_at(frame.pixels, 10, 10) == RED
    assert colour_at(frame.pixels, 9, 10) == 0


@pytest.mark.usefixtures("windows")
def test_a_window_is_found_by_a_part_of_its_title_in_any_case() -> None:
    frame = capture.capture(Window("GREEN"))
    assert (frame.width, frame.height, frame.origin) == (120, 90, (350, 200))
    assert frame.title == "the window “Green room”"
    assert colour_at(frame.pixels, 0, 0) == colour_at(frame.pixels, 119, 89) == GREEN


@pytest.mark.usefixtures("windows")
def test_of_several_windows_the_topmost_is_taken() -> None:
    assert capture.capture(Window("room")).origin == (350, 200)


@pytest.mark.usefixtures("windows")
def test_an_unknown_window_lists_open_ones() -> None:
    with pytest.raises(UsageError, match="Red room"):
        capture.capture(Window("No such title"))


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("title", ["", "  "])
def test_a_blank_title_means_no_window_rather_than_any(title: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        capture.capture(Window(title))


def test_titles_do_not_flood_or_steer_the_terminal(windows: Any) -> None:
    open_window(windows, "\x1b]0;owned\x07" + "long " * 2000, (10, 10, 50, 50), RED)
    with pytest.raises(UsageError) as caught:
        capture.capture(Window("No such title"))
    assert "owned" in caught.value.hint
    assert caught.value.hint.isprintable()
    assert len(caught.value.hint) < 400


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("region", [Region(5000, 0, 10, 10), Region(0, 0, 0, 10), Region(-50, 60, 200, 100)])
def test_a_region_that_reaches_beyond_the_desktop_is_wrong_use(region: Region) -> None:
    with pytest.raises(UsageError):
        capture.capture(region)


@pytest.mark.usefixtures("windows")
def test_a_monitor_that_is_not_there_says_how_many_are() -> None:
    with pytest.raises(UsageError, match=r"no monitor 2: this desktop has 1, 1 \("):
        capture.capture(Screen(2))


def test_two_monitors_are_captured_each_on_its_own(windows: Any) -> None:
    name = windows.get_display_name()
    left = "left 640/160x800/200+0+0"
    for monitor, output in ((left, "screen"), ("right 640/160x800/200+640+0", "none")):
        subprocess.run(["xrandr", "--display", name, "--setmonitor", *monitor.split(), output], check=True)
    layout = capture.monitors()
    assert [(m.box.x, m.box.width) for m in layout.monitors] == [(0, 640), (640, 640)]
    assert capture.capture(Screen(1)).width == 640
    assert capture.capture(Screen("LEFT")).width == capture.capture(Screen("lef")).width == 640
    with pytest.raises(UsageError, match=r"no monitor “middle”: this desktop has 2, 1 \(left\), 2 \(right\)"):
        capture.capture(Screen("middle"))
    with pytest.raises(UsageError, match="2 monitors are called “t”"):
        capture.capture(Screen("t"))
    with pytest.raises(CaptureError, match="black"):
        capture.capture(Screen(2))


@pytest.mark.usefixtures("x_display")
def test_a_black_screen_is_explained() -> None:
    with pytest.raises(CaptureError, match="all black"):
        capture.capture(Desktop())


def test_a_screen_of_one_colour_is_explained_but_a_region_of_it_is_fine(x_display: str) -> None:
    connection = display.Display(x_display)
    open_window(connection, "Wall", (0, 0, 1280, 800), RED)
    time.sleep(0.2)
    with pytest.raises(CaptureError, match="only one colour"):
        capture.capture(Screen(1))
    assert capture.capture(Region(10, 10, 30, 30)).width == 30
    connection.close()


@pytest.mark.parametrize("name", ["", ":9173", "nonsense"])
def test_without_a_display_one_sentence_says_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", name)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    with pytest.raises(CaptureError) as caught:
        capture.capture(Desktop())
    assert caught.value.message.count(".") >= 1
    assert "--image" in caught.value.hint


def test_on_wayland_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    monkeypatch.setenv("PATH", "")
    assert "grim" in str(WaylandGrim().problem())
    with pytest.raises(CaptureError, match="no Wayland compositor answers on wayland-7"):
        capture.capture(Desktop())
