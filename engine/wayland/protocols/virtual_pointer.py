"""wlr-virtual-pointer-unstable-v1, version 1: a pointer device that a program moves."""

from __future__ import annotations

from pywayland.protocol.wayland import WlSeat, WlSeatProxy
from pywayland.protocol_core.interface import Interface
from pywayland.protocol_core.proxy import Proxy

from fingerpost.engine.wayland.protocols.build import FIXED, UINT, finish, known, new


class VirtualPointer(Interface):
    name = "zwlr_virtual_pointer_v1"
    version = 1


class VirtualPointerManager(Interface):
    name = "zwlr_virtual_pointer_manager_v1"
    version = 1


class VirtualPointerProxy(Proxy[VirtualPointer]):
    """Times are in milliseconds, of any clock that only goes forward."""

    interface = VirtualPointer

    @VirtualPointer.request(UINT, FIXED, FIXED)
    def motion(self, time: int, dx: float, dy: float) -> None:
        self._marshal(0, time, dx, dy)

    @VirtualPointer.request(UINT, UINT, UINT, UINT, UINT)
    def motion_absolute(self, time: int, x: int, y: int, x_extent: int, y_extent: int) -> None:
        """To x of x_extent and y of y_extent, where the extents span the box around all outputs."""
        self._marshal(1, time, x, y, x_extent, y_extent)

    @VirtualPointer.request(UINT, UINT, UINT)
    def button(self, time: int, button: int, state: int) -> None:
        """`button` as the kernel numbers them; state 1 is pressed, 0 released."""
        self._marshal(2, time, button, state)

    @VirtualPointer.request(UINT, UINT, FIXED)
    def axis(self, time: int, axis: int, value: float) -> None:
        self._marshal(3, time, axis, value)

    @VirtualPointer.request()
    def frame(self) -> None:
        """What came since the last frame belongs together."""
        self._marshal(4)


class VirtualPointerManagerProxy(Proxy[VirtualPointerManager]):
    interface = VirtualPointerManager

    @VirtualPointerManager.request(known(WlSeat, or_none=True), new(VirtualPointer))
    def create_virtual_pointer(self, seat: WlSeatProxy | None) -> VirtualPointerProxy:
        pointer: VirtualPointerProxy = self._marshal_constructor(0, VirtualPointer, seat)
        return pointer


finish(VirtualPointer, VirtualPointerProxy)
finish(VirtualPointerManager, VirtualPointerManagerProxy)
