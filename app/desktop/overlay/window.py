"""The overlay's window on one monitor. It lets every click through and never takes the keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QScreen
from PySide6.QtWidgets import QWidget

from fingerpost.app.desktop import x11
from fingerpost.app.desktop.overlay import capture_exclusion, region
from fingerpost.app.desktop.overlay.painting import image, paint
from fingerpost.app.desktop.overlay.values import Mark, OverlayLook
from fingerpost.app.desktop.screens import window_area
from fingerpost.engine.geometry import Monitor
from fingerpost.engine.values import Box

FLAGS = (
    Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowStaysOnTopHint
    | Qt.WindowType.WindowTransparentForInput
    | Qt.WindowType.WindowDoesNotAcceptFocus
    | Qt.WindowType.NoDropShadowWindowHint
    | Qt.WindowType.X11BypassWindowManagerHint  # a managed window's frame would swallow the clicks
    | Qt.WindowType.Tool
)


class OverlayWindow(QWidget):
    """`monitor` in desktop physical pixels, its scale being that of `screen`."""

    def __init__(self, screen: QScreen, monitor: Monitor) -> None:
        super().__init__(None, FLAGS)
        self.monitor = monitor
        self.excluded_from_capture = False
        self._marks: tuple[Mark, ...] = ()
        self._look = OverlayLook()
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setObjectName("overlay")
        self.setScreen(screen)
        self.setGeometry(window_area(screen, monitor))

    def show_marks(self, marks: Sequence[Mark], look: OverlayLook) -> None:
        self._marks, self._look = tuple(marks), look
        window = int(self.winId())
        x11.set_shape(window, None if look.translucent else shape(self.monitor, marks, look))
        self.update()
        if not self.isVisible():
            self.show()
            self.excluded_from_capture = capture_exclusion.exclude(window)
            x11.let_clicks_through(window)
        self.raise_()

    def settle(self, progress: float) -> None:
        """Paint the marks again while their ring settles."""
        self._look = replace(self._look, progress=progress)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.fillRect(event.rect(), Qt.GlobalColor.transparent)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        ratio = self.devicePixelRatioF()
        painter.scale(1 / ratio, 1 / ratio)
        paint(painter, self.monitor, self._marks, self._look)
        painter.end()


def shape(monitor: Monitor, marks: Sequence[Mark], look: OverlayLook) -> list[Box]:
    """The opaque pixels, in the monitor's own pixels: all that may be there where nothing blends."""
    return region.boxes(region.opaque(image(monitor, marks, look)))
