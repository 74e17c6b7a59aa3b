"""Captures equal, pixel by pixel, what is known to be on the screen."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import numpy as np
import pytest
from Xlib import X, display

from fingerpost.engine import capture
from fingerpost.engine.capture import Desktop, Region, Screen
from fingerpost.engine.errors import UsageError
from fingerpost.engine.values import Box, Pixels

MONITORS = (("tall", "700/180x800/210+0+0", "screen"), ("low", "500/130x600/160+780+100", "none"))
"""A gap of 80 pixels between them, nothing above and below the second."""


@pytest.fixture
def wallpaper(x_display: str) -> Iterator[Pixels]:
    """What the whole desktop of 1280 x 800 shows: a tile of random colours, repeated."""
    tile = np.random.default_rng(7).integers(0, 256, (61, 53, 4), np.uint8)
    tile[..., 3] = 0
    connection = display.Display(x_display)
    root = connection.screen().root
    pixmap = root.create_pixmap(53, 61, 24)
    pixmap.put_image(pixmap.create_gc(), 0, 0, 53, 61, X.ZPixmap, 24, 0, tile.tobytes())
    root.change_attributes(background_pixmap=pixmap)
    root.clear_area(0, 0, 0, 0)
    connection.sync()
    yield np.tile(tile, (14, 25, 1))[:800, :1280, :3]
    connection.close()


@pytest.fixture
def two_monitors(x_display: str) -> None:
    for name, place, output in MONITORS:
        subprocess.run(["xrandr", "--display", x_display, "--setmonitor", name, place, output], check=True)


def test_the_desktop_without_a_second_monitor_is_the_whole_screen(wallpaper: Pixels) -> None:
    np.testing.assert_array_equal(capture.capture(Desktop()).pixels[..., :3], wallpaper)


@pytest.mark.usefixtures("two_monitors")
@pytest.mark.parametrize(("number", "box"), [(1, Box(0, 0, 700, 800)), (2, Box(780, 100, 500, 600))])
def test_a_monitor_shows_its_own_part(wallpaper: Pixels, number: int, box: Box) -> None:
    frame = capture.capture(Screen(number))
    assert frame.origin == (box.x, box.y)
    np.testing.assert_array_equal(frame.pixels[..., :3], wallpaper[box.y : box.bottom, box.x : box.right])


@pytest.mark.usefixtures("two_monitors")
def test_a_region_may_span_two_monitors(wallpaper: Pixels) -> None:
    frame = capture.capture(Region(650, 90, 301, 77))
    np.testing.assert_array_equal(frame.pixels[..., :3], wallpaper[90:167, 650:951])


def test_a_region_of_one_pixel_at_the_last_corner_is_captured(wallpaper: Pixels) -> None:
    frame = capture.capture(Region(1279, 799, 1, 1))
    assert frame.pixels[0, 0, :3].tolist() == wallpaper[799, 1279].tolist()


@pytest.mark.usefixtures("wallpaper", "two_monitors")
@pytest.mark.parametrize("number", [-1, 0, 3])
def test_a_monitor_out_of_range_says_how_many_there_are(number: int) -> None:
    with pytest.raises(UsageError, match=f"no monitor {number}: this desktop has 2") as caught:
        capture.capture(Screen(number))
    assert caught.value.exit_code == 2
