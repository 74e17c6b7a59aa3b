"""Pointer and keyboard on Wayland desktops of the wlroots family (Sway, Hyprland, labwc), without a dialogue.

Each action makes devices of its own and gives them back: nothing stays pressed whatever happens to this program. These
desktops do not tell where the pointer is, so a move cannot be checked by reading back.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fingerpost.app.input.keymap import Batch, Stroke, batches
from fingerpost.app.input.pointer import never
from fingerpost.app.input.xkb import LAYOUT_CODES, layout_text
from fingerpost.engine.errors import FingerpostError, InputError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.wayland import session, space

if TYPE_CHECKING:
    from pywayland.protocol.wayland import WlSeatProxy

    from fingerpost.engine.wayland.connection import Connection
    from fingerpost.engine.wayland.protocols.virtual_keyboard import VirtualKeyboardProxy
    from fingerpost.engine.wayland.protocols.virtual_pointer import VirtualPointerProxy

POINTER, KEYBOARD = "zwlr_virtual_pointer_manager_v1", "zwp_virtual_keyboard_manager_v1"
KERNEL_BUTTONS = {"left": 0x110, "right": 0x111, "middle": 0x112}
PRESSED, RELEASED = 1, 0
HAS_POINTER, HAS_KEYBOARD = 1, 2
PROGRAMS_NOTICE_S = 0.2
"""On a seat without a mouse (or a keyboard) programs begin to listen only when they see ours."""
PARTS = 256
"""Of a logical unit: how exactly places are told to the compositor."""
HOLD_MS, BETWEEN_CLICKS_MS = 20, 60
"""What the time stamps say; nobody waits so long."""
KEYS_AT_ONCE = 8
"""So many keys lie between two questions whether to stop."""
KEY_S = 0.003
"""Programs read keys when they get to it; a compositor hangs up on none of them at this pace."""


class Wlroots:
    name = "Wayland (wlr-virtual-pointer)"
    hint = session.INSTALL_HINT

    def problem(self) -> str | None:
        return session.problem(POINTER, KEYBOARD)

    def position(self) -> DesktopPoint | None:
        """None: Wayland tells a program the pointer's place over its own windows only."""
        return None

    def move(self, point: DesktopPoint) -> None:
        _run(lambda connection: _move(connection, _pointer(connection), point))

    def click(self, point: DesktopPoint, button: str = "left", count: int = 1) -> None:
        def act(connection: Connection) -> None:
            device = _pointer(connection)
            _let_go_of_modifiers(connection)
            _move(connection, device, point)
            _press(device, KERNEL_BUTTONS[button], count)
            connection.roundtrip()

        _run(act)

    def type_text(self, text: str, stopped: Callable[[], bool] = never) -> None:
        batched = batches(text, dict.fromkeys(LAYOUT_CODES, (0, 0)))
        timeout_s = session.TIMEOUT_S + len(text) * KEY_S * 4
        _run(lambda connection: _type(connection, batched, stopped), timeout_s)

    def release_all(self) -> None:
        """Nothing is pressed between two actions."""


def _run(action: Callable[[Connection], None], timeout_s: float | None = None) -> None:
    try:
        session.run(action, timeout_s)
    except InputError:
        raise
    except FingerpostError as error:
        raise InputError(error.message, error.hint) from error


def _seat(connection: Connection) -> tuple[WlSeatProxy, int]:
    """The seat, and what it has already: wl_seat's flags 1 for a pointer, 2 for a keyboard."""
    from pywayland.protocol.wayland import WlSeat

    told: list[int] = []
    seat: WlSeatProxy = connection.bind(WlSeat)
    seat.dispatcher["capabilities"] = lambda _, capabilities: told.append(capabilities)
    connection.roundtrip()
    return seat, told[-1] if told else 0


def _pointer(connection: Connection) -> VirtualPointerProxy:
    from fingerpost.engine.wayland.protocols.virtual_pointer import VirtualPointerManager

    seat, has = _seat(connection)
    device: VirtualPointerProxy = connection.bind(VirtualPointerManager).create_virtual_pointer(seat)
    connection.roundtrip()
    if not has & HAS_POINTER:
        time.sleep(PROGRAMS_NOTICE_S)
    return connection.keep(device)


def _keyboard(connection: Connection, meanings: dict[int, int]) -> VirtualKeyboardProxy:
    """A keyboard on which each key code types its X11 symbol, with no modifier held."""
    from fingerpost.engine.wayland.memory import nameless_file
    from fingerpost.engine.wayland.protocols.virtual_keyboard import XKB_TEXT, VirtualKeyboardManager

    seat, has = _seat(connection)
    device: VirtualKeyboardProxy = connection.bind(VirtualKeyboardManager).create_virtual_keyboard(seat)
    content = layout_text(meanings).encode() + b"\0"
    file = nameless_file(content)
    try:
        device.keymap(XKB_TEXT, file, len(content))
        device.modifiers(0, 0, 0, 0)
        connection.roundtrip()
    finally:
        os.close(file)
    if not has & HAS_KEYBOARD:
        time.sleep(PROGRAMS_NOTICE_S)
    return connection.keep(device)


def _let_go_of_modifiers(connection: Connection) -> None:
    """Programs take modifiers from the keyboard that was used last: now one of ours, on which none is held."""
    _, has = _seat(connection)
    if has & HAS_KEYBOARD:
        _keyboard(connection, {})


def _move(connection: Connection, device: VirtualPointerProxy, point: DesktopPoint) -> None:
    """To the middle of the pixel. Raises `GeometryError` when it is on no monitor."""
    from fingerpost.engine.wayland import outputs

    here = space.native([output for output, _ in outputs.read(connection)])
    x, y = here.to_compositor(point)
    around = here.logical_bounds
    device.motion_absolute(
        _now_ms(),
        round((x - around.x) * PARTS),
        round((y - around.y) * PARTS),
        around.width * PARTS,
        around.height * PARTS,
    )
    device.frame()
    connection.roundtrip()


def _press(device: VirtualPointerProxy, button: int, count: int) -> None:
    start = _now_ms()
    for number in range(count):
        at = start + number * BETWEEN_CLICKS_MS
        device.button(at, button, PRESSED)
        device.frame()
        device.button(at + HOLD_MS, button, RELEASED)
        device.frame()


def _type(connection: Connection, batched: Sequence[Batch], stopped: Callable[[], bool]) -> None:
    for batch in batched:
        device = _keyboard(connection, dict(batch.extra))
        for start in range(0, len(batch.strokes), KEYS_AT_ONCE):
            if stopped():
                return
            _strike(device, batch.strokes[start : start + KEYS_AT_ONCE])
            connection.roundtrip()
            time.sleep(KEY_S * KEYS_AT_ONCE)


def _strike(device: VirtualKeyboardProxy, strokes: Sequence[Stroke]) -> None:
    for stroke in strokes:
        kernel_code = stroke.code - 8
        device.key(_now_ms(), kernel_code, PRESSED)
        device.key(_now_ms(), kernel_code, RELEASED)


def _now_ms() -> int:
    """Milliseconds as the kernel counts them for real devices, in 32 bits."""
    return int(time.monotonic() * 1000) & 0xFFFFFFFF
