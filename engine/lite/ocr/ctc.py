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


NOTHING = Reading("", (), 0.0)


def decode(probabilities: Probabilities, characters: npt.NDArray[np.str_]) -> Reading:
    """The best path: the likeliest class at each step, repetitions joined, blanks dropped."""
    best = probabilities.argmax(axis=1)
    starts = np.flatnonzero(np.diff(best, prepend=-1))
    stops = np.append(starts[1:], len(best))
    kept = best[starts] != 0
    starts, stops = starts[kept], stops[kept]
    if not len(starts):
        return NOTHING
    likeliest = probabilities.max(axis=1)
    score = np.mean([likeliest[start:stop].max() for start, stop in zip(starts, stops, strict=True)])
    return Reading("".join(characters[best[starts]]), tuple(((starts + stops) / 2).tolist()), float(score))
