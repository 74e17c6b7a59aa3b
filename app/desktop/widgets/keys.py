"""Qt's key events in the words of `app.hotkeys.chord`, and those words as keyboards have them printed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from fingerpost.app.hotkeys.chord import MODIFIERS, Chord
from fingerpost.app.text import text

_KEY = Qt.Key
_HELD = {
    "Ctrl": (Qt.KeyboardModifier.ControlModifier, _KEY.Key_Control),
    "Alt": (Qt.KeyboardModifier.AltModifier, _KEY.Key_Alt),
    "Shift": (Qt.KeyboardModifier.ShiftModifier, _KEY.Key_Shift),
    "Super": (Qt.KeyboardModifier.MetaModifier, _KEY.Key_Meta),
}
_SUPER = {_KEY.Key_Super_L, _KEY.Key_Super_R}
_ONLY_HELD = {key for _, key in _HELD.values()} | _SUPER | {
    _KEY.Key_AltGr, _KEY.Key_CapsLock, _KEY.Key_NumLock, _KEY.Key_ScrollLock, _KEY.Key_Hyper_L, _KEY.Key_Hyper_R,
    _KEY.Key_Mode_switch, _KEY.Key_unknown,
}  # fmt: skip
_NAMES = {
    _KEY.Key_Space: "Space", _KEY.Key_Return: "Enter", _KEY.Key_Enter: "Enter", _KEY.Key_Tab: "Tab",
    _KEY.Key_Backtab: "Tab", _KEY.Key_Escape: "Escape", _KEY.Key_Backspace: "Backspace", _KEY.Key_Delete: "Delete",
    _KEY.Key_Insert: "Insert", _KEY.Key_Home: "Home", _KEY.Key_End: "End", _KEY.Key_PageUp: "PageUp",
    _KEY.Key_PageDown: "PageDown", _KEY.Key_Left: "Left", _KEY.Key_Right: "Right", _KEY.Key_Up: "Up",
    _KEY.Key_Down: "Down", _KEY.Key_Pause: "Pause", _KEY.Key_Print: "Print", _KEY.Key_SysReq: "Print",
}  # fmt: skip


def held_modifiers(event: QKeyEvent) -> tuple[str, ...]:
    """The modifiers that are down after the event, in the order in which a chord writes them."""
    pressed = event.type() == QKeyEvent.Type.KeyPress
    down = {name for name, (bit, _) in _HELD.items() if event.modifiers() & bit}
    own = {
        name for name, (_, key) in _HELD.items() if event.key() == key or (name == "Super" and event.key() in _SUPER)
    }
    held = down | own if pressed else down - own
    return tuple(name for name in MODIFIERS if name in held)


def key_name(event: QKeyEvent) -> str | None:
    """The key of the event; None for a modifier, or a key that no chord can name."""
    code = event.key()
    if code in _ONLY_HELD or not code:
        return None
    if name := _NAMES.get(_KEY(code)):
        return name
    if _KEY.Key_F1.value <= code <= _KEY.Key_F24.value:
        return f"F{code - _KEY.Key_F1.value + 1}"
    return chr(code).upper() if code < 0x110000 and chr(code).isprintable() else None


def caps(chord: str) -> tuple[str, ...]:
    """The keys of a chord as keyboards of the user's language have them printed. Raises `ChordError`."""
    parsed = Chord.parse(chord)
    return tuple(map(printed, (*parsed.modifiers, parsed.key)))


def printed(key: str) -> str:
    """One key as it is printed: "Strg" for "Ctrl" in German."""
    words = dict(pair.split("=", 1) for pair in text("settings.hotkey.keys").split())
    return words.get(key, key)


def shown(chord: str) -> str:
    """A chord for people: "Strg+Alt+Leertaste" in German. Raises `ChordError`."""
    return "+".join(caps(chord))
