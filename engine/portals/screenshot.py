"""A picture of the whole desktop through the Screenshot portal."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from fingerpost.engine.portals.bus import DIALOGUE_S, ask
from fingerpost.engine.portals.errors import PortalError
from fingerpost.engine.portals.request import request

INTERFACE = "org.freedesktop.portal.Screenshot"


def take() -> bytes:
    """A picture file's content. The file that the portal leaves behind, often readable for everybody, is deleted.

    Raises `RefusedError` when the user says no, and `PortalError`.
    """
    from dbus_fast import Variant

    options = {"interactive": Variant("b", False)}
    results = ask(lambda bus: request(bus, INTERFACE, "Screenshot", "sa{sv}", "", options), DIALOGUE_S)
    file = path_of(str(results.get("uri", "")))
    try:
        return file.read_bytes()
    except OSError as error:
        raise PortalError("The desktop's screenshot cannot be read.", "Try again.") from error
    finally:
        with suppress(OSError):
            file.unlink()


def path_of(uri: str) -> Path:
    """The file of a file: URI. Raises `PortalError` for any other."""
    if not uri.startswith("file:///"):
        raise PortalError("The desktop's screenshot is not a file.", "Try again.")
    plain = re.sub(rb"%([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), uri.removeprefix("file://").encode())
    return Path(plain.decode("utf-8", "surrogateescape"))
