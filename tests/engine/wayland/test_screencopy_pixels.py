"""The formats in which compositors give pictures, and turned monitors."""

from __future__ import annotations

import numpy as np
import pytest

from fingerpost.engine.values import Pixels
from fingerpost.engine.wayland import screencopy

BLUE, GREEN, RED = 10, 130, 250
KINDS = (
    *((kind, [BLUE, GREEN, RED, 255]) for kind in screencopy.BLUE_FIRST),
    *((kind, [RED, GREEN, BLUE, 255]) for kind in screencopy.RED_FIRST),
    *((kind, (RED << 22 | GREEN << 12 | BLUE << 2).to_bytes(4, "little")) for kind in screencopy.TEN_BIT_BLUE_LOW),
    *((kind, (BLUE << 22 | GREEN << 12 | RED << 2).to_bytes(4, "little")) for kind in screencopy.TEN_BIT_RED_LOW),
)


@pytest.mark.parametrize(("kind", "stored"), KINDS)
def test_every_format_becomes_blue_green_red(kind: int, stored: list[int] | bytes) -> None:
    pixels: Pixels = np.tile(np.array(list(stored), np.uint8), (3, 5, 1))
    assert screencopy.as_bgra(pixels, kind)[2, 4, :3].tolist() == [BLUE, GREEN, RED]


def test_four_quarter_turns_and_two_mirrors_change_nothing() -> None:
    pixels = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)
    turned = pixels
    for _ in range(4):
        turned = screencopy.upright(turned, 1)
    assert np.array_equal(turned, pixels)
    for mirrored in (4, 5, 6, 7):
        assert np.array_equal(screencopy.upright(screencopy.upright(pixels, mirrored), mirrored), pixels)
