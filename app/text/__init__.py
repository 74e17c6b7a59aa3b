"""All words the desktop application shows, by key: `text("palette.placeholder")`.

One TOML file a language lies beside this one; English is complete by definition and stands in for a missing entry.
A value in braces is filled in: `text("overlay.took", ms=120)`. A key with "one" and "other" forms is chosen by `count`.
"""

from __future__ import annotations

import locale
import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español", "pt": "Português"}

_speaking = ["en"]  # the language in use; one process speaks one


def use(language: str = "") -> str:
    """Speak `language` from now on; "" or an unknown one means the system's, else English. Returns the one in use."""
    wanted = language or system_language()
    _speaking[0] = wanted if wanted in LANGUAGES else "en"
    return _speaking[0]


def system_language() -> str:
    """The two letters of the system's language."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value[:2].lower()
    return (locale.getlocale()[0] or "en")[:2].lower()


def text(key: str, **values: Any) -> str:
    """The words for `key` with `values` filled in. Raises `KeyError` for a key that no language has."""
    entries = catalog(_speaking[0])
    name = _plural(key, values.get("count")) if "count" in values else key
    found = entries.get(name) or catalog("en").get(name) or catalog("en")[key]
    return found.format(**values)


def _plural(key: str, count: Any) -> str:
    return f"{key}.one" if count == 1 else f"{key}.other"


@cache
def catalog(language: str) -> dict[str, str]:
    """All entries of a language: dotted key → words."""
    tree = tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text("utf-8"))
    return dict(_flat(tree, ""))


def _flat(tree: dict[str, Any], prefix: str) -> list[tuple[str, str]]:
    entries: list[tuple[str, str]] = []
    for name, value in tree.items():
        if isinstance(value, dict):
            entries += _flat(value, f"{prefix}{name}.")
        else:
            entries.append((prefix + name, value))
    return entries
