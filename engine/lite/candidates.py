"""Places that may be meant, before place and kind decide between them; each way to find them has a file of its own.

`texts` looks for names in what is written, `labels` for fields by their labels, `told_names` in what programs tell,
`wordings` for other words of the same meaning, `spreadsheet` for cells and headers, `icon_search` for pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.engine.lite.kinds import ENTRY
from fingerpost.engine.lite.names import similarity
from fingerpost.engine.lite.scene import Element, Scene
from fingerpost.engine.values import Box

CLEAR = 0.9
"""A text that fits the name this well, and is little else, makes a search in wrapped captions needless."""
MIN_NAME_SCORE = 0.6
"""Texts that fit the name less than this are not looked at further."""
KIND_ALONE = 0.85
"""The name score of an element when no name was said: kinds are told from looks and sometimes wrong."""
LEAST_SURE = 0.4
"""Elements whose kind is less sure than this are not counted when only a kind is asked for."""


@dataclass(frozen=True)
class Candidate:
    """A place that may be meant.

    point       the pixel to click, inside `box`
    name_score  how surely its text is the name, 0..1
    coverage    the share of its text line that is the name: 1 for a label of its own, small inside a sentence
    source      "text", "element", "icon" or "accessibility"
    """

    box: Box
    point: tuple[int, int]
    label: str
    kind: str
    name_score: float
    coverage: float
    source: str


def by_kind(scene: Scene, kinds: frozenset[str]) -> list[Candidate]:
    """All elements of the given or like kinds, for queries without a name ("the third tab")."""
    found = []
    for element in scene.elements:
        alike = element.kind in kinds or (element.kind in ENTRY and ENTRY & kinds)
        alike = alike or ("icon" in kinds and _is_picture_button(scene, element))
        if alike and element.score >= LEAST_SURE:
            text = next((line.text for line in scene.lines if element.box.contains(*line.box.centre)), "")
            label, source = element.name or text, "accessibility" if element.name else "element"
            found.append(Candidate(element.box, element.box.centre, label, element.kind, KIND_ALONE, 1.0, source))
    return found


def _is_picture_button(scene: Scene, element: Element) -> bool:
    """Whether a button has a told name that is not written on it: then it shows a picture."""
    if element.kind != "button" or not element.name:
        return False
    inside = (line for line in scene.lines if element.box.contains(*line.box.centre))
    return not any(similarity(element.name, line.text) >= MIN_NAME_SCORE for line in inside)


def without_doubles(candidates: list[Candidate]) -> list[Candidate]:
    """Of candidates at the same place the best named one."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: (c.name_score, c.coverage), reverse=True):
        if not any(k.box.iou(candidate.box) > 0.6 or k.box.contains(*candidate.point) for k in kept):
            kept.append(candidate)
    return kept
