"""The requests to an X server that move, press and release.

A press and its release are sent together and carry no delay: a server that waits for a later moment forgets the rest
when the program that asked is killed meanwhile, and a button would stay down. Delays stand only where nothing is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fingerpost.app.input.keymap import Keyboard, Stroke
from fingerpost.app.input.pointer import BUTTONS
from fingerpost.engine.errors import InputError
from fingerpost.engine.geometry import DesktopPoint

if TYPE_CHECKING:
    from Xlib.display import Display

BETWEEN_CLICKS_MS = 40
"""Of a double-click: far under every desktop's limit (200 ms and more)."""
BETWEEN_KEYS_MS = 2
HELD_MODIFIERS = ("Shift_L", "Shift_R", "Control_L", "Control_R", "Alt_L", "Alt_R", "Meta_L", "Meta_R",
                  "Super_L", "Super_R", "Hyper_L", "ISO_Level3_Shift")  # fmt: skip
LOCKS = ("Caps_Lock", "Num_Lock", "Scroll_Lock", "ISO_Level5_Lock")


def position(display: Display) -> DesktopPoint:
    pointer = display.screen().root.query_pointer()
    return DesktopPoint(pointer.root_x, pointer.root_y)


def move(display: Display, point: DesktopPoint) -> None:
    from Xlib import X
    from Xlib.ext import xtest

    xtest.fake_input(display, X.MotionNotify, x=point.x, y=point.y)
    display.sync()


def click(display: Display, point: DesktopPoint, button: str, count: int) -> None:
    """Press and release at exactly `point`; the server itself waits between two clicks."""
    from Xlib import X
    from Xlib.ext import xtest

    number = _physical(display, BUTTONS.index(button) + 1)
    for done in range(count):
        xtest.fake_input(display, X.MotionNotify, x=point.x, y=point.y, time=BETWEEN_CLICKS_MS if done else 0)
        xtest.fake_input(display, X.ButtonPress, number)
        xtest.fake_input(display, X.ButtonRelease, number)
    display.sync()


def keyboard(display: Display) -> tuple[Keyboard, int]:
    """The table of keys, and the number of the layout that is on."""
    first = display.display.info.min_keycode
    rows = display.get_keyboard_mapping(first, display.display.info.max_keycode - first + 1)
    group = (display.screen().root.query_pointer().mask >> 13) & 3  # X Keyboard Extension, 5: the state's bits
    return {code: tuple(row) for code, row in enumerate(rows, start=first)}, group


def assign(display: Display, symbols: Mapping[int, int]) -> None:
    """Give spare keys (key code → symbol) a meaning; 0 takes it away. The same symbol in every place of a key."""
    width = len(display.get_keyboard_mapping(display.display.info.min_keycode, 1)[0])
    for code, symbol in symbols.items():
        display.change_keyboard_mapping(code, [[symbol] * width])
    display.sync()


def strike(display: Display, strokes: Sequence[Stroke]) -> None:
    """Press and release keys in one piece, with Shift where needed."""
    from Xlib import X
    from Xlib.ext import xtest

    shift = _code(display, "Shift_L")
    for stroke in strokes:
        codes = [shift, stroke.code] if stroke.shift else [stroke.code]
        for delay, code in zip((BETWEEN_KEYS_MS, 0), codes, strict=False):
            xtest.fake_input(display, X.KeyPress, code, time=delay)
        for code in reversed(codes):
            xtest.fake_input(display, X.KeyRelease, code)
    display.sync()


def caps_lock_is_on(display: Display) -> bool:
    from Xlib import X

    return bool(display.screen().root.query_pointer().mask & X.LockMask)


def press_caps_lock(display: Display) -> None:
    code = _code(display, "Caps_Lock")
    if code:
        strike(display, [Stroke(code)])


def modifier_is_held(display: Display) -> bool:
    """Whether Ctrl, Alt, Shift or the like is down; locks do not count."""
    locks = {_code(display, name) for name in LOCKS}
    held = display.screen().root.query_pointer().mask & 0xFF
    for bit, codes in enumerate(display.get_modifier_mapping()):
        is_lock = not set(codes) - {0} or bool(set(codes) & locks - {0})
        if held & (1 << bit) and not is_lock:
            return True
    return False


def release_all(display: Display) -> None:
    """Let go of all that XTest may hold, whoever pressed it; what the user holds on a real keyboard stays down."""
    from Xlib import X
    from Xlib.ext import xtest

    for name in HELD_MODIFIERS:
        if code := _code(display, name):
            xtest.fake_input(display, X.KeyRelease, code)
    for number in range(1, 4):
        xtest.fake_input(display, X.ButtonRelease, number)
    display.sync()


def _physical(display: Display, logical: int) -> int:
    """The button to press for a left, middle or right click: left-handed users have them swapped."""
    mapping = list(display.get_pointer_mapping())
    if logical not in mapping:
        raise InputError("The mouse has no such button.", "Choose another action.")
    return mapping.index(logical) + 1


def _code(display: Display, name: str) -> int:
    from Xlib import XK

    return display.keysym_to_keycode(XK.string_to_keysym(name))
