"""virtual-keyboard-unstable-v1, version 1: a keyboard with a layout of its own that a program types on."""

from __future__ import annotations

from pywayland.protocol.wayland import WlSeat, WlSeatProxy
from pywayland.protocol_core.interface import Interface
from pywayland.protocol_core.proxy import Proxy

from fingerpost.engine.wayland.protocols.build import FILE, UINT, finish, known, new

XKB_TEXT = 1
"""Format of a keyboard layout: XKB's text, ending with a zero byte."""


class VirtualKeyboard(Interface):
    name = "zwp_virtual_keyboard_v1"
    version = 1


class VirtualKeyboardManager(Interface):
    name = "zwp_virtual_keyboard_manager_v1"
    version = 1


class VirtualKeyboardProxy(Proxy[VirtualKeyboard]):
    interface = VirtualKeyboard

    @VirtualKeyboard.request(UINT, FILE, UINT)
    def keymap(self, layout_format: int, file: int, size: int) -> None:
        """Has to come before any key."""
        self._marshal(0, layout_format, file, size)

    @VirtualKeyboard.request(UINT, UINT, UINT)
    def key(self, time: int, key: int, state: int) -> None:
        """`key` as the kernel numbers them: XKB's number - 8; state 1 is pressed, 0 released."""
        self._marshal(1, time, key, state)

    @VirtualKeyboard.request(UINT, UINT, UINT, UINT)
    def modifiers(self, depressed: int, latched: int, locked: int, group: int) -> None:
        self._marshal(2, depressed, latched, locked, group)


class VirtualKeyboardManagerProxy(Proxy[VirtualKeyboardManager]):
    interface = VirtualKeyboardManager

    @VirtualKeyboardManager.request(known(WlSeat), new(VirtualKeyboard))
    def create_virtual_keyboard(self, seat: WlSeatProxy) -> VirtualKeyboardProxy:
        keyboard: VirtualKeyboardProxy = self._marshal_constructor(0, VirtualKeyboard, seat)
        return keyboard


finish(VirtualKeyboard, VirtualKeyboardProxy)
finish(VirtualKeyboardManager, VirtualKeyboardManagerProxy)
