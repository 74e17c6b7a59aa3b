"""The key that opens the palette, owned in the first way that works here."""

from __future__ import annotations

from collections.abc import Callable

from fingerpost.app.hotkeys.binding import Bound, Conflict, Handler, NeedsUser, Result
from fingerpost.app.hotkeys.chord import Chord, ChordError
from fingerpost.app.hotkeys.kglobalaccel import KGlobalAccel
from fingerpost.app.hotkeys.portal import Portal
from fingerpost.app.hotkeys.windows import Windows
from fingerpost.app.hotkeys.x11 import X11

__all__ = [
    "Bound",
    "Chord",
    "ChordError",
    "Conflict",
    "Handler",
    "NeedsUser",
    "Result",
    "asks_user",
    "bind",
    "handlers",
]

HANDLERS: tuple[Handler, ...] = (Windows(), KGlobalAccel(), Portal(), X11())
"""The ways to own a key, the preferred one first."""

TOGGLE = "fingerpost app --toggle"
"""The command that does what the key does, for binding in the desktop's own settings."""


def handlers() -> tuple[tuple[Handler, str | None], ...]:
    """Every way with its problem, None where it works."""
    return tuple((one, one.problem()) for one in HANDLERS)


def asks_user() -> bool:
    """Whether owning a key opens a dialogue of the desktop, so that it cannot be tried beforehand."""
    first = next((one for one in HANDLERS if one.problem() is None), None)
    return isinstance(first, Portal)


def bind(chord: Chord, pressed: Callable[[], None]) -> Result:
    """Own `chord` from now on. `pressed` is called on a thread of its own, never on the caller's."""
    result: Result = NeedsUser(f"Bind the command “{TOGGLE}” to a key in the settings of your desktop.")
    for one in HANDLERS:
        if one.problem() is None:
            result = one.bind(chord, pressed)
            if not isinstance(result, NeedsUser):
                return result
    return result
