"""A global key on KDE, from its own service for keys: no dialogue, and a key that is taken is told.

The calls were tried on KWin 5.27 with Wayland; this file is tested in a real D-Bus conversation with a service made for
the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fingerpost.app.hotkeys.binding import Bound, Conflict, NeedsUser, Result
from fingerpost.app.hotkeys.chord import Chord
from fingerpost.engine.portals.bus import ANSWER_S, Bus, ask, call, not_here, subscribe
from fingerpost.engine.portals.errors import PortalError

if TYPE_CHECKING:
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

SERVICE, PATH, INTERFACE = "org.kde.kglobalaccel", "/kglobalaccel", "org.kde.KGlobalAccel"
COMPONENT_INTERFACE = "org.kde.kglobalaccel.Component"
COMPONENT, ACTION = "fingerpost", "find"
ACTION_ID = [COMPONENT, ACTION, "Fingerpost", "Find on the screen"]
PRESENT, OURS_NOT_THE_STORED_ONE = 2, 4
MODIFIERS = {"Shift": 0x02000000, "Ctrl": 0x04000000, "Alt": 0x08000000, "Super": 0x10000000}
KEYS = {
    "Space": 0x20, "Escape": 0x01000000, "Tab": 0x01000001, "Backspace": 0x01000003, "Enter": 0x01000004,
    "Insert": 0x01000006, "Delete": 0x01000007, "Pause": 0x01000008, "Print": 0x01000009, "Home": 0x01000010,
    "End": 0x01000011, "Left": 0x01000012, "Up": 0x01000013, "Right": 0x01000014, "Down": 0x01000015,
    "PageUp": 0x01000016, "PageDown": 0x01000017, **{f"F{n}": 0x0100002F + n for n in range(1, 25)},
}  # fmt: skip
"""Qt's numbers."""


class KGlobalAccel:
    name = "KDE's global keys"
    hint = "Use KDE."

    def problem(self) -> str | None:
        missing = not_here()
        if missing is not None:
            return missing
        try:
            runs = ask(_service_runs, ANSWER_S)
        except PortalError:
            return "this session has no D-Bus"
        return None if runs else "this is not KDE"

    def bind(self, chord: Chord, pressed: Callable[[], None]) -> Result:
        if (problem := self.problem()) is not None:  # asking would start the service on other desktops
            return NeedsUser(f"KDE's global keys cannot be used: {problem}.")
        try:
            bus = Bus()
        except PortalError as error:
            return NeedsUser(f"{error.message} {error.hint}")
        try:
            taken = bus.run(_bind(bus.connection, chord, pressed), ANSWER_S)
        except PortalError as error:
            bus.close()
            return NeedsUser(f"{error.message} {error.hint}")
        if taken:
            bus.close()
            return Conflict(chord, f"{taken} owns {chord}.")
        return Bound(chord, self.name, lambda: _release(bus))


def key_code(chord: Chord) -> int:
    """A chord as Qt's number."""
    key = KEYS[chord.key] if chord.key in KEYS else ord(chord.key)
    return key | sum(MODIFIERS[name] for name in chord.modifiers)


async def _bind(bus: MessageBus, chord: Chord, pressed: Callable[[], None]) -> str:
    """The name of the program that owns the key; "" when it is ours now."""
    key = key_code(chord)
    (owner,) = await _call(bus, "action", "i", key)
    if owner and owner[0] != COMPONENT:
        return str(owner[2] if len(owner) > 2 else owner[0])
    await _call(bus, "doRegister", "as", ACTION_ID)
    (given,) = await _call(bus, "setShortcut", "asaiu", ACTION_ID, [key], PRESENT | OURS_NOT_THE_STORED_ONE)
    if key not in given:
        return "Another program"

    def heard(message: Message) -> None:
        if message.body[:2] == [COMPONENT, ACTION]:
            pressed()

    await subscribe(bus, COMPONENT_INTERFACE, "globalShortcutPressed", heard, sender=SERVICE)
    return ""


def _release(bus: Bus) -> None:
    """The key is free for others; the user's choice of it stays in KDE's settings. Safe to call twice."""
    with suppress(PortalError):
        bus.run(_call(bus.connection, "setInactive", "as", ACTION_ID), ANSWER_S)
    bus.close()


async def _call(bus: MessageBus, member: str, signature: str, *body: Any) -> list[Any]:
    return await call(bus, SERVICE, PATH, INTERFACE, member, signature, *body)


async def _service_runs(bus: MessageBus) -> bool:
    (runs,) = await call(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", "s", SERVICE
    )
    return bool(runs)
