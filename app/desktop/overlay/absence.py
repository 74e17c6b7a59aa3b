"""Whether the overlay is still to be seen. X11 has no exclusion from captures, and compositors fade windows out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtGui import QColor, QImage

from fingerpost.app.desktop.overlay.painting import Sizes, image
from fingerpost.app.desktop.overlay.placement import grown
from fingerpost.app.desktop.overlay.values import Mark, OverlayLook
from fingerpost.engine.geometry import Monitor
from fingerpost.engine.values import Box, Pixels

DEADLINE_S = 0.4
STEP_S = 0.008
POINTS = 3
MAX_SIDE = 400  # pixels that are grabbed each way, at most


def watched(monitor: Monitor, marks: Sequence[Mark], look: OverlayLook) -> Box:
    """A part of the monitor with the corner of a ring: desktop physical pixels."""
    mark = marks[look.active if look.active < len(marks) else 0]
    around = grown(Sizes(monitor.scale).outside(mark, monitor), 4)
    return Box(around.x, around.y, min(around.width, MAX_SIDE), min(around.height, MAX_SIDE)).intersection(monitor.box)


def traces(monitor: Monitor, marks: Sequence[Mark], look: OverlayLook, area: Box) -> list[tuple[int, int, QColor]]:
    """Some opaque pixels of the rings in `area`, in its own pixels, with their colours."""
    picture = image(monitor, marks, look).copy(area.x - monitor.box.x, area.y - monitor.box.y, area.width, area.height)
    colours = {QColor(look.theme.accent).rgb(), QColor(look.theme.guess).rgb()}
    rows = _pixels(picture)
    is_ring = np.isin(rows, np.array(sorted(colours), np.uint32))
    places = np.argwhere(is_ring)
    chosen = places[:: max(1, len(places) // POINTS)][:POINTS]
    return [(int(x), int(y), QColor(int(rows[y, x]))) for y, x in chosen]


def wait(area: Box, points: Sequence[tuple[int, int, QColor]], grab: Callable[[Box], Pixels]) -> bool:
    """Return True once none of `points` has its colour and two grabs in a row are alike; False at the deadline."""
    deadline = time.monotonic() + DEADLINE_S
    last: Pixels | None = None
    while time.monotonic() < deadline:
        now = grab(area)[..., :3].copy()
        if last is not None and not _shows(now, points) and np.array_equal(now, last):
            return True
        last = now
        time.sleep(STEP_S)
    return False


def _shows(pixels: Pixels, points: Sequence[tuple[int, int, QColor]]) -> bool:
    return any(tuple(pixels[y, x]) == (colour.blue(), colour.green(), colour.red()) for x, y, colour in points)


def _pixels(picture: QImage) -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    rows = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), picture.bytesPerLine() // 4)
    return rows[:, : picture.width()].copy()  # the picture's memory goes with it
