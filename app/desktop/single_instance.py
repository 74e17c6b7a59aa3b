"""One Fingerpost a desktop session: a second start hands its wish to the first and ends.

The wish travels through a local socket (a named pipe on Windows) that only the same user can open. Asking a running
application needs no Qt, so that `fingerpost app --toggle` is quick enough to be bound to a key.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

import platformdirs

from fingerpost.engine.errors import FingerpostError

WISHES = ("toggle", "find", "settings", "history", "quit")
ANSWER_S = 2.0
MAX_BYTES = 64


class InstanceError(FingerpostError):
    """The place where instances meet cannot be used."""


def address() -> str:
    """Where the instances of this user on this desktop session meet."""
    session = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "desktop"
    name = re.sub(r"[^\w.]+", "-", session).strip("-")
    if sys.platform == "win32":
        return rf"\\.\pipe\fingerpost-{os.environ.get('USERNAME', 'user')}-{name}"
    return str(platformdirs.user_runtime_path("fingerpost") / f"app-{name}.socket")


def ask(wish: str) -> bool:
    """Hand `wish` (one of `WISHES`) to the running application; False when none is running or answers."""
    try:
        with Client(address()) as connection:
            connection.send_bytes(wish.encode())
            return connection.poll(ANSWER_S) and connection.recv_bytes(MAX_BYTES) == b"ok"
    except (OSError, EOFError, ValueError):
        return False


class Instance:
    """The first instance: hears the wishes of later ones until closed.

    `heard` is called on a thread of its own with one of `WISHES`. Raises `InstanceError` when another one is already
    heard here or the place cannot be made.
    """

    def __init__(self, heard: Callable[[str], None]) -> None:
        self._heard = heard
        self._address = address()
        self._lock = _lock(self._address)
        self._listener = self._listen()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="instance", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Hear no more. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        ask("")  # wakes the thread
        self._thread.join(timeout=ANSWER_S)
        self._listener.close()
        if self._lock is not None:
            os.close(self._lock)

    def _listen(self) -> Listener:
        if sys.platform != "win32":
            with contextlib.suppress(OSError):  # the lock is ours: what lies there belongs to nobody any more
                Path(self._address).unlink()
        try:
            return Listener(self._address)
        except OSError as error:
            why = error.strerror or error
            raise InstanceError(f"Instances cannot meet at {self._address} ({why}).", HINT) from error

    def _run(self) -> None:
        while not self._closed:
            try:
                with self._listener.accept() as connection:
                    self._serve(connection)
            except (OSError, EOFError):
                continue

    def _serve(self, connection: Connection) -> None:
        if not connection.poll(ANSWER_S):
            return  # somebody who says nothing must not keep the next one waiting
        wish = connection.recv_bytes(MAX_BYTES).decode("ascii", errors="replace")
        if wish in WISHES:
            self._heard(wish)
            connection.send_bytes(b"ok")
        else:
            connection.send_bytes(b"unknown")


HINT = "Set XDG_RUNTIME_DIR to a folder of yours, or free some space there."


def _lock(where: str) -> int | None:
    """A lock beside the socket, held as long as the process lives; a named pipe needs none: its name is exclusive."""
    if sys.platform == "win32":
        return None
    import fcntl

    path = Path(where).with_suffix(".lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise InstanceError(f"The folder {path.parent} cannot be used ({error.strerror or error}).", HINT) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise InstanceError("Fingerpost is already running here.", "Use its tray icon, or its hotkey.") from error
    return descriptor
