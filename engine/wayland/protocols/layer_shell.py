"""wlr-layer-shell-unstable-v1, version 1: a surface over (or under) all windows of an output."""

from __future__ import annotations

from pywayland.protocol.wayland import WlOutput, WlOutputProxy, WlSurface, WlSurfaceProxy
from pywayland.protocol.xdg_shell import XdgPopup, XdgPopupProxy
from pywayland.protocol_core.interface import Interface
from pywayland.protocol_core.proxy import Proxy

from fingerpost.engine.wayland.protocols.build import INT, TEXT, UINT, events, finish, known, new

OVERLAY = 3
"""The layer over full-screen windows."""
ALL_EDGES = 15


class LayerSurface(Interface):
    name = "zwlr_layer_surface_v1"
    version = 1


class LayerShell(Interface):
    name = "zwlr_layer_shell_v1"
    version = 1


class LayerSurfaceProxy(Proxy[LayerSurface]):
    interface = LayerSurface

    @LayerSurface.request(UINT, UINT)
    def set_size(self, width: int, height: int) -> None:
        """Logical units; 0 on an axis whose edges are both anchored."""
        self._marshal(0, width, height)

    @LayerSurface.request(UINT)
    def set_anchor(self, edges: int) -> None:
        self._marshal(1, edges)

    @LayerSurface.request(INT)
    def set_exclusive_zone(self, zone: int) -> None:
        """-1: cover the whole output, also where panels keep room for themselves."""
        self._marshal(2, zone)

    @LayerSurface.request(INT, INT, INT, INT)
    def set_margin(self, top: int, right: int, bottom: int, left: int) -> None:
        self._marshal(3, top, right, bottom, left)

    @LayerSurface.request(UINT)
    def set_keyboard_interactivity(self, wanted: int) -> None:
        self._marshal(4, wanted)

    @LayerSurface.request(known(XdgPopup))
    def get_popup(self, popup: XdgPopupProxy) -> None:
        self._marshal(5, popup)

    @LayerSurface.request(UINT)
    def ack_configure(self, serial: int) -> None:
        self._marshal(6, serial)

    @LayerSurface.request()
    def destroy(self) -> None:
        self._marshal(7)
        self._destroy()


class LayerShellProxy(Proxy[LayerShell]):
    interface = LayerShell

    @LayerShell.request(new(LayerSurface), known(WlSurface), known(WlOutput, or_none=True), UINT, TEXT)
    def get_layer_surface(
        self, surface: WlSurfaceProxy, output: WlOutputProxy | None, layer: int, namespace: str
    ) -> LayerSurfaceProxy:
        made: LayerSurfaceProxy = self._marshal_constructor(0, LayerSurface, surface, output, layer, namespace)
        return made


events(
    LayerSurface,
    ("configure", (UINT, UINT, UINT)),  # serial, then width and height in logical units
    ("closed", ()),
)
finish(LayerSurface, LayerSurfaceProxy)
finish(LayerShell, LayerShellProxy)
