"""Linux: reads the active window over AT-SPI, on a thread with an event loop of its own.

A program answers one call in about half a millisecond, and a window has hundreds of nodes with five calls each. So
only the active window is read, many calls are on their way at once, and there is a deadline: what has arrived by then
is used. A program that hangs costs the deadline and nothing more.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fingerpost.engine.accessibility import atspi_roles as words
from fingerpost.engine.accessibility.atspi_bus import (
    ACCESSIBLE,
    COMPONENT,
    DAEMON,
    LAUNCHER,
    PROPERTIES,
    ROOT,
    STATUS,
    Bus,
    Ref,
    UnreachableError,
    connect_accessibility,
    connect_session,
    session_address,
)
from fingerpost.engine.accessibility.nodes import EMPTY, AccessibleNode, Snapshot, plain_name
from fingerpost.engine.values import Box

SCREEN = 0  # AT-SPI: coordinates of the screen, not of the window
MOST_NODES = 3000
LONGEST_LIST = 300
"""Children of a list or table; of a longer one none are read, since most of them are scrolled away."""
LONGEST_TEXT = 200  # characters read of a field
PATIENCE_S = 2.0
"""For a call outside of a walk."""
LEEWAY_S = 0.15
"""How long after its deadline a walk is waited for, to hand over what it has."""

Result = TypeVar("Result")


class AtSpi:
    """One connection, kept. Every call may come from any thread, and none raises."""

    name = "AT-SPI"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bus: Bus | None = None
        self._session = ""

    def begin(self, deadline_s: float, pid: int | None) -> Future[Snapshot]:
        """Starts a walk; the future is done at the deadline at the latest, unless the machine is overloaded."""
        return self._submit(self._walk(deadline_s, pid))

    def problem(self) -> str | None:
        """Why no window can be read, or None; also when programs are told to keep their trees to themselves."""
        try:
            return self._submit(asyncio.wait_for(_problem(), PATIENCE_S)).result(PATIENCE_S + LEEWAY_S)
        except TimeoutError:
            return "the accessibility bus does not answer"
        except UnreachableError as reason:
            return str(reason)

    def enable(self) -> bool:
        """Asks all programs of the session to export their trees, as a screen reader does; whether that was done."""
        with suppress(Exception):
            return self._submit(asyncio.wait_for(_enable(), PATIENCE_S)).result(PATIENCE_S + LEEWAY_S)
        return False

    def prepare(self) -> None:
        """Connects in the background, so that the first walk need not."""
        self._submit(self._connected())

    def _submit(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="fingerpost-at-spi", daemon=True).start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _connected(self) -> Bus:
        session = session_address()
        if self._bus is not None and self._bus.connected and self._session == session:
            return self._bus
        if self._bus is not None:
            self._bus.close()
        self._bus, self._session = None, session
        self._bus = await connect_accessibility()
        return self._bus

    async def _walk(self, deadline_s: float, pid: int | None) -> Snapshot:
        start = time.perf_counter()
        walk = Walk(pid)
        complete = False
        with suppress(TimeoutError, UnreachableError, OSError, EOFError):
            async with asyncio.timeout(deadline_s):
                await walk.run(await self._connected())
                complete = True
        return walk.snapshot(complete, (time.perf_counter() - start) * 1000)


async def _problem() -> str | None:
    bus = await connect_accessibility()
    bus.close()
    session = await connect_session()
    try:
        enabled = await session.get(LAUNCHER, STATUS, "IsEnabled")
    finally:
        session.close()
    return None if enabled else "accessibility is off in this session: Qt programs tell nothing"


async def _enable() -> bool:
    from dbus_fast import Variant

    session = await connect_session()
    try:
        await session.call(LAUNCHER, PROPERTIES, "Set", "ssv", STATUS, "IsEnabled", Variant("b", True))
        return bool(await session.get(LAUNCHER, STATUS, "IsEnabled"))
    finally:
        session.close()


@dataclass
class Branch:
    """A node of the tree while it is read; `node` is None for one without a place on the screen."""

    node: AccessibleNode | None = None
    branches: list[Branch] = field(default_factory=list)

    def nodes(self) -> Iterator[AccessibleNode]:
        if self.node is not None:
            yield self.node
        for branch in self.branches:
            yield from branch.nodes()


@dataclass(frozen=True)
class Top:
    """A window of a program, as far as it must be known to choose among them."""

    ref: Ref
    state: int
    role: str
    name: str

    @property
    def active(self) -> bool:
        return bool(self.state >> words.ACTIVE & 1)

    @property
    def showing(self) -> bool:
        return bool(self.state >> words.SHOWING & 1)


class Walk:
    """One reading of the active window. What has been read is there at any time, also after a cancellation."""

    def __init__(self, pid: int | None) -> None:
        self._pid = pid
        self._root = Branch()
        self._count = 0
        self._app = ""
        self._window = ""

    async def run(self, bus: Bus) -> None:
        self._bus = bus
        tops = await self._active_windows()
        self._window = next((top.name for top in tops if words.is_window(top.role)), "")
        await asyncio.gather(*(self._visit(top.ref, self._root, ()) for top in tops))

    def snapshot(self, complete: bool, elapsed_ms: float) -> Snapshot:
        nodes = tuple(self._root.nodes())
        return Snapshot(nodes, complete, self._app, self._window, elapsed_ms) if nodes or complete else EMPTY

    async def _active_windows(self) -> Sequence[Top]:
        """The windows to read, of the first program that says it has the active one."""
        programs = [Ref(*ref) for ref in await self._bus.call(ROOT, ACCESSIBLE, "GetChildren") or ()]
        questions = [asyncio.ensure_future(self._windows_of(program)) for program in programs]
        try:
            for answer in asyncio.as_completed(questions):  # a program that hangs does not keep the others waiting
                if tops := await answer:
                    return tops
            return ()
        finally:
            for question in questions:
                question.cancel()

    async def _windows_of(self, program: Ref) -> Sequence[Top]:
        owner = await self._bus.call(DAEMON, DAEMON.owner, "GetConnectionUnixProcessID", "s", program.owner)
        if owner == os.getpid() if self._pid is None else owner != self._pid:
            return ()
        refs = await self._bus.call(program, ACCESSIBLE, "GetChildren") or ()
        tops = chosen(await asyncio.gather(*(self._top(Ref(*ref)) for ref in refs)), whichever=self._pid is not None)
        if tops:
            self._app = await self._bus.get(program, ACCESSIBLE, "Name") or ""
        return tops

    async def _top(self, ref: Ref) -> Top:
        state, role, name = await asyncio.gather(
            self._bus.call(ref, ACCESSIBLE, "GetState"),
            self._bus.call(ref, ACCESSIBLE, "GetRoleName"),
            self._bus.get(ref, ACCESSIBLE, "Name"),
        )
        return Top(ref, words.bits(state or ()), role or "", name or "")

    async def _visit(self, ref: Ref, parent: Branch, above: tuple[str, ...]) -> None:
        """Reads a node and what is below it, unless it is hidden; `above` are the roles of what it stands in."""
        branch = Branch()
        parent.branches.append(branch)  # before the first answer: the order of the tree is kept
        state = words.bits(await self._bus.call(ref, ACCESSIBLE, "GetState") or ())
        self._count += 1
        if not state >> words.SHOWING & 1 or self._count > MOST_NODES:
            return
        role, name, extents = await asyncio.gather(
            self._bus.call(ref, ACCESSIBLE, "GetRoleName"),
            self._bus.get(ref, ACCESSIBLE, "Name"),
            self._bus.call(ref, COMPONENT, "GetExtents", "u", SCREEN),
        )
        states = words.state_names(state)
        kind = words.kind(role or "", above, states)
        box = Box(*extents) if extents else Box(0, 0, 0, 0)
        if box.width > 0 and box.height > 0:
            branch.node = AccessibleNode(plain_name(name or ""), kind, box, states, "", len(above))
        await asyncio.gather(self._complete(ref, branch, role), self._descend(ref, branch, kind, state, above))

    async def _complete(self, ref: Ref, branch: Branch, role: str) -> None:
        """Adds what only some kinds have: a description, a text, a value."""
        node = branch.node
        if node is None or node.role not in words.DESCRIBED:
            return
        description, text = await asyncio.gather(
            self._bus.get(ref, ACCESSIBLE, "Description"), self._text(ref, node.role, role)
        )
        branch.node = AccessibleNode(
            node.name, node.role, node.box, node.states, text, node.depth, plain_name(description or "")
        )

    async def _text(self, ref: Ref, kind: str, role: str) -> str:
        if kind in words.HOLDS_VALUE:
            value = await self._bus.get(ref, "org.a11y.atspi.Value", "CurrentValue")
            return "" if value is None else f"{value:g}"
        if kind in words.HOLDS_TEXT and role != "password text":
            return await self._bus.call(ref, "org.a11y.atspi.Text", "GetText", "ii", 0, LONGEST_TEXT) or ""
        return ""

    async def _descend(self, ref: Ref, branch: Branch, kind: str, state: int, above: tuple[str, ...]) -> None:
        if kind == "combo" and "expanded" not in words.state_names(state):
            return  # Qt tells the entries of a closed list, with places in nowhere
        if kind in words.WITH_LONG_LISTS or state >> words.MANAGES_DESCENDANTS & 1:
            count = await self._bus.get(ref, ACCESSIBLE, "ChildCount")
            if count is None or count > LONGEST_LIST:
                return
        refs = await self._bus.call(ref, ACCESSIBLE, "GetChildren") or ()
        await asyncio.gather(*(self._visit(Ref(*child), branch, (*above, kind)) for child in refs))


def chosen(tops: Sequence[Top], whichever: bool) -> tuple[Top, ...]:
    """The windows of a program to read; none when it has not the active one, unless `whichever` asks for any.

    An open menu may be a window of its own and take the state "active": then the windows below it are read as well.
    """
    active = [top for top in tops if top.active]
    if not active and not whichever:
        return ()
    if any(words.is_window(top.role) for top in active):
        return tuple(top for top in tops if top.active or (top.showing and not words.is_window(top.role)))
    return tuple(top for top in tops if top.showing)
