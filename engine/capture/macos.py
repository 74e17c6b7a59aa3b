"""macOS: pictures through mss, whose monitors are in points. Written from the documentation; not run on a Mac yet."""

from __future__ import annotations

import sys

from fingerpost.engine.capture import with_mss
from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.geometry import Layout
from fingerpost.engine.values import Box, Pixels


class MacOS:
    name = "macOS"
    hint = "Allow screen recording for the terminal in System Settings, Privacy and Security."

    def problem(self) -> str | None:
        return None if sys.platform == "darwin" else "this is not macOS"

    def layout(self) -> Layout:
        return with_mss.layout()

    def grab(self, box: Box) -> Pixels:
        return with_mss.grab(box)

    def windows(self) -> tuple[WindowInfo, ...]:
        return ()
