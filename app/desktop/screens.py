"""Which of Qt's screens is which monitor, and conversions to Qt's logical units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication, QScreen

from fingerpost.engine.geometry import DesktopPoint, Monitor
from fingerpost.engine.values import Box


def pairs(monitors: Sequence[Monitor]) -> list[tuple[QScreen, Monitor]]:
    """Each monitor with the screen of its name, else of the nearest origin.

    Origins are physical pixels on both sides on X11 and Windows; on Wayland only the names are the same.

    The monitor's scale becomes Qt's, by which everything else on that screen is drawn.
    """
    screens = QGuiApplication.screens()
    chosen = []
    for monitor in monitors:
        named = [one for one in screens if one.name() == monitor.name]
        screen = min(named or screens, key=lambda one: _distance(one.geometry(), monitor))
        chosen.append((screen, replace(monitor, scale=screen.devicePixelRatio())))
    return chosen


def screen_of(monitor: Monitor) -> QScreen:
    return pairs([monitor])[0][0]


def window_area(screen: QScreen, monitor: Monitor) -> QRect:
    """Where a window has to be, in Qt's units, to cover the monitor. Rounded up: half a unit too much, never less."""
    ratio = screen.devicePixelRatio()
    width, height = (-int(-length // ratio) for length in (monitor.box.width, monitor.box.height))
    return QRect(screen.geometry().topLeft(), QRect(0, 0, width, height).size())


def logical(screen: QScreen, point: DesktopPoint) -> QPoint:
    """A desktop physical pixel in Qt's units, by the rule of the screen that shows it."""
    origin, ratio = screen.geometry().topLeft(), screen.devicePixelRatio()
    return QPoint(origin.x() + int((point.x - origin.x()) // ratio), origin.y() + int((point.y - origin.y()) // ratio))


def logical_box(screen: QScreen, box: Box) -> QRect:
    """A box in desktop physical pixels in Qt's units, by the rule of `screen`; rounded outwards."""
    first = logical(screen, DesktopPoint(box.x, box.y))
    last = logical(screen, DesktopPoint(box.right - 1, box.bottom - 1))
    return QRect(first, last)


def physical_box(screen: QScreen, area: QRect) -> Box:
    """A rectangle in Qt's units on `screen` in desktop physical pixels."""
    origin, ratio = screen.geometry().topLeft(), screen.devicePixelRatio()
    x, y = (area.x() - origin.x()) * ratio, (area.y() - origin.y()) * ratio
    return Box(round(origin.x() + x), round(origin.y() + y), round(area.width() * ratio), round(area.height() * ratio))


def _distance(area: QRect, monitor: Monitor) -> int:
    return abs(area.x() - monitor.box.x) + abs(area.y() - monitor.box.y)
