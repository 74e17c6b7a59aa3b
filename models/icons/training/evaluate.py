"""Measures the runtime files on icon sets the model never saw, and fits the confidence to them.

    python -m fingerpost.models.icons.training.evaluate FOLDER

A screen is 25 icons of one set, drawn as on real screens. Half the screens lack what is asked for: the confidence is
how often an answer with such scores is right, on a screen that may or may not show the icon.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
import torch

from fingerpost.models.icons.names import Fit, NameTable
from fingerpost.models.icons.training import dataset
from fingerpost.models.icons.training.augment import Augmenter
from fingerpost.models.icons.training.labels import concept_by_name, concept_of
from fingerpost.models.icons.training.sets import HELD_OUT_SETS
from fingerpost.models.icons.vocabulary import read_concepts, words

MODEL = Path(__file__).parents[1]
_SCREEN = 25  # icons
_OTHERS = 400  # icons without a concept, of each set
_ABSENT = 0.5  # of the screens


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Crops of held-out icons as vectors, with what they show."""

    vectors: npt.NDArray[np.float32]
    concept: npt.NDArray[np.int64]
    sets: npt.NDArray[np.str_]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """One name asked on one screen: log probabilities of the icons, and which is right (-1: none)."""

    fit: Fit
    right: int


def held_out(folder: Path, seed: int) -> HeldOut:
    data, by_name, chosen = dataset.load(folder), concept_by_name(read_concepts()), []
    concept = np.array([concept_of(drawing, by_name) for drawing in data.drawings])
    rng = np.random.default_rng(seed)
    for name in HELD_OUT_SETS:
        own = np.array([i for i, drawing in enumerate(data.drawings) if drawing.set == name])
        chosen += [own[concept[own] >= 0], rng.permutation(own[concept[own] < 0])[:_OTHERS]]
    index = rng.permutation(np.concatenate(chosen))
    crops = Augmenter(data, seed).crops([int(i) for i in index])
    onnxruntime.disable_telemetry_events()
    session = onnxruntime.InferenceSession(MODEL / "encoder.onnx", providers=["CPUExecutionProvider"])
    parts = [
        session.run(None, {"crops": crops[at : at + 256].astype(np.float32)})[0] for at in range(0, len(crops), 256)
    ]
    drawings = [data.drawings[i] for i in index]
    return HeldOut(
        np.concatenate(parts), concept[index], np.array([d.set for d in drawings]), tuple(d.name for d in drawings)
    )


def print_concepts(icons: HeldOut, table: NameTable) -> None:
    """How often the right one of all concepts comes first, or among the first five."""
    own = icons.concept >= 0
    order = np.argsort(-table.concept_log_probabilities(icons.vectors[own]), axis=1)
    hit = order[:, :5] == icons.concept[own][:, None]
    print(f"concept first {hit[:, 0].mean():.3f}, in the first five {hit.any(1).mean():.3f}, of {own.sum()}")
    for name in HELD_OUT_SETS:
        part = hit[icons.sets[own] == name]
        print(f"  {name:18s} {part[:, 0].mean():.2f} {part.any(1).mean():.2f}  of {len(part)}")


def questions(icons: HeldOut, table: NameTable, listed: bool, seed: int) -> Iterator[Question]:
    """Screens for every icon with a concept, asked by one of its names (listed), or else by the icon's own name."""
    chance, concepts = random.Random(seed), read_concepts()
    meanings: dict[tuple[str, ...], set[int]] = {}
    for number, concept in enumerate(concepts):
        for phrase in concept.phrases:
            meanings.setdefault(words(phrase), set()).add(number)
    by_set = {name: np.nonzero(icons.sets == name)[0].tolist() for name in HELD_OUT_SETS}
    for i in np.nonzero((icons.concept >= 0) == listed)[0].tolist():
        name = chance.choice(concepts[icons.concept[i]].phrases) if listed else icons.names[i]
        same = meanings.get(words(name), set())
        if not listed and same:
            continue
        pool = by_set[str(icons.sets[i])]
        others = [j for j in pool if icons.concept[j] not in same and icons.names[j] != icons.names[i]]
        screen = chance.sample(others, _SCREEN)
        present = chance.random() >= _ABSENT
        if present:
            screen[0] = i
        fit = table.fit(name, icons.vectors[screen])
        if fit is not None:
            yield Question(fit, 0 if present else -1)


def features(question: Question) -> tuple[npt.NDArray[np.float64], bool]:
    """What the confidence is computed from for the best icon, and whether it is the right one."""
    log_p = question.fit.log_probability
    order = np.argsort(-log_p)
    return np.array([1.0, log_p[order[0]], log_p[order[0]] - log_p[order[1]]]), bool(order[0] == question.right)


def fit_confidence(asked: Sequence[Question]) -> npt.NDArray[np.float64]:
    """Weights of a logistic regression (constant, log probability, lead over the next icon), by Newton's method."""
    rows = [features(question) for question in asked]
    x, y = np.array([row for row, _ in rows]), np.array([right for _, right in rows], np.float64)
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(hessian, x.T @ (y - p) - 1e-3 * weights)
    return weights


def print_curve(asked: Sequence[Question], weights: npt.NDArray[np.float64]) -> None:
    rows = [features(question) for question in asked]
    confidence = 1 / (1 + np.exp(-np.array([row for row, _ in rows]) @ weights))
    right, present = np.array([r for _, r in rows]), np.array([question.right >= 0 for question in asked])
    print(f"{len(asked)} screens, {present.sum()} show the icon: it comes first on {right[present].mean():.3f}")
    for threshold in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        taken = confidence >= threshold
        correct, wrong, absent = (right & taken)[present], (taken & ~right)[present], taken[~present]
        print(
            f"  at {threshold}: right {correct.mean():.3f}, wrong {wrong.mean():.3f}, though absent {absent.mean():.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="working folder with the drawn icon sets")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    torch.set_num_threads(1)
    table = NameTable((MODEL / "words.npz").read_bytes())
    icons = held_out(options.folder, options.seed)
    print_concepts(icons, table)
    for listed in (True, False):
        asked = list(questions(icons, table, listed, options.seed))
        weights = fit_confidence(asked)
        print("listed names" if listed else "other names", "weights", weights.round(3).tolist())
        print_curve(asked, weights)


if __name__ == "__main__":
    main()
