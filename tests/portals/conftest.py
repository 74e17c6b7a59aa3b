"""A real session bus, and on it a service that answers as desktops do: portals and KDE's service for keys.

It speaks D-Bus with the product from a thread of its own; only its answers are made up.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

PORTAL = "org.freedesktop.portal.Desktop"
NO_DIALOGUE = {"SelectDevices", "SelectSources"}

Reply = tuple[str, list[Any]]
Answer = tuple[int, dict[str, Variant]]


@dataclass
class Service:
    """Answers by member's name.

    replies   member → what the call itself returns
    answers   member → what the user (or the portal) answers later: code and results; a member without one stays open
    version   of every portal interface
    old_path  answer on a path of its own making, as portals before 0.9 do
    hasty     send the answer before the call returns
    refused   members that are answered with an error
    """

    name: str
    replies: dict[str, Callable[[Message], Reply]] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    version: int = 2
    old_path: bool = False
    hasty: bool = False
    refused: set[str] = field(default_factory=set)
    calls: list[tuple[str, list[Any]]] = field(default_factory=list)
    closed_requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.replies["Get"] = lambda _: ("v", [Variant("u", self.version)])
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._connect(), self._loop).result(10)

    def called(self, member: str) -> list[list[Any]]:
        return [body for name, body in self.calls if name == member]

    def signal(self, path: str, interface: str, member: str, signature: str, *body: Any) -> None:
        message = Message.new_signal(path, interface, member, signature, list(body))
        asyncio.run_coroutine_threadsafe(self._send(message), self._loop).result(10)

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._bus.disconnect)
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _connect(self) -> None:
        self._bus = await MessageBus().connect()
        self._bus.add_message_handler(self._handle)
        await self._bus.request_name(self.name)

    async def _send(self, message: Message) -> None:
        await self._bus.send(message)

    def _handle(self, message: Message) -> Message | bool | None:
        if message.message_type is not MessageType.METHOD_CALL or message.member in {None, "Introspect", "Ping"}:
            return None
        member = str(message.member)
        if message.interface == "org.freedesktop.portal.Request":
            self.closed_requests.append(str(message.path))
            return Message.new_method_return(message)
        self.calls.append((member, list(message.body)))
        if member in self.refused:
            return Message.new_error(message, "org.freedesktop.DBus.Error.Failed", "refused by the test")
        if member in self.replies:
            signature, body = self.replies[member](message)
            return Message.new_method_return(message, signature, body)
        if member.startswith("Notify") or member in {"Close", "Register"}:
            return Message.new_method_return(message)
        return self._begin(message, member)

    def _begin(self, message: Message, member: str) -> Message | bool:
        """True: it is answered elsewhere."""
        options = message.body[-1]
        if not isinstance(options, dict) or "handle_token" not in options:
            return Message.new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", member)
        sender = str(message.sender).removeprefix(":").replace(".", "_")
        token = "old" if self.old_path else options["handle_token"].value
        path = f"/org/freedesktop/portal/desktop/request/{sender}/{token}"
        returned = Message.new_method_return(message, "o", [path])
        answer = self._answer(member, sender, options)
        if answer is None:
            return returned
        response = Message(
            message_type=MessageType.SIGNAL,
            destination=message.sender,
            path=path,
            interface="org.freedesktop.portal.Request",
            member="Response",
            signature="ua{sv}",
            body=list(answer),
        )
        first, second = (response, returned) if self.hasty else (returned, response)
        self._loop.create_task(self._one_after_the_other(first, second))
        return True

    def _answer(self, member: str, sender: str, options: dict[str, Variant]) -> Answer | None:
        if member == "CreateSession" and member not in self.answers:
            token = options["session_handle_token"].value
            path = f"/org/freedesktop/portal/desktop/session/{sender}/{token}"
            return 0, {"session_handle": Variant("s", path)}
        return self.answers.get(member, (0, {}) if member in NO_DIALOGUE else None)

    async def _one_after_the_other(self, *messages: Message) -> None:
        for message in messages:
            await self._bus.send(message)


@pytest.fixture
def session_bus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A private session bus in a Wayland session; tokens are kept in a folder of the test's."""
    program = shutil.which("dbus-daemon")
    assert program, "dbus-daemon is missing: python3 packaging/bootstrap test installs it"
    command = [program, "--session", "--nofork", "--print-address"]
    daemon = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert daemon.stdout
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-of-the-test")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    yield
    daemon.terminate()
    daemon.wait(timeout=10)
    daemon.stdout.close()


@pytest.fixture
def portal(session_bus: None) -> Iterator[Service]:
    service = Service(PORTAL)
    yield service
    service.end()


@pytest.fixture
def kde(session_bus: None) -> Iterator[Service]:
    service = Service("org.kde.kglobalaccel")
    yield service
    service.end()
