"""Captures that show nothing: protected content, a locked screen, a capture that the system silently refused."""

from __future__ import annotations

import sys

import numpy as np

from fingerpost.engine.errors import CaptureError
from fingerpost.engine.values import Pixels

BAND_HEIGHT = 32
"""Rows compared at once: few enough to stay in the processor's cache."""


def check(pixels: Pixels, what: str, one_colour_is_fine: bool) -> None:
    """Raises `CaptureError` when all pixels are black, or of one colour unless that is fine for what was captured."""
    if not _is_one_colour(pixels):
        return
    if not pixels[0, 0, :3].any():
        raise CaptureError(
            f"The capture of {what} is all black.",
            "Unlock or wake the screen; protected video and some remote sessions cannot be captured.",
        )
    if not one_colour_is_fine:
        raise CaptureError(
            f"The capture of {what} shows only one colour.", "Open a window on it, or name another --screen."
        )


def _is_one_colour(pixels: Pixels) -> bool:
    """Exact. A coarse grid settles it for nearly every screen; else bands of rows, up to the first that differs."""
    first = pixels[0, 0, :3]
    if (pixels[::16, ::16, :3] != first).any():
        return False
    if pixels.strides[1:] != (4, 1):
        return bool((pixels[..., :3] == first).all())
    colours = pixels.view(np.uint32)[..., 0]  # one number a pixel compares many times faster than three channels
    colour_bits = np.uint32(0x00FFFFFF) if sys.byteorder == "little" else np.uint32(0xFFFFFF00)
    bands = (colours[top : top + BAND_HEIGHT] for top in range(0, len(colours), BAND_HEIGHT))
    return not any(((band ^ colours[0, 0]) & colour_bits).any() for band in bands)
