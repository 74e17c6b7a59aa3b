"""Which keys type a text: those the keyboard has, and spare ones given a meaning for as long as it takes.

Pure arithmetic on X11's table of keys: for each key code its symbols, two for each layout (plain, with Shift).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fingerpost.engine.errors import InputError

UNICODE = 0x01000000
"""X11's symbol of a character outside of Latin-1 is its number with this bit."""
NAMED = {"\n": 0xFF0D, "\t": 0xFF09}  # Return and Tab

Keyboard = Mapping[int, Sequence[int]]
"""Key code → symbols; 0 where a key has none."""


@dataclass(frozen=True)
class Stroke:
    """One key to press, with or without Shift."""

    code: int
    shift: bool = False


@dataclass(frozen=True)
class Batch:
    """Keys to press in order, once the spare ones in `extra` (key code → symbol) have got their meaning."""

    strokes: tuple[Stroke, ...]
    extra: Mapping[int, int]


def symbol(character: str) -> int:
    """X11's number for a character. Raises `InputError` for control characters, which mean something else as keys."""
    number = ord(character)
    if character in NAMED:
        return NAMED[character]
    if number < 0x20 or 0x7F <= number < 0xA0:
        raise InputError("The text has a control character, which cannot be typed.", "Type it without that character.")
    return number if number <= 0xFF else UNICODE | number


def batches(text: str, keyboard: Keyboard, group: int = 0) -> list[Batch]:
    """The keys that type `text` while the layout number `group` is on.

    A text with more different characters than there are spare keys needs several batches. Raises `InputError` for
    control characters, and when a character is on no key and no key is spare.
    """
    direct = strokes_of(keyboard, group)
    spare = spare_codes(keyboard)
    done: list[Batch] = []
    strokes: list[Stroke] = []
    extra: dict[int, int] = {}  # symbol → key code
    for character in text.replace("\r\n", "\n").replace("\r", "\n"):
        wanted = symbol(character)
        if wanted not in direct and wanted not in extra:
            if len(extra) == len(spare):
                done.append(_batch(strokes, extra))
                strokes, extra = [], {}
            if not spare:
                raise InputError(f"The keyboard cannot type “{character}”.", "Paste the text instead.")
            extra[wanted] = spare[len(extra)]
        strokes.append(direct[wanted] if wanted in direct else Stroke(extra[wanted]))
    done.append(_batch(strokes, extra))
    return [batch for batch in done if batch.strokes]


def strokes_of(keyboard: Keyboard, group: int) -> dict[int, Stroke]:
    """Symbol → the key that types it while layout number `group` is on; the lowest key code of several."""
    found: dict[int, Stroke] = {}
    for code in sorted(keyboard):
        plain, shifted = _pair(keyboard[code], group)
        if plain:
            found.setdefault(plain, Stroke(code))
        if shifted:
            found.setdefault(shifted, Stroke(code, shift=True))
    return found


def spare_codes(keyboard: Keyboard) -> list[int]:
    """Key codes without any symbol, the highest first: low ones are on real keyboards."""
    return [code for code in sorted(keyboard, reverse=True) if not any(keyboard[code])]


def _pair(symbols: Sequence[int], group: int) -> tuple[int, int]:
    """The symbols without and with Shift in a layout; the first layout's for a key the other says nothing of."""
    own = (*symbols[2 * group : 2 * group + 2], 0, 0)[:2]
    plain, shifted = own if any(own) else (*symbols[:2], 0, 0)[:2]
    if not shifted and plain <= 0xFF and chr(plain).isalpha() and len(chr(plain).upper()) == 1:
        return plain, ord(chr(plain).upper())  # one symbol alone stands for both cases of a letter (core protocol)
    return plain, shifted


def _batch(strokes: Sequence[Stroke], extra: Mapping[int, int]) -> Batch:
    return Batch(tuple(strokes), {code: number for number, code in extra.items()})
