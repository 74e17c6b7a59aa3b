"""Shows marks on all monitors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from fingerpost.app.desktop.overlay.values import Mark, OverlayLook
from fingerpost.engine import capture
from fingerpost.engine.geometry import Layout
from fingerpost.engine.values import Box, Pixels


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

    @property
    def visible(self) -> bool:
        """Whether anything is on the screen."""
        return False

    def show(self, marks: Sequence[Mark], look: OverlayLook) -> None:
        """Show these marks instead of what is shown now. Whether a compositor runs is looked up, not taken from
        `look`."""

    def highlight(self, index: int) -> None:
        """Make another of the shown marks the active one."""

    def hide(self) -> None:
        """Take everything off the screen; it may still be seen for some frames."""

    def hide_and_wait(self) -> bool:
        """Hide and return once the marks are gone from the screen: True, or False after 400 ms."""
        return True
