"""macOS: pictures through mss in the screen's own pixels; monitors are in points, as the pointer is.

On a Retina screen a point has two pixels each way; the frame tells how many (`Frame.pixels_per_unit`). Written from
the documentation; not run on a Mac yet.
"""

from __future__ import annotations

import sys

from fingerpost.engine.capture import with_mss
from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.geometry import Layout
from fingerpost.engine.values import Box, Pixels

BOUNDS_IGNORE_FRAMING, SHOULD_BE_OPAQUE = 1 << 0, 1 << 1  # CGWindowImageOption in CGWindow.h


class MacOS:
    name = "macOS"
    hint = "Allow screen recording for the terminal in System Settings, Privacy and Security."

    def problem(self) -> str | None:
        return None if sys.platform == "darwin" else "this is not macOS"

    def layout(self) -> Layout:
        return with_mss.layout()

    def grab(self, box: Box) -> Pixels:
        if sys.platform == "darwin":  # mss.darwin loads the system's libraries
            from mss import darwin

            # mss also asks for the nominal resolution, which shrinks a Retina picture to points and blurs small text.
            darwin.IMAGE_OPTIONS = BOUNDS_IGNORE_FRAMING | SHOULD_BE_OPAQUE
        return with_mss.grab(box)

    def windows(self) -> tuple[WindowInfo, ...]:
        return ()
