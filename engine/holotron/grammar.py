"""The form of an answer, `{"x": 552, "y": 404}`, and which tokens keep to it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fingerpost.engine.errors import ModelError

SPACE = " "
LETTERS = frozenset('{}"xy:,. 0123456789')
DIGITS = "0123456789."


@dataclass(frozen=True)
class Number:
    """0..most, whole or with so many decimals; no zeros in front."""

    most: int
    decimals: int = 0

    def may_begin(self, text: str) -> bool:
        """Whether a number may go on from `text`, or end there."""
        whole, dot, rest = text.partition(".")
        if dot and (self.decimals == 0 or not whole):
            return False
        if len(rest) > self.decimals or "." in rest or (whole.startswith("0") and whole != "0"):
            return False
        return not whole or float(f"{whole}.{rest or 0}") <= self.most

    def reach(self, text: str, has_ended: bool) -> tuple[float, float]:
        """The least and the most that a number can become which begins with `text`."""
        low = float(text)
        if has_ended:
            return low, low
        if "." in text:
            return low, min(self.most, low + 10.0 ** -len(text.partition(".")[2]))
        high, width = low, 1
        while low > 0 and low * 10 * width <= self.most:
            width *= 10
            high = min(self.most, low * width + width - 1)
        return low, min(self.most, high + (1 if self.decimals else 0))

    def written(self, share: float) -> str:
        """The number at this share of the range, 0..1."""
        return f"{share * self.most:.{self.decimals}f}"

    def may_end(self, text: str) -> bool:
        return bool(text) and not text.endswith(".") and self.may_begin(text)


@dataclass(frozen=True)
class Form:
    """`{"x": <number>, "y": <number>}`; a space behind a colon or a comma may be left out, as the model likes."""

    x: Number
    y: Number

    def matches(self, text: str) -> bool:
        """Whether the text is a whole answer."""
        return self._consume(text) == ""

    def may_begin(self, text: str) -> bool:
        """Whether an answer can begin so."""
        return self._consume(text) is not None

    def point(self, text: str) -> tuple[float, float]:
        """x and y of a whole answer."""
        values = json.loads(text)
        return float(values["x"]), float(values["y"])

    def written(self, x: float, y: float) -> str:
        """The answer that means a place; x and y as shares of the picture, 0..1."""
        return f'{{"x": {self.x.written(x)}, "y": {self.y.written(y)}}}'

    def _consume(self, text: str) -> str | None:
        """ "" for a whole answer, what is open for the beginning of one, None for anything else."""
        for part in ("{", '"x"', ":", SPACE, self.x, ",", SPACE, '"y"', ":", SPACE, self.y, "}"):
            if isinstance(part, Number):
                number = text[: len(text) - len(text.lstrip(DIGITS))]
                text = text[len(number) :]
                if not text:
                    return "open" if part.may_begin(number) else None
                if not part.may_end(number):
                    return None
            elif text.startswith(part):
                text = text[len(part) :]
            elif part != SPACE:
                return "open" if part.startswith(text) else None
        return None if text else ""


@dataclass(frozen=True)
class Vocabulary:
    """The tokens that an answer can consist of: id → text. Made once a model."""

    pieces: dict[int, str]
    _allowed: dict[tuple[Form, str], npt.NDArray[np.int64]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, pieces: Iterable[bytes]) -> Vocabulary:
        """From the bytes of all tokens, in the order of their ids. Raises `ModelError` when digits are missing."""
        texts = ((token, piece.decode("latin-1")) for token, piece in enumerate(pieces) if piece)
        found = {token: text for token, text in texts if LETTERS.issuperset(text)}
        if not LETTERS.issubset("".join(found.values())):
            raise ModelError("This model's vocabulary cannot write coordinates.", "Choose another model.")
        return cls(found)

    def allowed(self, form: Form, text: str) -> npt.NDArray[np.int64]:
        """The tokens with which an answer can go on behind `text`, ascending. Never empty while it is not whole."""
        key = (form, text)
        if key not in self._allowed:
            if len(self._allowed) > 20000:
                self._allowed.clear()
            fitting = [token for token, piece in self.pieces.items() if form.may_begin(text + piece)]
            self._allowed[key] = np.array(fitting, np.int64)
        return self._allowed[key]
