"""The accessibility bus of a Linux desktop: how to reach it, and one call on it.

It is a bus of its own; the session bus tells its address. dbus-fast is loaded when it is first needed.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from dbus_fast.aio import MessageBus

ACCESSIBLE = "org.a11y.atspi.Accessible"
COMPONENT = "org.a11y.atspi.Component"
PROPERTIES = "org.freedesktop.DBus.Properties"
STATUS = "org.a11y.Status"
IN_FLIGHT = 32
"""Calls sent and not yet answered: a program answers one after the other, but the way there and back takes longer."""


class UnreachableError(Exception):
    """No accessibility bus; the text says why."""


class Ref(NamedTuple):
    """An object on the bus: its program's name there, and its path."""

    owner: str
    path: str


ROOT = Ref("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
LAUNCHER = Ref("org.a11y.Bus", "/org/a11y/bus")
DAEMON = Ref("org.freedesktop.DBus", "/org/freedesktop/DBus")


class Bus:
    """A connection to a bus. Use `connect_session` and `connect_accessibility`."""

    def __init__(self, connection: MessageBus) -> None:
        self._connection = connection
        self._slots = asyncio.Semaphore(IN_FLIGHT)
        self._end = asyncio.ensure_future(_until_closed(connection))

    @property
    def connected(self) -> bool:
        return self._connection.connected

    def close(self) -> None:
        self._connection.disconnect()

    async def call(self, to: Ref, interface: str, member: str, signature: str = "", *body: object) -> Any:
        """The first value of the answer; None when the object is gone or knows no such call."""
        from dbus_fast import Message, MessageType

        message = Message(
            destination=to.owner, path=to.path, interface=interface, member=member, signature=signature, body=[*body]
        )
        async with self._slots:
            answer = await self._connection.call(message)
        return answer.body[0] if answer.message_type is MessageType.METHOD_RETURN and answer.body else None

    async def get(self, of: Ref, interface: str, name: str) -> Any:
        """A property; None when the object has none of that name."""
        value = await self.call(of, PROPERTIES, "Get", "ss", interface, name)
        return None if value is None else value.value


async def connect_session() -> Bus:
    """Raises `UnreachableError`."""
    try:
        from dbus_fast import BusType
        from dbus_fast.aio import MessageBus
    except ImportError:
        raise UnreachableError("the Python package dbus-fast is not installed") from None
    address = session_address()
    if not address:
        raise UnreachableError("no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
    return await _reach(lambda: MessageBus(address, BusType.SESSION).connect(), "the session bus")


async def connect_accessibility() -> Bus:
    """Asks the session bus for the accessibility bus, which it starts when need be. Raises `UnreachableError`."""
    session = await connect_session()
    try:
        address = await session.call(LAUNCHER, "org.a11y.Bus", "GetAddress")
    finally:
        session.close()
    if not address:
        raise UnreachableError("no accessibility bus: the package at-spi2-core is not installed")
    from dbus_fast.aio import MessageBus

    return await _reach(lambda: MessageBus(address).connect(), "the accessibility bus")


def session_address() -> str:
    """Where the session bus is; "" when there is none."""
    told = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    usual = Path(runtime, "bus")
    return told or (f"unix:path={usual}" if runtime and usual.exists() else "")


async def _until_closed(connection: Any) -> None:
    """Takes note of the end: without anybody who does, asyncio complains about an error that nobody looked at."""
    with suppress(Exception):
        await connection.wait_for_disconnect()


async def _reach(connect: Callable[[], Awaitable[MessageBus]], name: str) -> Bus:
    try:
        return Bus(await connect())
    except Exception as error:  # dbus-fast raises errors of its own, of the socket, and EOFError
        raise UnreachableError(f"{name} does not answer") from error
