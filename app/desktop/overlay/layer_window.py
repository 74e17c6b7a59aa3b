"""The overlay on one monitor of a Wayland desktop with layers: what `OverlayWindow` is elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtGui import QImage

from fingerpost.app.desktop.overlay.painting import image
from fingerpost.app.desktop.overlay.values import Mark, OverlayLook
from fingerpost.app.wayland.overlay import LayerOverlay
from fingerpost.engine.geometry import Monitor
from fingerpost.engine.values import Pixels


def in_use() -> bool:
    """Whether this is a Wayland session with layers, where Qt's windows are tiled or swallow the clicks."""
    return LayerOverlay().problem() is None


class LayerWindow:
    """`monitor` as the capture tells it. Has the methods of a `QWidget` that the overlay needs."""

    excluded_from_capture = False

    def __init__(self, monitor: Monitor) -> None:
        self.monitor = monitor
        self._layer = LayerOverlay()
        self._shown: tuple[tuple[Mark, ...], OverlayLook] | None = None

    def show_marks(self, marks: Sequence[Mark], look: OverlayLook) -> None:
        """Without motion: a picture of the whole monitor would have to be sent for each step.

        Raises `CompositorError`.
        """
        wanted = (tuple(marks), replace(look, progress=1.0, translucent=True))
        if wanted != self._shown:
            self._layer.show({self.monitor.number: pixels_of(image(self.monitor, *wanted))})
            self._shown = wanted

    def settle(self, progress: float) -> None:
        """There is no motion here."""

    def isVisible(self) -> bool:
        return self._shown is not None

    def hide(self) -> None:
        self._layer.hide()
        self._shown = None

    def deleteLater(self) -> None:
        """Nothing of Qt's is held."""


def pixels_of(picture: QImage) -> Pixels:
    """BGRA, a copy; `picture` is ARGB32, plain or premultiplied."""
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine())
    return rows[:, : picture.width() * 4].reshape(picture.height(), picture.width(), 4).copy()
