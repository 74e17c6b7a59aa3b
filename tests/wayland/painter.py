"""A program for tests: shows one mark on the second monitor through the overlay's painting, until its input ends."""

from __future__ import annotations

import sys

from PySide6.QtGui import QGuiApplication

from fingerpost.app.desktop.overlay.layer_window import LayerWindow
from fingerpost.app.desktop.overlay.values import Mark, OverlayLook
from fingerpost.engine import capture
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box


def main() -> None:
    application = QGuiApplication(sys.argv)
    mark = Mark(Box(1480, 200, 160, 60), DesktopPoint(1560, 230), 1, True, "the Save button", 0.97, 120)
    window = LayerWindow(capture.monitors().monitors[1])
    window.show_marks([mark], OverlayLook())
    print("shown", flush=True)
    sys.stdin.readline()
    window.hide()
    print("hidden", flush=True)
    sys.stdin.readline()
    del application


if __name__ == "__main__":
    main()
