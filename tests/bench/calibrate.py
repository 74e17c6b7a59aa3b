"""Fits the weights of `engine.lite.confidence` on a file of cases, and says how well they hold on programs left out.

python tests/bench/calibrate.py cases.jsonl

Each case is asked as it is, and once more with the thing it names taken off the scene, when every answer is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from fingerpost.app.bench.cases import Case, Rect, read_cases
from fingerpost.engine import pictures
from fingerpost.engine.lite import kinds
from fingerpost.engine.lite.icons import IconReader
from fingerpost.engine.lite.query import parse
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.lite.search import Search
from fingerpost.engine.lite.sight import Sight
from fingerpost.engine.values import Box, Frame

ABSENT_WEIGHT = 0.1
"""How often people ask for something absent, for each time that they ask for something that is there."""
FOLDS, BINS = 7, 10
RIDGE, STEPS, RATE = 1.0, 6000, 0.05

Floats = npt.NDArray[np.float64]
NAMES = {
    "text": ("WRITTEN", "PER_NAME", "PER_COVERAGE", "PER_KIND", "NO_KIND"),
    "icon": ("PICTURED", "PER_ICON_LOGIT", "PER_ICON_KIND"),
}


@dataclass(frozen=True)
class Sample:
    """An answer: what found it, what speaks against it, whether it is right, how much it counts."""

    way: str
    app: str
    against: tuple[float, ...]
    right: bool
    weight: float


def samples(cases: Sequence[Case]) -> Iterator[Sample]:
    """The answers to all cases, picture by picture."""
    sight, icons = Sight(), IconReader()
    for image in dict.fromkeys(case.image for case in cases):
        frame = pictures.load(image)
        scene = sight.see(frame)
        for case in (case for case in cases if case.image == image):
            yield from _answered(frame, scene, icons, case, 1.0)
            if case.bbox and case.trait("style") != "position":
                yield from _answered(frame, _without(scene, case.bbox), icons, replace(case, bbox=None), ABSENT_WEIGHT)


def _answered(frame: Frame, scene: Scene, icons: IconReader, case: Case, weight: float) -> Iterator[Sample]:
    ranked, query = Search(frame, scene, icons).find(parse(case.query.text))
    if not ranked.candidates or ranked.equal > 1:
        return
    best = ranked.candidates[0]
    other_kind = 1 - kinds.fit(query.kinds, best.kind) if query.kinds else 0.0
    box = case.bbox
    x, y = best.point
    right = box is not None and box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height
    if best.source == "icon":
        score = min(max(best.name_score, 0.01), 0.99)
        yield Sample("icon", case.trait("app"), (-math.log(score / (1 - score)), other_kind), right, weight)
    else:
        against = (1 - best.name_score, 1 - best.coverage, other_kind, 0.0 if query.kinds else 1.0)
        yield Sample("text", case.trait("app"), against, right, weight)


def _without(scene: Scene, rect: Rect) -> Scene:
    """The scene without what lies in the rectangle for the most part."""
    gone = Box(int(rect.x), int(rect.y), int(rect.width), int(rect.height))

    def stays(box: Box) -> bool:
        return not gone.contains(*box.centre) and 2 * box.intersection(gone).area <= min(box.area, gone.area)

    lines = tuple(line for line in scene.lines if stays(line.box))
    return replace(scene, lines=lines, elements=tuple(one for one in scene.elements if stays(one.box)))


def fit(found: Sequence[Sample]) -> Floats:
    """Constant and weights of a logistic regression, none of the weights negative, by projected gradient descent."""
    against = np.array([one.against for one in found])
    spread = np.maximum(against.std(axis=0), 0.05)
    right, weight = np.array([one.right for one in found], float), np.array([one.weight for one in found])
    constant, weights = 2.0, np.zeros(against.shape[1])
    for _ in range(STEPS):
        slope = weight * (_share(constant - against / spread @ weights) - right) / weight.sum() * 20
        constant -= RATE * slope.sum()
        weights += RATE * (slope @ (against / spread) - RIDGE * weights * 20 / weight.sum() * 0.05)
        weights = np.maximum(weights, 0)
    return np.array([constant, *weights / spread])


def _share(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)))


def held_out(found: Sequence[Sample]) -> list[tuple[float, Sample]]:
    """Each answer with the confidence that it gets from weights fitted on other programs."""
    apps = sorted({one.app for one in found})
    stated: list[tuple[float, Sample]] = []
    for fold in range(FOLDS):
        left_out = set(apps[fold::FOLDS])
        constant, *weights = fit([one for one in found if one.app not in left_out])
        asked = [one for one in found if one.app in left_out]
        odds = constant - np.array([one.against for one in asked]).reshape(-1, len(weights)) @ np.array(weights)
        stated += zip(_share(odds).tolist(), asked, strict=True)
    return stated


def calibration_error(stated: Sequence[tuple[float, Sample]]) -> float:
    """The mean distance of stated and right over ten ranges of confidence."""
    total = sum(one.weight for _, one in stated)
    error = 0.0
    for number in range(BINS):
        inside = [(said, one) for said, one in stated if min(int(said * BINS), BINS - 1) == number]
        error += abs(sum(one.weight * (said - one.right) for said, one in inside))
    return error / total


@click.command()
@click.argument("path", metavar="CASES", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def main(path: Path) -> None:
    """Print the weights fitted on CASES, and the calibration error on programs left out."""
    found = list(samples(read_cases(path)))
    stated = []
    for way, names in NAMES.items():
        those = [one for one in found if one.way == way]
        if len({one.right for one in those}) < 2:
            print(f"too few answers of the kind {way!r}, or all of them right")
            continue
        stated += held_out(those)
        for name, value in zip(names, fit(those), strict=True):
            print(f"{name} = {value:.2f}")
    if not stated:
        return
    there = [pair for pair in stated if pair[1].weight == 1]
    print(f"calibration error {calibration_error(stated):.3f}, without absent things {calibration_error(there):.3f}")


if __name__ == "__main__":
    main()
