"""The user's choices on disk: one JSON file, written whole or not at all.

What is in the file and not understood (a key of a newer version, say) stays in it. Nothing is ever thrown away: a
damaged file is kept beside the new one as `settings.damaged-<n>.json`.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs

from fingerpost.app.settings.checks import understood
from fingerpost.app.settings.values import Settings
from fingerpost.app.text import text
from fingerpost.engine.errors import FingerpostError

VERSION = 1

MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""Version of a file → what turns its content into that of the next version."""


class SettingsError(FingerpostError):
    """The choices cannot be kept on disk."""


def default_path() -> Path:
    """Where this user's choices are kept. Nothing is created."""
    return platformdirs.user_config_path("fingerpost", appauthor=False) / "settings.json"


def load(path: Path | None = None) -> tuple[Settings, str | None]:
    """The kept choices, the defaults where there are none; and what was wrong, in sentences of the language in use.

    Never raises: a program that cannot read its settings still has to start.
    """
    file = path or default_path()
    try:
        content = _read(file)
    except FileNotFoundError:
        return Settings(), None
    except OSError:
        return Settings(), text("settings.problem.unreadable", path=file)
    except ValueError:
        return Settings(), _set_aside(file)
    values, wrong = understood(_migrated(content))
    problem = text("settings.problem.values", names=", ".join(wrong)) if wrong else None
    return Settings(**values), problem


def save(settings: Settings, path: Path | None = None) -> None:
    """Keep `settings`. Raises `SettingsError` when that is impossible; the file is then as it was."""
    file = (path or default_path()).resolve()  # a link stays a link
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _replace(file, _merged(file, settings))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        message = text("settings.problem.not_saved", path=file, reason=reason)
        raise SettingsError(message, text("settings.problem.not_saved_hint")) from error


def _merged(file: Path, settings: Settings) -> dict[str, Any]:
    """The content to write: what is in the file, with `settings` on top. Raises `OSError`."""
    try:
        before = _migrated(_read(file))
    except FileNotFoundError:
        before = {}
    except ValueError:
        _rescue(file, Path.rename)
        before = {}
    if understood(before)[1]:  # values that are about to be replaced by ones that make sense
        _rescue(file, shutil.copyfile)
    version = before.get("version")
    newer = version if type(version) is int and version > VERSION else VERSION
    return before | dataclasses.asdict(settings) | {"version": newer}


def _read(file: Path) -> dict[str, Any]:
    """The file's content. Raises `OSError`, or `ValueError` when it is damaged."""
    try:
        content = json.loads(file.read_text("utf-8-sig"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(content, dict):
        raise ValueError("not an object")
    return content


def _migrated(content: dict[str, Any]) -> dict[str, Any]:
    """`content` as a file of this version, or of a newer one, which is read as far as it is understood."""
    version = content.get("version")
    number = version if type(version) is int else VERSION
    while number in MIGRATIONS:
        content = MIGRATIONS[number](content)
        number += 1
    return content


def _set_aside(file: Path) -> str:
    """Keep the damaged file under another name; the sentence that says so."""
    try:
        kept = _rescue(file, Path.rename)
    except OSError:
        return text("settings.problem.unreadable", path=file)
    return text("settings.problem.damaged", path=kept)


def _rescue(file: Path, move: Callable[[Path, Path], object]) -> Path:
    """Move or copy the file to the first free name. Raises `OSError`."""
    number = 1
    while (kept := file.with_name(f"{file.stem}.damaged-{number}{file.suffix}")).exists():
        number += 1
    move(file, kept)
    return kept


def _replace(file: Path, content: dict[str, Any]) -> None:
    """Write beside the file, then put it in its place: a reader sees the old content or the new. Raises `OSError`."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(content, stream, indent=2)
            stream.write("\n")
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
