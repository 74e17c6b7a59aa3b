"""What portals hand out so that they need not ask again: one token a portal, in the user's state folder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import platformdirs


def load(name: str) -> str:
    """The token kept under `name`, "" when there is none."""
    with suppress(OSError, UnicodeDecodeError):
        return _file(name).read_text("utf-8")
    return ""


def save(name: str, token: str) -> None:
    """Keep a token, readable for the user only; "" forgets it. A folder that cannot be written means asking again."""
    file = _file(name)
    with suppress(OSError):
        if not token:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_suffix(".new")
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as handle:
            handle.write(token)
        beside.replace(file)


def _file(name: str) -> Path:
    return platformdirs.user_state_path("fingerpost") / f"{name}.token"
