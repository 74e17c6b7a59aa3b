"""Pictures over everything else on each monitor, through wlr-layer-shell: clicks go through, no window list shows it.

KDE, Sway, Hyprland and labwc have layers; GNOME has none. Qt cannot make them without a plugin that has to fit it to
the letter, so the pictures are painted elsewhere and only shown here.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from fingerpost.engine.deadline import within
from fingerpost.engine.values import Pixels
from fingerpost.engine.wayland import session, space
from fingerpost.engine.wayland.errors import CompositorError

if TYPE_CHECKING:
    from fingerpost.app.wayland.layer import Layer
    from fingerpost.engine.wayland.connection import Connection

LAYER_SHELL = "zwlr_layer_shell_v1"


class LayerOverlay:
    """One thread at a time. The connection is open only while something is shown."""

    name = "Wayland (wlr-layer-shell)"
    hint = session.INSTALL_HINT

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._layers: dict[int, Layer] = {}
        self._lost: list[object] = []

    def problem(self) -> str | None:
        """Why it cannot work here, in a few words; None when it can."""
        return session.problem(LAYER_SHELL, "wl_shm")

    def show(self, pictures: Mapping[int, Pixels]) -> None:
        """Show a picture on each monitor, by its number, instead of what was shown before.

        A picture has the size of the monitor's box in desktop pixels; its colours are multiplied with its alpha, as in
        QImage.Format_ARGB32_Premultiplied. Monitors without one show nothing. Raises `CompositorError`.
        """
        if self._layers and self._layers.keys() != pictures.keys():
            self.hide()
        self._within_deadline(lambda: self._show(pictures))

    def hide(self) -> None:
        """Returns once the compositor has taken everything away. Safe to call twice; does not raise."""
        try:
            self._within_deadline(self._hide)
        except CompositorError:
            return  # it has ended, and the layers with it

    def _show(self, pictures: Mapping[int, Pixels]) -> None:
        if not self._layers:
            self._layers = self._opened(pictures)
        for number, picture in pictures.items():
            self._layers[number].draw(picture)
        if self._connection is not None:
            self._connection.roundtrip()

    def _opened(self, pictures: Mapping[int, Pixels]) -> dict[int, Layer]:
        from fingerpost.app.wayland.layer import Layer
        from fingerpost.engine.wayland import outputs
        from fingerpost.engine.wayland.connection import Connection

        self._connection = connection = Connection()
        atexit.register(self.hide)
        found = outputs.read(connection)
        places = space.native([output for output, _ in found]).places
        layers = {
            place.monitor.number: Layer(connection, proxy, place)
            for place, (_, proxy) in zip(places, found, strict=True)
            if place.monitor.number in pictures
        }
        if layers.keys() != pictures.keys():
            raise CompositorError("A monitor was taken away.", space.HINT)
        connection.roundtrip()  # each layer is told its size, and may draw from now on
        return layers

    def _hide(self) -> None:
        connection, self._connection = self._connection, None
        layers, self._layers = self._layers, {}
        atexit.unregister(self.hide)
        if connection is None:
            return
        try:
            for layer in layers.values():
                layer.destroy()
            connection.roundtrip()
        finally:
            connection.close()

    def _within_deadline(self, action: Callable[[], None]) -> None:
        """Do it; when it fails or is late, start from nothing the next time."""
        try:
            within(session.TIMEOUT_S, action)
        except TimeoutError:
            self._lost += [self._connection, self._layers]  # a thread still waits in them: they must not be freed
            self._connection, self._layers = None, {}
            raise CompositorError("The Wayland compositor does not answer.", "Try again.") from None
        except CompositorError:
            if self._connection is not None:
                self._connection.close()
            self._connection, self._layers = None, {}
            raise
