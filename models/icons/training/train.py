"""Trains the icon encoder and the word table together, then writes a checkpoint.

    python -m fingerpost.models.icons.training.train FOLDER --build

The loss is the contrastive loss of CLIP (Radford et al., 2021) between crops and texts, where all texts of the same
meaning count as right, plus a cross-entropy over the concepts, each by one of its names drawn at random.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from fingerpost.models.icons.training import dataset
from fingerpost.models.icons.training.augment import Augmenter
from fingerpost.models.icons.training.labels import Label, concept_by_name, label, word_list
from fingerpost.models.icons.training.network import Head, Stem, WordTable
from fingerpost.models.icons.vocabulary import Concept, read_concepts, words

_BATCH = 512
_WARM_UP = 100  # steps
_RARE_COPIES, _CONCEPT_COPIES = 3, 8  # crops of each drawing
_LARGEST_SCALE = 40.0


@dataclass(frozen=True)
class Examples:
    """Features of all training crops, and the drawing each shows."""

    features: torch.Tensor  # (n, 771), float16
    drawing: np.ndarray  # (n,)


class TextSampler:
    """Draws one text for a drawing, and one name for each concept, as word numbers."""

    def __init__(self, concepts: tuple[Concept, ...], numbers: dict[str, int]) -> None:
        uses = Counter(words(phrase) for concept in concepts for phrase in concept.phrases)
        self._names: list[list[tuple[int, ...]]] = []
        self._weights: list[list[float]] = []
        for concept in concepts:
            split = [words(phrase) for phrase in concept.phrases]
            self._names.append([tuple(numbers[word] for word in name) for name in split])
            own = [1.0 if i < concept.english else 1.5 for i in range(len(split))]  # fewer icons teach other languages
            self._weights.append([w if uses[name] == 1 else w / 4 for w, name in zip(own, split, strict=True)])

    def concept(self, number: int) -> tuple[int, ...]:
        return random.choices(self._names[number], self._weights[number])[0]

    def drawing(self, one: Label) -> tuple[int, ...]:
        chance = random.random()
        if (one.concept >= 0 and chance < 0.35) or not one.texts:
            return self.concept(one.concept)
        if chance > 0.78 and len(one.texts) > 1:
            extra = random.choice(one.texts[1:])
            return extra if random.random() < 0.4 else one.texts[0] + extra
        return one.texts[0]

    def all_concepts(self) -> list[tuple[int, ...]]:
        return [self.concept(i) for i in range(len(self._names))]


def make_examples(data: dataset.Dataset, labels: list[Label], seed: int) -> Examples:
    """Random crops of the drawings whose name is a concept or occurs in two sets; a name of one set teaches little."""
    sets: dict[str, set[str]] = {}
    for drawing in data.drawings:
        if not drawing.held_out:
            sets.setdefault(drawing.name, set()).add(drawing.set)
    chosen: list[int] = []
    for i, (drawing, one) in enumerate(zip(data.drawings, labels, strict=True)):
        if drawing.held_out or not (one.texts or one.concept >= 0):
            continue
        if one.concept >= 0 or len(sets[drawing.name]) > 1:
            chosen += [i] * (_CONCEPT_COPIES if one.concept >= 0 else _RARE_COPIES)
    random.Random(seed).shuffle(chosen)
    augmenter, stem = Augmenter(data, seed), Stem().eval()
    features = torch.empty(len(chosen), 771, dtype=torch.float16)
    with torch.no_grad():
        for start in range(0, len(chosen), 1024):
            crops = augmenter.crops(chosen[start : start + 1024])
            features[start : start + 1024] = stem(torch.from_numpy(crops)).half()
            if start % 16384 == 0:
                print(f"crops {start} of {len(chosen)}", flush=True)
    return Examples(features, np.array(chosen))


def contrastive(a: torch.Tensor, b: torch.Tensor, groups: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    same = (groups[:, None] == groups[None]).float()
    rows, columns = same / same.sum(1, keepdim=True), same / same.sum(0, keepdim=True)
    logits = a @ b.t() * scale
    row_loss = -(rows * functional.log_softmax(logits, 1)).sum(1).mean()
    return (row_loss - (columns * functional.log_softmax(logits, 0)).sum(0).mean()) / 2


def train(
    examples: Examples, labels: list[Label], texts: TextSampler, word_count: int, steps: int
) -> tuple[Head, WordTable, float]:
    """The trained networks, and the scale that turns cosines into logits over the concepts."""
    head, table = Head(), WordTable(word_count)
    log_scales = nn.Parameter(torch.full((2,), math.log(14.0)))
    optimiser = torch.optim.AdamW([
        {"params": head.parameters(), "lr": 2e-3, "weight_decay": 0.02},
        {"params": table.parameters(), "lr": 2e-3, "weight_decay": 0.0},
        {"params": [log_scales], "lr": 1e-3, "weight_decay": 0.0},
    ])  # fmt: skip
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step, steps))
    groups = torch.tensor([one.group for one in labels])
    concepts = torch.tensor([one.concept for one in labels])
    order, at, mean = np.random.permutation(len(examples.drawing)), 0, [0.0, 0.0]
    for step in range(steps):
        if at + _BATCH > len(order):
            order, at = np.random.permutation(len(examples.drawing)), 0
        batch = order[at : at + _BATCH]
        at += _BATCH
        shown = examples.drawing[batch]
        vectors = head(examples.features[batch].float())
        described = table([texts.drawing(labels[i]) for i in shown])
        scales = log_scales.exp().clamp(max=_LARGEST_SCALE)
        pairs = contrastive(vectors, described, groups[shown], scales[0])
        target = concepts[shown]
        logits = vectors[target >= 0] @ table(texts.all_concepts()).t() * scales[1]
        named = functional.cross_entropy(logits, target[target >= 0], label_smoothing=0.05)
        optimiser.zero_grad()
        (pairs + named).backward()
        optimiser.step()
        schedule.step()
        mean = [0.98 * old + 0.02 * new.item() for old, new in zip(mean, (pairs, named), strict=True)]
        if step % 100 == 99:
            passes = (step + 1) * _BATCH / len(order)
            print(
                f"step {step + 1}, {passes:.1f} passes, losses {mean[0]:.3f} {mean[1]:.3f}, {scales.tolist()}",
                flush=True,
            )
    return head.eval(), table.eval(), float(log_scales[1].detach().exp().clamp(max=_LARGEST_SCALE))


def _rate(step: int, steps: int) -> float:
    return min(1.0, (step + 1) / _WARM_UP) * (0.5 * (1 + math.cos(math.pi * step / steps)) + 0.005)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="working folder with the downloaded icon sets")
    parser.add_argument("--build", action="store_true", help="draw the icon sets first")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"), help="where DejaVu and Noto lie")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    np.random.seed(options.seed)
    if options.build:
        dataset.build(options.folder, processes=2, fonts=options.fonts)
    data, concepts = dataset.load(options.folder), read_concepts()
    vocabulary = word_list(data.drawings, concepts)
    numbers = {word: i for i, word in enumerate(vocabulary)}
    labels = label(data.drawings, concept_by_name(concepts), numbers)
    labelled = sum(one.concept >= 0 and not d.held_out for one, d in zip(labels, data.drawings, strict=True))
    print(
        f"{len(data.drawings)} drawings, {labelled} with a concept, {len(concepts)} concepts, {len(vocabulary)} words"
    )
    examples = make_examples(data, labels, options.seed)
    head, table, scale = train(examples, labels, TextSampler(concepts, numbers), len(vocabulary), options.steps)
    checkpoint = {"head": head.state_dict(), "table": table.state_dict(), "words": vocabulary, "scale": scale}
    torch.save(checkpoint, options.folder / "checkpoint.pt")


if __name__ == "__main__":
    main()
