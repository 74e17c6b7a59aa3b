"""A connection to the compositor, and what it offers."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

from pywayland.client.display import Display
from pywayland.protocol_core.interface import Interface
from pywayland.protocol_core.proxy import Proxy

from fingerpost.engine.wayland.errors import CompositorError

HINT = "Start it inside a Wayland session, or start Fingerpost anew."

Made = TypeVar("Made", bound=Proxy[Any])


class Connection:
    """Use it in a `with` block or close it: pywayland ends the process with a fault when it is left to the collector.

    One thread at a time. Listeners run inside `roundtrip` and `wait_until`.
    """

    def __init__(self) -> None:
        """Raises `CompositorError` when no compositor answers on WAYLAND_DISPLAY."""
        self.name = os.environ.get("WAYLAND_DISPLAY", "")
        self._display = Display(self.name)
        try:
            self._display.connect()
        except ValueError:
            raise CompositorError(f"No Wayland compositor answers on {self.name or 'wayland-0'}.", HINT) from None
        self.offered: list[tuple[int, str, int]] = []
        self._kept: list[Proxy[Any]] = []
        self._registry = self._display.get_registry()
        self._registry.dispatcher["global"] = lambda _, *entry: self.offered.append(entry)
        try:
            self.roundtrip()
        except CompositorError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def offers(self, name: str) -> bool:
        """Whether the compositor has an interface, by its name in the protocol."""
        return any(interface == name for _, interface, _ in self.offered)

    def bind(self, interface: type[Interface]) -> Any:
        """The compositor's object of that interface. Raises `CompositorError` when it has none."""
        found = self.bind_all(interface)
        if not found:
            raise CompositorError(
                f"This Wayland desktop does not offer {interface.name}.", "See what it offers: fingerpost doctor."
            )
        return found[0]

    def bind_all(self, interface: type[Interface]) -> list[Any]:
        """All objects of that interface, such as one for each output, in the compositor's order."""
        return [
            self.keep(self._registry.bind(number, interface, min(version, interface.version)))
            for number, name, version in self.offered
            if name == interface.name
        ]

    def keep(self, made: Made) -> Made:
        """Hold an object until the connection is closed: one that is collected hears nothing any more."""
        self._kept.append(made)
        return made

    def roundtrip(self) -> None:
        """Returns once the compositor has done all that was asked. Raises `CompositorError` when it hung up."""
        if self._display.roundtrip() < 0:
            raise self._hung_up()

    def wait_until(self, done: Callable[[], bool]) -> None:
        """Listen until `done`; callers set a deadline around it. Raises `CompositorError` when it hung up."""
        while not done():
            self._display.flush()
            try:
                self._display.dispatch(block=True)
            except RuntimeError as error:
                raise self._hung_up() from error

    def close(self) -> None:
        """Hang up; the compositor takes back all that was made. Safe to call twice."""
        self._display.disconnect()
        self._kept.clear()

    def _hung_up(self) -> CompositorError:
        return CompositorError("The Wayland compositor refused a request or has ended.", HINT)
