"""The session bus, on a thread of its own, for callers that are not asynchronous."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fingerpost.engine.portals.errors import PortalError

if TYPE_CHECKING:
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

APP_ID = "org.fingerpost.Fingerpost"
"""The name of the desktop entry; portals show the user the name and icon they find there."""

PORTAL = "org.freedesktop.portal.Desktop"
PORTAL_PATH = "/org/freedesktop/portal/desktop"
ANSWER_S = 5.0
"""For a call that asks the user nothing. The portal may first have to be started."""
DIALOGUE_S = 180.0
"""For a call that may show a dialogue, which waits for the user."""

Result = TypeVar("Result")


class Bus:
    """A connection that lives until it is closed: portals end a session when its connection closes."""

    def __init__(self) -> None:
        """Raises `PortalError` when there is no session bus."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="session-bus", daemon=True)
        self._thread.start()
        try:
            self.connection: MessageBus = self.run(_connect(), ANSWER_S)
        except Exception as error:  # dbus-fast raises its own, and those of files and addresses
            self._end_thread()
            if isinstance(error, PortalError):
                raise
            raise PortalError("The session bus cannot be reached.", "Start it inside a desktop session.") from error

    def run(self, work: Coroutine[Any, Any, Result], timeout_s: float) -> Result:
        """What `work` returns or raises, run on the bus's thread. Late work is cancelled: `PortalError`."""
        future = self.start(work)
        try:
            return future.result(timeout_s)
        except TimeoutError:
            future.cancel()
            raise PortalError("The desktop does not answer.", "Try again, and look for an open dialogue.") from None

    def start(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Begin `work` on the bus's thread. Raises `PortalError` when the bus was closed."""
        if not self._thread.is_alive():
            work.close()
            raise PortalError("The connection to the desktop was closed.", "Try again.")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Safe to call twice."""
        if self._thread.is_alive():
            with suppress(Exception):  # the connection may have been lost already
                self.run(_hang_up(self.connection), ANSWER_S)
            self._end_thread()

    def _end_thread(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(ANSWER_S)
        self._loop.close()


def not_here() -> str | None:
    """Why no session bus can be asked at all, in a few words; None when one can."""
    if not sys.platform.startswith("linux"):
        return "this is not Linux"
    if not os.environ.get("WAYLAND_DISPLAY"):
        return "no Wayland session"
    if importlib.util.find_spec("dbus_fast") is None:
        return "this is a Wayland session, and dbus-fast is not installed"
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS") and not _usual_socket().exists():
        return "this session has no D-Bus"
    return None


def ask(work: Callable[[MessageBus], Coroutine[Any, Any, Result]], timeout_s: float) -> Result:
    """The result of `work` on a connection that is closed after it. Raises `PortalError`, and what `work` raises."""
    bus = Bus()
    try:
        return bus.run(work(bus.connection), timeout_s)
    finally:
        bus.close()


async def call(
    bus: MessageBus, destination: str, path: str, interface: str, member: str, signature: str = "", *body: Any
) -> list[Any]:
    """The reply's body. Raises `PortalError` with the error's name when the call is refused or nobody is there."""
    from dbus_fast import Message, MessageType

    message = Message(
        destination=destination, path=path, interface=interface, member=member, signature=signature, body=list(body)
    )
    reply = await bus.call(message)
    if reply is None or reply.message_type is MessageType.ERROR:
        name = reply.error_name if reply is not None else "no reply"
        raise PortalError(
            f"The desktop refused {member} ({name}).", "See what this desktop lets programs do: fingerpost doctor."
        )
    return list(reply.body)


async def subscribe(
    bus: MessageBus, interface: str, member: str, heard: Callable[[Message], None], sender: str = PORTAL
) -> Callable[[], Coroutine[Any, Any, None]]:
    """Call `heard` with every such signal, on the bus's thread. Returns what ends that."""
    rule = f"type='signal',sender='{sender}',interface='{interface}',member='{member}'"

    def handle(message: Message) -> None:
        if message.interface == interface and message.member == member:
            heard(message)

    async def change(how: str) -> None:
        await call(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", how, "s", rule)

    async def end() -> None:
        bus.remove_message_handler(handle)
        await change("RemoveMatch")

    bus.add_message_handler(handle)
    await change("AddMatch")
    return end


async def interface_version(bus: MessageBus, interface: str) -> int:
    """The version of a portal's interface. Raises `PortalError` when this desktop has none."""
    found = await call(bus, PORTAL, PORTAL_PATH, "org.freedesktop.DBus.Properties", "Get", "ss", interface, "version")
    return int(found[0].value)


def portal_problem(interface: str) -> str | None:
    """Why a portal cannot be used here, in a few words; None when it can."""
    missing = not_here()
    if missing is not None:
        return missing
    try:
        ask(lambda bus: interface_version(bus, interface), ANSWER_S)
    except PortalError:
        return f"this desktop has no portal {interface.rpartition('.')[2]}"
    return None


async def _connect() -> MessageBus:
    from dbus_fast.aio import MessageBus

    bus = await MessageBus().connect()
    with suppress(PortalError):  # only newer desktops know it; older ones take unpackaged programs without a name
        await call(bus, PORTAL, PORTAL_PATH, "org.freedesktop.host.portal.Registry", "Register", "sa{sv}", APP_ID, {})
    return bus


async def _hang_up(bus: MessageBus) -> None:
    """First let all work end: a question that is given up has its dialogue to close."""
    unfinished = asyncio.all_tasks() - {asyncio.current_task()}
    for task in unfinished:
        if not task.cancelling():
            task.cancel()
    if unfinished:
        await asyncio.wait(unfinished, timeout=ANSWER_S / 2)
    bus.disconnect()
    await asyncio.sleep(0)  # lets the loop close the socket


def _usual_socket() -> Path:
    """Where the bus is when no variable names it."""
    return Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent")) / "bus"
