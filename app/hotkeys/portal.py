"""A global key on Wayland through the GlobalShortcuts portal (KDE, GNOME from 48, Hyprland).

The desktop may ask the user and may give another key than the wished one. Not run on a real desktop yet; tested in a
real D-Bus conversation with a portal made for the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fingerpost.app.hotkeys.binding import Bound, NeedsUser, Result
from fingerpost.app.hotkeys.chord import Chord
from fingerpost.engine.portals.bus import Bus, portal_problem, subscribe
from fingerpost.engine.portals.errors import PortalError, RefusedError
from fingerpost.engine.portals.request import create_session, request

if TYPE_CHECKING:
    from dbus_fast import Message

INTERFACE = "org.freedesktop.portal.GlobalShortcuts"
SHORTCUT, DESCRIPTION = "find", "Find on the screen"
PATIENCE_S = 3.0
"""How long the start of the program waits for the answer; a dialogue may stay open longer, and its answer counts."""
MODIFIERS = {"Ctrl": "CTRL", "Alt": "ALT", "Shift": "SHIFT", "Super": "LOGO"}
KEYS = {"Space": "space", "Enter": "Return", "PageUp": "Page_Up", "PageDown": "Page_Down", "Backspace": "BackSpace"}
"""XKB's names where they differ from `NAMED_KEYS`."""


class Portal:
    name = "portal GlobalShortcuts"
    hint = "Use KDE, or GNOME 48 or later."

    def __init__(self) -> None:
        self._bus: Bus | None = None

    def problem(self) -> str | None:
        return portal_problem(INTERFACE)

    def bind(self, chord: Chord, pressed: Callable[[], None]) -> Result:
        """`NeedsUser` while a dialogue is open, too: once the user has agreed there, the key works."""
        self._release()
        try:
            self._bus = bus = Bus()
            answer = bus.start(_bind(bus, chord, pressed))
            description = answer.result(PATIENCE_S)
        except RefusedError:
            self._release()
            return NeedsUser("The desktop was told not to give Fingerpost a key: allow it in the desktop's settings.")
        except PortalError as error:
            self._release()
            return NeedsUser(f"{error.message} {error.hint}")
        except TimeoutError:
            return NeedsUser("The desktop is asking which key opens Fingerpost: answer it.")
        if not description:
            return NeedsUser(f"Give “{DESCRIPTION}” a key in the settings of your desktop, under shortcuts.")
        return Bound(chord, f"{self.name}: {description}", self._release)

    def _release(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()


async def _bind(bus: Bus, chord: Chord, pressed: Callable[[], None]) -> str:
    """The key as the desktop describes it; "" when it gave none, yet."""
    from dbus_fast import Variant

    path = await create_session(bus.connection, INTERFACE)

    def heard(message: Message) -> None:
        session, shortcut = message.body[:2]
        if session == path and shortcut == SHORTCUT:
            pressed()

    await subscribe(bus.connection, INTERFACE, "Activated", heard)
    wish = {"description": Variant("s", DESCRIPTION), "preferred_trigger": Variant("s", trigger(chord))}
    results = await request(
        bus.connection, INTERFACE, "BindShortcuts", "oa(sa{sv})sa{sv}", path, [(SHORTCUT, wish)], "", {}
    )
    return _description(results.get("shortcuts", []))


def trigger(chord: Chord) -> str:
    """A chord as the portals write it: CTRL+ALT+space, with XKB's names for keys."""
    key = KEYS.get(chord.key, chord.key)
    if len(key) == 1:
        key = key.lower() if key.isascii() and key.isalnum() else f"U{ord(key.lower()):04X}"
    return "+".join((*(MODIFIERS[name] for name in chord.modifiers), key))


def _description(shortcuts: list[tuple[str, dict[str, Any]]]) -> str:
    for shortcut, facts in shortcuts:
        if shortcut == SHORTCUT:
            described = facts.get("trigger_description")
            return str(described.value) if described is not None else ""
    return ""
