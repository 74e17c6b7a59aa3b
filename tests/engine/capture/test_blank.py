"""Captures of one colour, which show nothing."""

from __future__ import annotations

import numpy as np
import pytest

from fingerpost.engine.capture import blank
from fingerpost.engine.errors import CaptureError
from fingerpost.engine.values import Pixels


def filled(colour: tuple[int, int, int], unused: int = 255) -> Pixels:
    pixels: Pixels = np.empty((30, 40, 4), np.uint8)
    pixels[:] = (*colour, unused)
    return pixels


@pytest.mark.parametrize("fine", [True, False])
def test_black_is_refused_whatever_was_captured(fine: bool) -> None:
    with pytest.raises(CaptureError, match="The capture of monitor 1 is all black"):
        blank.check(filled((0, 0, 0)), "monitor 1", one_colour_is_fine=fine)


def test_one_colour_is_refused_only_where_it_is_not_fine() -> None:
    blank.check(filled((0, 0, 9)), "the region", one_colour_is_fine=True)
    with pytest.raises(CaptureError, match="only one colour"):
        blank.check(filled((0, 0, 9)), "the desktop", one_colour_is_fine=False)


@pytest.mark.parametrize("place", [(0, 1), (0, 39), (29, 0), (29, 39), (15, 20)])
@pytest.mark.parametrize("channel", [0, 1, 2])
def test_a_single_differing_pixel_is_enough_to_show_something(place: tuple[int, int], channel: int) -> None:
    pixels = filled((0, 0, 0))
    pixels[(*place, channel)] = 1
    blank.check(pixels, "the desktop", one_colour_is_fine=False)


def test_the_unused_channel_shows_nothing() -> None:
    pixels = filled((0, 0, 0))
    pixels[::2, ::2, 3] = 0
    with pytest.raises(CaptureError, match="all black"):
        blank.check(pixels, "the desktop", one_colour_is_fine=False)
