"""The text side of the icon model: names to concepts or vectors, and how well they fit an icon's vector."""

from __future__ import annotations

import io
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fingerpost.models.icons.vocabulary import words

Floats = npt.NDArray[np.float32]

_LEAST_KNOWN = 0.6  # of a name's words; with fewer known ones the model has no opinion

# How often a longer name is drawn as what it begins with: a guess, kept low so that it does not decide alone.
_BY_BEGINNING = 0.1
_LEADS = frozenset(("show", "on", "display", "mostrar", "exibir", "anzeigen"))
"""Words before a name that leave its meaning: "show extended settings", "on the gear" of "click on the gear"."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Natural logarithms of the probability that each icon shows what a name says.

    exact   the whole name is listed as a name of concepts; otherwise the words' vectors tell, which is less sure
    """

    log_probability: Floats  # (n,)
    exact: bool


class NameTable:
    """Reads `words.npz`, see README.md for its arrays."""

    def __init__(self, content: bytes) -> None:
        with np.load(io.BytesIO(content)) as arrays:
            self.concepts: tuple[str, ...] = tuple(str(key) for key in arrays["concepts"])
            vectors = arrays["vectors"].astype(np.float32) * arrays["steps"]
            self._words = dict(zip((str(word) for word in arrays["words"]), vectors, strict=True))
            self._concept_vectors = arrays["concept_vectors"].astype(np.float32)
            self._scale = float(arrays["scale"])
            names: defaultdict[str, list[int]] = defaultdict(list)
            for name, concept in zip(arrays["names"], arrays["name_concepts"], strict=True):
                names[str(name)].append(int(concept))
        self._names = dict(names)

    @property
    def dimensions(self) -> int:
        return int(self._concept_vectors.shape[1])

    def concept_log_probabilities(self, icons: Floats) -> Floats:
        """Shape (n, concepts), for icon vectors of shape (n, d)."""
        logits = self._concept_logits(icons)
        return logits - _log_sum(logits)[:, None]

    def fit(self, name: str, icons: Floats) -> Fit | None:
        """How well a name fits icon vectors of shape (n, d); None when it has too many unknown words.

        A name that is not listed but begins with a listed one ("delete this brush") may show either: icons of such
        commands often show the verb alone.
        """
        split = words(name)
        concepts = self.concept_log_probabilities(icons)
        listed = self._names.get(" ".join(split)) or self._names.get(" ".join(_without_lead(split)))
        if listed:
            return Fit(_log_sum(concepts[:, listed]), True)
        readings = []
        beginning = self._beginning(split)
        if beginning:
            readings.append(_log_sum(concepts[:, beginning]) + np.float32(np.log(_BY_BEGINNING)))
        vector = self._vector(split)
        if vector is not None:
            own = icons @ vector * self._scale
            own -= np.logaddexp(own, _log_sum(self._concept_logits(icons)))
            readings.append(own + np.float32(np.log(1 - _BY_BEGINNING)))
        if not readings:
            return None
        return Fit(_log_sum(np.stack(readings, axis=-1)), False)

    def _beginning(self, split: tuple[str, ...]) -> list[int]:
        """The concepts of the longest listed name that the words begin with."""
        for count in range(len(split) - 1, 0, -1):
            if concepts := self._names.get(" ".join(split[:count])):
                return concepts
        return []

    def _concept_logits(self, icons: Floats) -> Floats:
        return np.asarray(icons @ self._concept_vectors.T * self._scale, np.float32)

    def _vector(self, split: tuple[str, ...]) -> Floats | None:
        known = [self._words[word] for word in split if word in self._words]
        if len(known) < max(1.0, _LEAST_KNOWN * len(split)):
            return None
        total = np.sum(known, axis=0, dtype=np.float32)
        return np.asarray(total / max(1e-6, float(np.linalg.norm(total))), np.float32)


def _log_sum(logits: Floats) -> Floats:
    """The logarithm of the sum of exponentials along the last axis."""
    top = logits.max(-1, keepdims=True)
    return np.asarray(np.log(np.exp(logits - top).sum(-1)) + top[..., 0], np.float32)


def _without_lead(split: tuple[str, ...]) -> tuple[str, ...]:
    return split[1:] if split and split[0] in _LEADS else split
