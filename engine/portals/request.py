"""One question to a portal, and its answer, which may wait for a dialogue.

The answer is a signal of an object whose path can be told before, from our name on the bus and a token of ours; one
who listens only after the call may miss it.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fingerpost.engine.portals.bus import ANSWER_S, PORTAL, PORTAL_PATH, call, subscribe
from fingerpost.engine.portals.errors import PortalError, RefusedError

if TYPE_CHECKING:
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

REQUEST = "org.freedesktop.portal.Request"
DONE, CANCELLED = 0, 1


async def request(bus: MessageBus, interface: str, member: str, signature: str, *body: Any) -> dict[str, Any]:
    """Call a portal's method and wait for the answer; the last of `body` are its options, plain or variants.

    The caller sets the deadline by cancelling; then the dialogue is closed. Raises `RefusedError` when the user says
    no, and `PortalError` when the portal fails.
    """
    from dbus_fast import Variant

    token = f"fingerpost{secrets.token_hex(8)}"
    expected = request_path(str(bus.unique_name), token)
    answers: asyncio.Queue[tuple[str, int, dict[str, Any]]] = asyncio.Queue()

    def heard(message: Message) -> None:
        code, results = message.body
        answers.put_nowait((str(message.path), code, {key: value.value for key, value in results.items()}))

    end_listening = await subscribe(bus, REQUEST, "Response", heard)
    path = expected
    try:
        options = {**body[-1], "handle_token": Variant("s", token)}
        (path,) = await call(bus, PORTAL, PORTAL_PATH, interface, member, signature, *body[:-1], options)
        code, results = await _answer_of({expected, path}, answers)
    except asyncio.CancelledError:
        await _close(bus, path)
        raise
    finally:
        await end_listening()
    if code == CANCELLED:
        raise RefusedError("The desktop's question was answered with no.", "Allow it when the desktop asks again.")
    if code != DONE:
        raise PortalError(f"The desktop's portal could not do {member}.", "See: fingerpost doctor.")
    return results


def request_path(unique_name: str, token: str) -> str:
    """Where the answer will come from."""
    return f"{PORTAL_PATH}/request/{unique_name.removeprefix(':').replace('.', '_')}/{token}"


async def create_session(bus: MessageBus, interface: str) -> str:
    """The path of a new session of that portal; it ends with the connection."""
    from dbus_fast import Variant

    options = {"session_handle_token": Variant("s", f"fingerpost{secrets.token_hex(8)}")}
    results = await request(bus, interface, "CreateSession", "a{sv}", options)
    return str(results["session_handle"])


async def _answer_of(
    paths: set[str], answers: asyncio.Queue[tuple[str, int, dict[str, Any]]]
) -> tuple[int, dict[str, Any]]:
    while True:
        path, code, results = await answers.get()
        if path in paths:
            return code, results


async def _close(bus: MessageBus, path: str) -> None:
    """Take the dialogue away; the portal may have ended the request already."""
    with suppress(PortalError, TimeoutError):
        async with asyncio.timeout(ANSWER_S):
            await call(bus, PORTAL, path, REQUEST, "Close")
