"""Shows marks on all monitors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation
from PySide6.QtGui import QGuiApplication

from fingerpost.app.desktop import x11
from fingerpost.app.desktop.overlay import absence, capture_exclusion, layer_window
from fingerpost.app.desktop.overlay.layer_window import LayerWindow
from fingerpost.app.desktop.overlay.values import Mark, OverlayLook
from fingerpost.app.desktop.overlay.window import OverlayWindow
from fingerpost.app.desktop.screens import pairs
from fingerpost.engine import capture
from fingerpost.engine.errors import FingerpostError
from fingerpost.engine.geometry import Layout, Monitor
from fingerpost.engine.values import Box, Pixels

SETTLE_MS = 160


def _grab(box: Box) -> Pixels:
    return capture.handler().grab(box)


class Overlay(QObject):
    """Click-through windows with rings, one a monitor.

    layout  the monitors at the moment; asked at every show
    grab    the pixels of a box on the screen, desktop physical pixels; to see whether the overlay is really gone
    """

    def __init__(
        self,
        layout: Callable[[], Layout] = capture.monitors,
        grab: Callable[[Box], Pixels] = _grab,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._layout = layout
        self._grab = grab
        self._windows: Sequence[OverlayWindow | LayerWindow] = []
        self._monitors: list[Monitor] = []
        self._marks: tuple[Mark, ...] = ()
        self._look = OverlayLook()
        self._motion = QVariantAnimation(self)
        self._motion.setDuration(SETTLE_MS)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._settle)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.screenAdded.connect(self._forget_windows)
        application.screenRemoved.connect(self._forget_windows)

    @property
    def visible(self) -> bool:
        """Whether anything is on the screen."""
        return any(window.isVisible() for window in self._windows)

    @property
    def excluded_from_capture(self) -> bool:
        """Whether the system keeps all of the overlay out of captures."""
        return bool(self._windows) and all(window.excluded_from_capture for window in self._windows)

    def show(self, marks: Sequence[Mark], look: OverlayLook) -> None:
        """Show these marks instead of what is shown now; none hides the overlay.

        Whether a compositor blends is looked up here at every show, not taken from `look`.
        """
        if not marks:
            self.hide()
            return
        self._prepare_windows()
        self._marks, self._look = tuple(marks), replace(look, translucent=x11.is_composited())
        self._update()

    def highlight(self, index: int, clear: tuple[Box, ...] | None = None) -> None:
        """Make another of the shown marks the active one; an index without a mark changes nothing.

        `clear` replaces the look's, where the palette has moved.
        """
        if 0 <= index < len(self._marks) and self.visible:
            self._look = replace(self._look, active=index, clear=self._look.clear if clear is None else clear)
            self._update()

    def hide(self) -> None:
        """Take everything off the screen; it may still be seen for some frames."""
        self._motion.stop()
        for window in self._windows:
            window.hide()
        x11.finish_requests()

    def hide_and_wait(self) -> bool:
        """Hide and return once the marks are gone from the screen: True, or False after 400 ms."""
        if not self.visible:
            return True
        excluded = self.excluded_from_capture
        self.hide()
        if excluded:
            return True
        capture_exclusion.wait_for_composition()
        look = replace(self._look, progress=1.0)
        for monitor in self._monitors:
            area = absence.watched(monitor, self._marks, look)
            if area.area:
                return self._wait(monitor, area, look)
        return True

    def _wait(self, monitor: Monitor, area: Box, look: OverlayLook) -> bool:
        try:
            return absence.wait(area, absence.traces(monitor, self._marks, look, area), self._grab)
        except FingerpostError:
            return False  # cannot be seen here

    def _update(self) -> None:
        self._motion.stop()
        moves = self._look.translucent and not self._look.theme.reduced_motion
        for window in self._windows:
            window.show_marks(self._marks, replace(self._look, progress=0.0 if moves else 1.0))
        if moves:
            self._motion.start()

    def _settle(self, progress: object) -> None:
        for window in self._windows:
            window.settle(progress if isinstance(progress, float) else 1.0)

    def _prepare_windows(self) -> None:
        """One window a monitor; kept as long as monitors and scales are the same."""
        if layer_window.in_use():
            self._prepare_layers(self._layout().monitors)
            return
        wanted = pairs(self._layout().monitors)
        if [monitor for _, monitor in wanted] == self._monitors and self._windows:
            return
        self._forget_windows()
        self._monitors = [monitor for _, monitor in wanted]
        self._windows = [OverlayWindow(screen, monitor) for screen, monitor in wanted]

    def _prepare_layers(self, monitors: Sequence[Monitor]) -> None:
        """The same on a Wayland desktop with layers, where Qt's windows would be tiled or take the clicks."""
        if list(monitors) != self._monitors or not self._windows:
            self._forget_windows()
            self._monitors = list(monitors)
            self._windows = [LayerWindow(monitor) for monitor in monitors]

    def _forget_windows(self, _screen: object = None) -> None:
        for window in self._windows:
            window.hide()
            window.deleteLater()
        self._windows, self._monitors = [], []
