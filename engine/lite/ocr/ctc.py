"""Turns the recogniser's output into characters (CTC, best path)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Probabilities = npt.NDArray[np.float32]
"""Shape (steps, classes): class 0 is the blank."""


@dataclass(frozen=True)
class Reading:
    """What one picture of a line says.

    x      for each character the middle of the steps that show it, counted from the left edge of the first
    score  mean probability of the characters, 0..1; 0 when there are none
    """

    text: str
    x: tuple[float, ...]
    score: float


LOOKALIKES = {"0": "o", "1": "lI", "|": "lI"}
"""Signs and the letters they are taken for. Not O for 0: the network cannot tell them, and A0 is a word too."""

DOUBT = 0.05  # probability of the letter from which on it is taken; at true digits it is below 0.005

NOTHING = Reading("", (), 0.0)


def decode(
    probabilities: Probabilities, characters: npt.NDArray[np.str_], best: npt.NDArray[np.intp] | None = None
) -> Reading:
    """The best path: the likeliest class at each step, repetitions joined, blanks dropped.

    best  the likeliest classes, for who knows them: looking for them is most of the work
    Next to a letter, a sign that looks like a letter is taken for it unless the network is all but sure.
    """
    best = probabilities.argmax(axis=1) if best is None else best
    starts = np.flatnonzero(np.diff(best, prepend=-1))
    stops = np.append(starts[1:], len(best))
    kept = best[starts] != 0
    starts, stops = starts[kept], stops[kept]
    if not len(starts):
        return NOTHING
    score = np.maximum.reduceat(probabilities[np.arange(len(best)), best], starts).mean()
    text = characters[best[starts]].tolist()
    for index, sign in enumerate(text):
        if sign in LOOKALIKES and _in_a_word(text, index):
            text[index] = _letter_for(sign, probabilities[starts[index] : stops[index]].max(axis=0), characters)
    return Reading("".join(text), tuple(((starts + stops) / 2).tolist()), float(score))


def _in_a_word(text: list[str], index: int) -> bool:
    """Whether a letter stands beside the sign at `index`, and no digit."""
    around = text[max(0, index - 1) : index] + text[index + 1 : index + 2]
    return any(sign.isalpha() for sign in around) and not any(sign.isdigit() for sign in around)


def _letter_for(sign: str, peak: Probabilities, characters: npt.NDArray[np.str_]) -> str:
    letters = np.flatnonzero(np.isin(characters, list(LOOKALIKES[sign])))
    likeliest = letters[peak[letters].argmax()] if len(letters) else 0
    return str(characters[likeliest]) if peak[likeliest] >= DOUBT and likeliest else sign
