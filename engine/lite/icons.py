"""Tells what icons without text show, by a small network, and ranks them by a name.

A box is cut out, trimmed to what is drawn in it, and turned into a vector; a name is turned into a vector of the same
space, or into the concepts that it names (see models/icons/README.md). The score compares the name with everything
else the icon could show: a crop that clearly shows "bold" does not fit "reload", even where nothing fits it better.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xxhash

from fingerpost.engine.lite.icon_crops import crop_icon, cut
from fingerpost.engine.lite.missing_glyphs import shows_missing_glyphs
from fingerpost.engine.lite.network import Network, read_model
from fingerpost.engine.values import Box, Frame
from fingerpost.models.icons.names import Fit, NameTable

Vectors = npt.NDArray[np.float32]
"""Shape (n, 128), each of length 1."""

CONFIDENT = 0.6
"""Scores from here on are worth an answer; below, nearly all are wrong."""

_CACHED = 4096  # crops; 512 bytes each
_BATCH = 64
# Weights of a constant, the log probability and the lead over the best other icon: a logistic regression on screens of
# held-out icon sets, half of which lack what is asked for (models/icons/training/evaluate.py prints them).
_LISTED_WEIGHTS = (1.082, 0.803, 0.224)
_OTHER_WEIGHTS = (-0.06, 0.482, 0.372)
_LARGEST_LEAD = 8.0  # natural logarithm


@dataclass(frozen=True, eq=False)
class IconScores:
    """How well each box fits a name.

    known   the name is made of words the model knows; otherwise it has no opinion and all scores are 0
    scores  shape (n,), 0..1: how probable it is that this box is meant, the others considered
    margin  the best score minus the second, 0 when there are fewer than two boxes
    """

    known: bool
    scores: npt.NDArray[np.float32]
    margin: float


class IconReader:
    """Reads icons. One instance serves one thread; icons seen before are not computed again.

    Raises `ModelError` when the model's files cannot be used.
    """

    def __init__(self, threads: int = 1) -> None:
        self._encoder = Network("icons/encoder.onnx", threads)
        self._names = NameTable(read_model("icons/words.npz"))
        self._cache: OrderedDict[bytes, Vectors] = OrderedDict()

    def describe(self, frame: Frame, boxes: Sequence[Box]) -> Vectors:
        """One vector for each box. A box may stand over the frame's edge.

        Zeros for an empty box, and for one that shows only the frames drawn for characters that no font has.
        """
        vectors = np.zeros((len(boxes), self._names.dimensions), np.float32)
        missing: list[tuple[int, bytes, npt.NDArray[np.uint8]]] = []
        for i, box in enumerate(boxes):
            pixels = cut(frame, box)
            if not pixels.size:
                continue
            key = xxhash.xxh3_128_digest(pixels.tobytes()) + bytes(str(pixels.shape), "ascii")
            known = self._cache.get(key)
            if known is None and shows_missing_glyphs(pixels):
                self._cache[key] = np.zeros_like(vectors[i])
            elif known is None:
                missing.append((i, key, crop_icon(pixels)))
            else:
                self._cache.move_to_end(key)
                vectors[i] = known
        for start in range(0, len(missing), _BATCH):
            part = missing[start : start + _BATCH]
            computed = self._encoder(np.stack([crop for _, _, crop in part]).astype(np.float32))
            for (i, key, _), vector in zip(part, computed, strict=True):
                vectors[i] = self._cache[key] = vector
        while len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        return vectors

    def rank(self, name: str, vectors: Vectors) -> IconScores:
        """How well each of the described boxes fits the name ("reload", "the gear icon", "ruckgangig")."""
        fit = self._names.fit(name, vectors)
        if fit is None or not len(vectors):
            return IconScores(fit is not None, np.zeros(len(vectors), np.float32), 0.0)
        logits = _logits(fit)
        logits[~vectors.any(1)] = -np.inf  # empty boxes
        scores = 1 / (1 + np.exp(-logits))
        best = np.sort(scores)[::-1]
        return IconScores(True, scores.astype(np.float32), float(best[0] - best[1]) if len(best) > 1 else 0.0)

    def concepts(self, vector: npt.NDArray[np.float32], k: int = 3) -> list[tuple[str, float]]:
        """The k likeliest concepts of an icon with their probabilities, likeliest first."""
        probabilities = np.exp(self._names.concept_log_probabilities(vector[None])[0])
        order = np.argsort(probabilities)[::-1][:k]
        return [(self._names.concepts[i], float(probabilities[i])) for i in order]


def _logits(fit: Fit) -> npt.NDArray[np.float64]:
    """The score of each box before the logistic function."""
    constant, by_probability, by_lead = _LISTED_WEIGHTS if fit.exact else _OTHER_WEIGHTS
    log_p = fit.log_probability.astype(np.float64)
    lead = np.zeros(len(log_p))
    if len(log_p) > 1:
        best, second = np.argsort(-log_p)[:2]
        rival = np.full(len(log_p), log_p[best])
        rival[best] = log_p[second]
        lead = np.clip(log_p - rival, -_LARGEST_LEAD, _LARGEST_LEAD)
    return np.asarray(constant + by_probability * log_p + by_lead * lead)
