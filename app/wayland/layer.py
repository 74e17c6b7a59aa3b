"""One monitor's layer over all windows."""

from __future__ import annotations

from pywayland.protocol.viewporter import WpViewporter
from pywayland.protocol.wayland import WlCompositor, WlOutputProxy, WlShm

from fingerpost.engine.values import Pixels
from fingerpost.engine.wayland.connection import Connection
from fingerpost.engine.wayland.errors import CompositorError
from fingerpost.engine.wayland.memory import SharedPicture
from fingerpost.engine.wayland.protocols.layer_shell import ALL_EDGES, OVERLAY, LayerShell, LayerSurfaceProxy
from fingerpost.engine.wayland.space import HINT, Place

NAMESPACE = "fingerpost"
"""Under this name compositors keep rules, such as one against fading."""


class Layer:
    """Covers an output, takes neither clicks nor keys. `draw` may be called after the next round trip."""

    def __init__(self, connection: Connection, output: WlOutputProxy, place: Place) -> None:
        self._size = (place.monitor.box.width, place.monitor.box.height)
        self._shm = connection.bind(WlShm)
        compositor = connection.bind(WlCompositor)
        self._surface = compositor.create_surface()
        nowhere = compositor.create_region()
        self._surface.set_input_region(nowhere)
        nowhere.destroy()
        self._fit_pixels(connection, place)
        self._layer: LayerSurfaceProxy = connection.bind(LayerShell).get_layer_surface(
            self._surface, output, OVERLAY, NAMESPACE
        )
        self._layer.dispatcher["configure"] = lambda layer, serial, _width, _height: layer.ack_configure(serial)
        self._layer.set_anchor(ALL_EDGES)
        self._layer.set_exclusive_zone(-1)
        self._layer.set_keyboard_interactivity(0)
        self._surface.commit()
        self._shown: list[SharedPicture] = []

    def draw(self, picture: Pixels) -> None:
        """Show a picture of the monitor's size, BGRA, its colours multiplied with its alpha."""
        width, height = self._size
        if picture.shape != (height, width, 4):
            raise CompositorError("The overlay's picture does not fit its monitor.", HINT)
        shared = SharedPicture(self._shm, width, height, width * 4, WlShm.format.argb8888.value)
        shared.rows[...] = picture.reshape(height, width * 4)
        self._surface.attach(shared.buffer, 0, 0)
        self._surface.damage_buffer(0, 0, width, height)
        self._surface.commit()
        self._shown.append(shared)
        if len(self._shown) > 2:  # the one before may be read until the next is on the screen
            self._shown.pop(0).buffer.destroy()

    def destroy(self) -> None:
        self._layer.destroy()
        self._surface.destroy()

    def _fit_pixels(self, connection: Connection, place: Place) -> None:
        """One pixel of the picture is one of the monitor, also at scales like 1.5."""
        if connection.offers(WpViewporter.name):
            viewport = connection.keep(connection.bind(WpViewporter).get_viewport(self._surface))
            viewport.set_destination(place.logical.width, place.logical.height)
        else:
            self._surface.set_buffer_scale(round(place.monitor.scale))
