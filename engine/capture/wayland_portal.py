"""Wayland desktops that ask the user first (GNOME, KDE): the Screenshot portal, a picture of the whole desktop.

Not run on a real GNOME or KDE yet; tested in a real D-Bus conversation with a portal made for the tests.
"""

from __future__ import annotations

from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.errors import CaptureError, FingerpostError
from fingerpost.engine.geometry import Layout
from fingerpost.engine.portals import bus, screenshot
from fingerpost.engine.values import Box, Pixels
from fingerpost.engine.wayland import session, space


class WaylandPortal:
    name = "Wayland (portal Screenshot)"
    hint = "Install xdg-desktop-portal with the part for your desktop, or log in to a session on X11."

    def problem(self) -> str | None:
        return session.problem() or bus.portal_problem(screenshot.INTERFACE)

    def layout(self) -> Layout:
        return self._space().layout

    def grab(self, box: Box) -> Pixels:
        bounds = self._space().layout.bounds
        try:
            from fingerpost.engine import pictures  # it loads OpenCV, which other ways do not need

            whole = pictures.as_frame(screenshot.take()).pixels
        except FingerpostError as error:
            raise CaptureError(error.message, error.hint) from error
        whole = _fitted(whole, bounds.width, bounds.height)
        x, y = box.x - bounds.x, box.y - bounds.y
        return whole[y : y + box.height, x : x + box.width]

    def windows(self) -> tuple[WindowInfo, ...]:
        return ()

    def _space(self) -> space.Space:
        try:
            return space.uniform(session.outputs())
        except FingerpostError as error:
            raise CaptureError(error.message, error.hint) from error


def _fitted(picture: Pixels, width: int, height: int) -> Pixels:
    """The picture in desktop pixels; a desktop that draws it in another scale must not shift what is found in it."""
    if picture.shape[:2] == (height, width):
        return picture
    import cv2

    resized: Pixels = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA).astype(picture.dtype)
    return resized
