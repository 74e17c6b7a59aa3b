"""What the session at hand lets Fingerpost do: one line each for seeing, clicking, drawing over others and its key."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from fingerpost.app import hotkeys
from fingerpost.app import input as pointing
from fingerpost.app.hotkeys.portal import Portal as ShortcutsPortal
from fingerpost.app.input.portal import Portal as PointerPortal
from fingerpost.app.text import text
from fingerpost.app.wayland.overlay import LayerOverlay
from fingerpost.engine import capture
from fingerpost.engine.capture.wayland_portal import WaylandPortal

WORKS, DIALOGUE, UNAVAILABLE = "works", "dialog", "unavailable"
ASKING = (WaylandPortal, PointerPortal, ShortcutsPortal)
"""Ways that ask the user first."""


class Way(Protocol):
    """What all handlers have in common."""

    name: str
    hint: str


@dataclass(frozen=True)
class Capability:
    """One thing Fingerpost wants to do.

    part   "capture", "click", "overlay" or "hotkey"
    state  `WORKS`; `DIALOGUE`: the desktop asks the user first; or `UNAVAILABLE`
    how    the way that is used, for people; "" when unavailable
    hint   how to get it when unavailable, one sentence; else ""
    """

    part: str
    state: str
    how: str = ""
    hint: str = ""

    @property
    def sentence(self) -> str:
        """What that means for the user, in the language in use."""
        return text(f"wayland.{self.part}_{self.state}")


def capabilities() -> tuple[Capability, ...]:
    """In the order in which they are needed. Asks the desktop, so it takes some tenths of a second; does not raise."""
    return (
        _of("hotkey", ((one, one.problem()) for one in hotkeys.HANDLERS), f"Bind “{hotkeys.TOGGLE}” to a key."),
        _of("capture", ((one, one.problem()) for one in capture.HANDLERS)),
        _overlay(),
        _of("click", ((one, one.problem()) for one in pointing.HANDLERS)),
    )


def _of(part: str, ways: Iterable[tuple[Way, str | None]], hint: str = "") -> Capability:
    """From the first way that works; the hint is the nearest one's unless another is given."""
    near = ""
    for way, problem in ways:
        if problem is None:
            return Capability(part, DIALOGUE if isinstance(way, ASKING) else WORKS, way.name)
        if not near and not problem.startswith(("this is not", "no Wayland session")):
            near = way.hint
    return Capability(part, UNAVAILABLE, hint=hint or near)


def _overlay() -> Capability:
    """On X11, Windows and macOS any program may draw over others; on Wayland only with layers."""
    if not os.environ.get("WAYLAND_DISPLAY"):
        return Capability("overlay", WORKS, "a window")
    return _of("overlay", [(layers, layers.problem()) for layers in [LayerOverlay()]])
