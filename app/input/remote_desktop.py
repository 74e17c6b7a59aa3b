"""A session of the RemoteDesktop portal, with the monitors that the user shares as places for the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fingerpost.engine.portals.bus import ANSWER_S, DIALOGUE_S, PORTAL, PORTAL_PATH, Bus, call, interface_version
from fingerpost.engine.portals.errors import PortalError
from fingerpost.engine.portals.request import create_session, request
from fingerpost.engine.values import Box

SCREEN_CAST = "org.freedesktop.portal.ScreenCast"
KEYBOARD_AND_POINTER = 1 | 2
MONITORS = 1
UNTIL_REVOKED = 2
PRESSED, RELEASED = 1, 0


@dataclass(frozen=True)
class Stream:
    """A monitor that the user shares; `box` in logical units of the whole desktop."""

    node: int
    box: Box


class RemoteDesktop:
    """Open from the start. `token` lets the next session open without a question; "" when the desktop gives none."""

    INTERFACE = "org.freedesktop.portal.RemoteDesktop"

    def __init__(self, token: str) -> None:
        """Raises `RefusedError` when the user says no, and `PortalError`."""
        self._bus = Bus()
        try:
            self._session, self._streams, self.token = self._bus.run(self._opened(token), DIALOGUE_S)
        except BaseException:
            self._bus.close()
            raise

    def move(self, x: float, y: float) -> None:
        """Logical units of the whole desktop. Raises `PortalError` where no shared monitor is."""
        stream = next((stream for stream in self._streams if stream.box.contains(x, y)), None)
        if stream is None:
            raise PortalError(
                "That monitor is not shared with Fingerpost.", "Share all monitors when the desktop asks."
            )
        self._notify("NotifyPointerMotionAbsolute", "udd", stream.node, x - stream.box.x, y - stream.box.y)

    def press_button(self, button: int) -> None:
        """Press and release a button, as the kernel numbers them."""
        self._stroke("NotifyPointerButton", button)

    def press_keys(self, symbols: Sequence[int]) -> None:
        """Press and release keys by their X11 symbols, one after the other."""
        for symbol in symbols:
            self._stroke("NotifyKeyboardKeysym", symbol)

    def close(self) -> None:
        """Safe to call twice."""
        with suppress(PortalError):
            self._bus.run(
                call(self._bus.connection, PORTAL, self._session, "org.freedesktop.portal.Session", "Close"), ANSWER_S
            )
        self._bus.close()

    def _stroke(self, member: str, what: int) -> None:
        try:
            self._notify(member, "iu", what, PRESSED)
        finally:
            self._notify(member, "iu", what, RELEASED)

    def _notify(self, member: str, signature: str, *values: Any) -> None:
        options: dict[str, Any] = {}
        asked = call(
            self._bus.connection,
            PORTAL,
            PORTAL_PATH,
            self.INTERFACE,
            member,
            f"oa{{sv}}{signature}",
            self._session,
            options,
            *values,
        )
        self._bus.run(asked, ANSWER_S)

    async def _opened(self, token: str) -> tuple[str, list[Stream], str]:
        from dbus_fast import Variant

        bus = self._bus.connection
        devices = {"types": Variant("u", KEYBOARD_AND_POINTER)}
        if await interface_version(bus, self.INTERFACE) >= 2:
            devices["persist_mode"] = Variant("u", UNTIL_REVOKED)
            if token:
                devices["restore_token"] = Variant("s", token)
        sources = {"types": Variant("u", MONITORS), "multiple": Variant("b", True)}
        path = await create_session(bus, self.INTERFACE)
        await request(bus, self.INTERFACE, "SelectDevices", "oa{sv}", path, devices)
        await request(bus, SCREEN_CAST, "SelectSources", "oa{sv}", path, sources)
        started = await request(bus, self.INTERFACE, "Start", "osa{sv}", path, "", {})
        if started.get("devices", 0) & KEYBOARD_AND_POINTER != KEYBOARD_AND_POINTER:
            raise PortalError("The desktop shares no pointer or no keyboard.", "Allow both when the desktop asks.")
        return path, streams_of(started.get("streams", [])), str(started.get("restore_token", ""))


def streams_of(told: Sequence[tuple[int, dict[str, Any]]]) -> list[Stream]:
    """Raises `PortalError` for a monitor whose size is not told: then no place on it can be meant."""
    streams = []
    for node, facts in told:
        if "size" not in facts:
            raise PortalError("The desktop does not tell where the shared monitor is.", "Update your desktop.")
        place = facts["position"].value if "position" in facts else (0, 0)
        streams.append(Stream(node, Box(*place, *facts["size"].value)))
    return streams
