"""Wayland desktops of the wlroots family (Sway, Hyprland, labwc): each monitor in its own pixels, no dialogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.errors import CaptureError, FingerpostError
from fingerpost.engine.geometry import GeometryError, Layout
from fingerpost.engine.values import Box, Pixels
from fingerpost.engine.wayland import session, space, sway
from fingerpost.engine.wayland.errors import CompositorError

if TYPE_CHECKING:
    from fingerpost.engine.wayland.connection import Connection


class WaylandScreencopy:
    name = "Wayland (wlr-screencopy)"
    hint = session.INSTALL_HINT

    def problem(self) -> str | None:
        return session.problem("zwlr_screencopy_manager_v1", "wl_shm")

    def layout(self) -> Layout:
        return self._space().layout

    def grab(self, box: Box) -> Pixels:
        try:
            return session.run(lambda connection: _grab(connection, box))
        except CompositorError as error:
            raise CaptureError(error.message, error.hint) from error

    def windows(self) -> tuple[WindowInfo, ...]:
        """What Sway tells; empty on other desktops. Those on no monitor count as minimised."""
        if sway.problem() is not None:
            return ()
        try:
            found = sorted(sway.windows(), key=lambda window: not window.focused)
        except CompositorError as error:
            raise CaptureError(error.message, error.hint) from error
        here = self._space()
        return tuple(_window_info(here, window) for window in found if window.title)

    def _space(self) -> space.Space:
        try:
            return space.native(session.outputs())
        except FingerpostError as error:
            raise CaptureError(error.message, error.hint) from error


def _window_info(here: space.Space, window: sway.SwayWindow) -> WindowInfo:
    try:
        return WindowInfo(window.title, here.box_to_desktop(window.box), minimised=not window.visible)
    except GeometryError:
        return WindowInfo(window.title, window.box, minimised=True)


def _grab(connection: Connection, box: Box) -> Pixels:
    """The part `box` of the desktop; black where no monitor is."""
    from fingerpost.engine.wayland import outputs, screencopy

    found = outputs.read(connection)
    here = space.native([output for output, _ in found])
    parts: list[tuple[Box, Pixels]] = []
    for place, (output, proxy) in zip(here.places, found, strict=True):
        part = place.monitor.box.intersection(box)
        if part.area:
            x, y = part.x - place.monitor.box.x, part.y - place.monitor.box.y
            shown = screencopy.picture(connection, proxy, output.transform)
            parts.append((part, shown[y : y + part.height, x : x + part.width]))
    if len(parts) == 1 and parts[0][0] == box:
        return parts[0][1]
    canvas = np.zeros((box.height, box.width, 4), np.uint8)
    for part, pixels in parts:
        x, y = part.x - box.x, part.y - box.y
        canvas[y : y + part.height, x : x + part.width] = pixels
    return canvas
