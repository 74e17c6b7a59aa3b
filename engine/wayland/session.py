"""The way in: what the running Wayland session offers, without loading pywayland before it is needed."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from fingerpost.engine.deadline import within
from fingerpost.engine.wayland.errors import CompositorError
from fingerpost.engine.wayland.space import Output

if TYPE_CHECKING:
    from fingerpost.engine.wayland.connection import Connection

TIMEOUT_S = 4.0
"""An output that is switched off sends no picture, and a stopped compositor nothing at all."""
INSTALL_HINT = "Run: pip install 'fingerpost[desktop]'."

Result = TypeVar("Result")


def problem(*interfaces: str) -> str | None:
    """Why those interfaces of the compositor cannot be used here, in a few words; None when they can."""
    missing = not_here()
    if missing is not None:
        return missing
    try:
        absent = run(lambda connection: [name for name in interfaces if not connection.offers(name)])
    except CompositorError:
        return f"no Wayland compositor answers on {os.environ['WAYLAND_DISPLAY']}"
    return f"this Wayland desktop does not offer {absent[0]}" if absent else None


def not_here() -> str | None:
    """Why no compositor can be asked at all, in a few words."""
    if not sys.platform.startswith("linux"):
        return "this is not Linux"
    if not os.environ.get("WAYLAND_DISPLAY"):
        return "no Wayland session"
    if importlib.util.find_spec("pywayland") is None:
        return "this is a Wayland session, and pywayland is not installed"
    return None


def run(action: Callable[[Connection], Result], timeout_s: float | None = None) -> Result:
    """The action's result, on a connection that is closed after it. Raises `CompositorError`, also when it is late."""
    from fingerpost.engine.wayland.connection import Connection

    def connected() -> Result:
        with Connection() as connection:
            return action(connection)

    try:
        return within(timeout_s or TIMEOUT_S, connected)
    except TimeoutError:
        raise CompositorError("The Wayland compositor does not answer.", "Wake the screen and try again.") from None


def outputs() -> list[Output]:
    """The enabled monitors, in the compositor's order. Raises `CompositorError`."""
    from fingerpost.engine.wayland import outputs as told

    return run(lambda connection: [output for output, _ in told.read(connection)])
