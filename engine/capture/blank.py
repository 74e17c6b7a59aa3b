"""Captures that show nothing: protected content, a locked screen, a capture that the system silently refused."""

from __future__ import annotations

import numpy as np

from fingerpost.engine.errors import CaptureError
from fingerpost.engine.values import Pixels


def check(pixels: Pixels, what: str, one_colour_is_fine: bool) -> None:
    """Raises `CaptureError` when all pixels are black, or of one colour unless that is fine for what was captured."""
    first = pixels[0, 0, :3]
    if not np.array_equal(pixels[:, 0, :3], np.broadcast_to(first, pixels[:, 0, :3].shape)):
        return
    if any((row[:, :3] != first).any() for row in pixels):  # row by row: stops at the first that differs
        return
    if not first.any():
        raise CaptureError(
            f"The capture of {what} is all black.",
            "Unlock or wake the screen; protected video and some remote sessions cannot be captured.",
        )
    if not one_colour_is_fine:
        raise CaptureError(
            f"The capture of {what} shows only one colour.", "Open a window on it, or name another --screen."
        )
