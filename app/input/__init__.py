"""Pointer and keyboard, in the first way that works here."""

from __future__ import annotations

from fingerpost.app.input.macos import MacOS
from fingerpost.app.input.pointer import BUTTONS, Pointer
from fingerpost.app.input.portal import Portal
from fingerpost.app.input.windows import Windows
from fingerpost.app.input.wlroots import Wlroots
from fingerpost.app.input.x11 import X11
from fingerpost.engine.errors import InputError

__all__ = ["BUTTONS", "Pointer", "pointer", "pointers"]

HANDLERS: tuple[Pointer, ...] = (Windows(), MacOS(), Wlroots(), Portal(), X11())
"""The ways to click, the preferred one first. On each system all but one or two say that they cannot work."""


def pointers() -> tuple[tuple[Pointer, str | None], ...]:
    """Every way with its problem, None where it works."""
    return tuple((one, one.problem()) for one in HANDLERS)


def pointer() -> Pointer:
    """The first way that works here. Raises `InputError` with the nearest one's problem and hint.

    Without one, Fingerpost still points at what it finds.
    """
    problems: list[tuple[Pointer, str]] = []
    for one in HANDLERS:  # one by one: asking a way that is not needed costs time
        problem = one.problem()
        if problem is None:
            return one
        problems.append((one, problem))
    elsewhere = ("this is not", "no Wayland session")
    near = [(one, problem) for one, problem in problems if not problem.startswith(elsewhere)]
    one, problem = (near or problems)[0]
    raise InputError(f"Fingerpost cannot click here: {problem}.", one.hint)
