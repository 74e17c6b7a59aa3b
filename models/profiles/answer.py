"""The form in which a model answers a place: a text such as `click({x}, {y})`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

DIGITS = "0123456789."
"""What numbers consist of."""
AXES = ("x", "y")
_PLACE = re.compile(r"\{([xy])\}")
_TOUCHING = re.compile(r"[0-9.]\{[xy]\}|\{[xy]\}([0-9.]|\{[xy]\})")
_WORDS = re.compile(r"(\s*)(\{[xy]\}|\w+|[^\w\s])")
_NUMBER = r"-?\d+(?:\.\d+)?"


@dataclass(frozen=True)
class AnswerForm:
    """`before`, a number, `between`, another number, `after`; `order` says which of them is x."""

    before: str
    between: str
    after: str
    order: tuple[str, str] = AXES

    @classmethod
    def of(cls, text: str) -> AnswerForm:
        """From a text with `{x}` and `{y}`. Raises `ValueError` when a number in it could not be told for certain."""
        parts = _PLACE.split(text)
        if sorted(parts[1::2]) != list(AXES):
            raise ValueError("an answer has {x} and {y}, each once")
        before, first, between, second, after = parts
        if not after:
            raise ValueError("something must end an answer behind its last number")
        if _TOUCHING.search(text):
            raise ValueError("no digit, dot or number may touch a number of an answer")
        if text != text.strip(" ") or "  " in text:
            raise ValueError("an answer has single spaces, and none around it")
        if not text.isascii():
            raise ValueError("an answer is written in ASCII")
        return cls(before, between, after, (first, second))

    @property
    def text(self) -> str:
        """As the profile has it."""
        return self.filled("{x}", "{y}")

    @property
    def letters(self) -> frozenset[str]:
        """All that answers are written with."""
        return frozenset(f"{self.before}{self.between}{self.after} {DIGITS}")

    def filled(self, x: str, y: str) -> str:
        """The answer with these numbers."""
        first, second = (x, y) if self.order == AXES else (y, x)
        return f"{self.before}{first}{self.between}{second}{self.after}"

    def as_json(self) -> object:
        """The answer's JSON, with "{x}" and "{y}" as its numbers. Raises `ValueError` when it is none."""
        value: object = json.loads(self.filled('"{x}"', '"{y}"'))
        return value

    def ends(self, text: str) -> bool:
        """Whether a whole answer has just ended in a text that nothing held to the form."""
        return text.endswith(self.after[-1]) and _read(self._pattern, text) is not None

    def place_in(self, text: str) -> tuple[float, float] | None:
        """x and y in a text that nothing held to the form; None when there are none.

        An answer in the form, whatever its spaces; or else names and numbers, `x = 5, y = 7`, or a pair, `(5, 7)`, in
        the form's order.
        """
        first, second = self.order
        named = rf'"?\b{first}"?\s*[:=]\s*{{{first}}}.*?"?\b{second}"?\s*[:=]\s*{{{second}}}'
        pair = rf"{{{first}}}\s*,\s*{{{second}}}"
        found = (_read(pattern, text) for pattern in (self._pattern, named, pair))
        return next((place for place in found if place), None)

    @property
    def _pattern(self) -> str:
        """Between words, dots and numbers that a space parts there must be one; elsewhere there may be some."""
        pattern, before = "", ""
        for space, word in _WORDS.findall(self.text):
            parted = space and _is_word(before) and _is_word(word)
            pattern += (r"\s+" if parted else r"\s*") + (word if _PLACE.match(word) else re.escape(word))
            before = word
        return pattern


def _is_word(text: str) -> bool:
    """Whether a number might go on with it: a dot may be a number's."""
    return re.fullmatch(r"\w+|\.|\{[xy]\}", text) is not None


def _read(pattern: str, text: str) -> tuple[float, float] | None:
    """x and y where the text has the pattern; `{x}` and `{y}` in it stand for numbers."""
    found = re.search(_PLACE.sub(lambda place: f"(?P<{place[1]}>{_NUMBER})", pattern), text, re.DOTALL)
    return (float(found["x"]), float(found["y"])) if found else None
