"""The form of an answer, such as `{"x": 552, "y": 404}`, and which tokens keep to it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fingerpost.engine.errors import ModelError
from fingerpost.models.profiles.answer import AXES, DIGITS, AnswerForm

MAY_SPACE = (":", ",")
"""Behind these a space may stand or not, as the model likes, whatever the form says."""
_PARTED = re.compile("(?<=[:,]) ?")


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
class Begun:
    """What of an answer is there.

    numbers   those it has so far, in the form's order
    is_open   the last of them may go on
    is_whole  nothing is missing
    """

    numbers: tuple[str, ...] = ()
    is_open: bool = False
    is_whole: bool = False


@dataclass(frozen=True)
class Form:
    """A profile's form of answers, with the range of its numbers."""

    x: Number
    y: Number
    answer: AnswerForm

    def matches(self, text: str) -> bool:
        """Whether the text is a whole answer."""
        begun = self._read(text)
        return begun is not None and begun.is_whole

    def may_begin(self, text: str) -> bool:
        """Whether an answer can begin so."""
        return self._read(text) is not None

    def point(self, text: str) -> tuple[float, float]:
        """x and y of a whole answer."""
        begun = self._read(text)
        if begun is None or not begun.is_whole:
            raise ValueError(f"no whole answer: {text}")
        values = dict(zip(self.answer.order, map(float, begun.numbers), strict=True))
        return values["x"], values["y"]

    def written(self, x: float, y: float) -> str:
        """The answer that means a place; x and y as shares of the picture, 0..1."""
        return self.answer.filled(self.x.written(x), self.y.written(y))

    def reach(self, text: str, piece: str) -> tuple[int, float, float] | None:
        """The number that `piece` writes on or ends behind `text` (0: x, 1: y), and the least and most it can become.

        None for a piece that is only form.
        """
        before, after = self._read(text), self._read(text + piece)
        if before is None or after is None:
            raise ValueError(f"no answer begins with {text + piece}")
        number = len(before.numbers) - before.is_open
        if number == len(after.numbers):
            return None
        axis = AXES.index(self.answer.order[number])
        has_ended = number + 1 < len(after.numbers) or not after.is_open
        return axis, *(self.x, self.y)[axis].reach(after.numbers[number], has_ended)

    @cached_property
    def _parts(self) -> tuple[str | Number, ...]:
        """Each text part ends behind a colon or a comma, or at a number."""
        first, second = (self.x, self.y) if self.answer.order == AXES else (self.y, self.x)
        before, between, after = (
            [part for part in _PARTED.split(literal) if part]
            for literal in (self.answer.before, self.answer.between, self.answer.after)
        )
        return (*before, first, *between, second, *after)

    def _read(self, text: str) -> Begun | None:
        """The beginning of an answer; None for what begins none."""
        numbers: tuple[str, ...] = ()
        may_space = False
        for part in self._parts:
            if may_space:
                text = text.removeprefix(" ")
            if isinstance(part, Number):
                number = text[: len(text) - len(text.lstrip(DIGITS))]
                text = text[len(number) :]
                numbers = (*numbers, number) if number else numbers
                if not text:
                    return Begun(numbers, bool(number)) if part.may_begin(number) else None
                if not part.may_end(number):
                    return None
                may_space = False
            elif text.startswith(part):
                text = text[len(part) :]
                may_space = part.endswith(MAY_SPACE)
            else:
                return Begun(numbers) if part.startswith(text) else None
        return None if text else Begun(numbers, is_whole=True)


@dataclass(frozen=True)
class Vocabulary:
    """The tokens that an answer can consist of: id → text. Made once a model."""

    pieces: dict[int, str]
    _allowed: dict[tuple[Form, str], npt.NDArray[np.int64]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, pieces: Iterable[bytes], letters: frozenset[str]) -> Vocabulary:
        """From the bytes of all tokens, in the order of their ids, those of letters that answers are written with.

        Raises `ModelError` when there are none for one of them.
        """
        texts = ((token, piece.decode("latin-1")) for token, piece in enumerate(pieces) if piece)
        found = {token: text for token, text in texts if letters.issuperset(text)}
        if not letters.issubset("".join(found.values())):
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
