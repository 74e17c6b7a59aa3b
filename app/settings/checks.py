"""Which values of a settings file make sense."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from fingerpost.app.hotkeys.chord import Chord, ChordError
from fingerpost.app.settings.values import ACTIONS, MAX_DAYS, MAX_THREADS, THEMES, Settings
from fingerpost.app.text import LANGUAGES


def understood(content: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The values of `content` that fit `Settings`, by field; and the names of those that do not."""
    values: dict[str, Any] = {}
    wrong = []
    for field in dataclasses.fields(Settings):
        if field.name not in content:
            continue
        value = content[field.name]
        if CHECKS[field.name](value):
            values[field.name] = tuple(value) if isinstance(value, list) else value
        else:
            wrong.append(field.name)
    return values, wrong


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _string(value: object) -> bool:
    return isinstance(value, str)


def _strings(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _one_of(*allowed: object) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str | None) and value in allowed


def _number(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _hotkey(value: object) -> bool:
    try:
        return isinstance(value, str) and str(Chord.parse(value)) != ""
    except ChordError:
        return False


CHECKS: dict[str, Callable[[object], bool]] = {
    "accessibility": _flag,
    "language": _one_of("", *LANGUAGES),
    "theme": _one_of(*THEMES),
    "reduced_motion": lambda value: value is None or _flag(value),
    "hotkey": _hotkey,
    "engine": _string,
    "model": _string,
    "threads": _number(1, MAX_THREADS),
    "action": _one_of(*ACTIONS),
    "allowed_apps": _strings,
    "dry_run": _flag,
    "excluded_apps": _strings,
    "excluded_titles": _strings,
    "history": _flag,
    "history_pictures": _flag,
    "history_days": _number(0, MAX_DAYS),
    "dim": _flag,
    "start_at_login": _flag,
    "first_run_done": _flag,
}
"""Field of `Settings` → whether a value read from a file may be used for it."""
