"""A key with its modifiers, as people write it: "Ctrl+Alt+Space"."""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.engine.errors import UsageError

MODIFIERS = ("Ctrl", "Alt", "Shift", "Super")
"""In the order in which they are written."""

ALIASES = {
    "control": "Ctrl", "strg": "Ctrl", "ctl": "Ctrl", "option": "Alt", "umschalt": "Shift", "win": "Super",
    "windows": "Super", "meta": "Super", "cmd": "Super", "command": "Super", "esc": "Escape", "return": "Enter",
    "spacebar": "Space", "leertaste": "Space", "del": "Delete", "ins": "Insert", "pgup": "PageUp", "pgdn": "PageDown",
}  # fmt: skip
NAMED_KEYS = (
    "Space", "Enter", "Tab", "Escape", "Backspace", "Delete", "Insert", "Home", "End", "PageUp", "PageDown",
    "Left", "Right", "Up", "Down", "Pause", "Print", *(f"F{n}" for n in range(1, 25)),
)  # fmt: skip
BY_LOWER = {name.lower(): name for name in (*MODIFIERS, *NAMED_KEYS)}


class ChordError(UsageError):
    """Not a chord, or one that would take a key away from typing."""


@dataclass(frozen=True)
class Chord:
    """`modifiers` in the order of `MODIFIERS`; `key` one of `NAMED_KEYS` or one printable character, upper case."""

    modifiers: tuple[str, ...]
    key: str

    @staticmethod
    def parse(written: str) -> Chord:
        """Read "ctrl + alt + space". Raises `ChordError`."""
        parts = _parts(written)
        names = [_name(part, written) for part in parts]
        keys = [name for name in names if name not in MODIFIERS]
        if len(keys) != 1 or names[-1] != keys[0]:
            raise ChordError(f"“{written}” is not one key with modifiers.", "Write it like Ctrl+Alt+Space.")
        held = tuple(name for name in MODIFIERS if name in names)
        if not set(held) - {"Shift"} and not keys[0].startswith("F"):
            raise ChordError(f"“{written}” would take a key away from typing.", "Add Ctrl, Alt or Super to it.")
        return Chord(held, keys[0])

    def __str__(self) -> str:
        return "+".join((*self.modifiers, self.key))


def _parts(written: str) -> list[str]:
    """Cut at the plus signs; a second one at the end is the key itself."""
    bare = written.strip()
    before = bare[:-1].rstrip()
    if bare.endswith("+") and before.endswith("+"):
        return [*(part.strip() for part in before[:-1].split("+")), "+"]
    return [part.strip() for part in bare.split("+")]


def _name(part: str, written: str) -> str:
    lower = part.lower()
    known = ALIASES.get(lower) or BY_LOWER.get(lower)
    if known:
        return known
    if len(part) == 1 and part.isprintable() and len(part.upper()) == 1:
        return part.upper()
    raise ChordError(f"“{written}” names no key: “{part}”.", "Write it like Ctrl+Alt+Space.")
