"""Elements by the name that their program tells, joined with what is written at the same place."""

from __future__ import annotations

from dataclasses import replace

from fingerpost.engine.lite.candidates import CLEAR, MIN_NAME_SCORE, Candidate, without_doubles
from fingerpost.engine.lite.kinds import CHOICE
from fingerpost.engine.lite.names import locate, similarity
from fingerpost.engine.lite.scene import Element, Scene

STRETCHED = frozenset({"list item", "cell", "link", "tab", "text", "column header"}) | CHOICE
"""Kinds whose box may go far beyond what is drawn."""
DESCRIBED = 0.9
"""The name score of an element whose description, and not its name, is what was said."""
PART_OF_A_NAME = 0.5
"""The least coverage of a told name: it is a label of its own, never a sentence in a text."""


def by_told_name(scene: Scene, name: str) -> list[Candidate]:
    """Elements by the names that their program tells, whether they are written on them or not."""
    found = []
    for element in scene.elements:
        match = locate(name, element.name) if element.name else None
        if match is not None and match.score >= MIN_NAME_SCORE:
            share = (match.end - match.start) / len(element.name)
            found.append(_told(scene, element, match.score, max(share, PART_OF_A_NAME) if len(name) > 3 else share))
        elif element.description and similarity(name, element.description) >= CLEAR:
            found.append(_told(scene, element, DESCRIBED, 1.0))
    return without_doubles(found)


def with_told_names(written: list[Candidate], told: list[Candidate], kinds: frozenset[str]) -> list[Candidate]:
    """Both, each place once: what is told about a text that was read is more exact.

    Without a kind, who says a name that is written on the screen means that, and not a picture of the same name.
    """
    clear = any(c.name_score > CLEAR and c.coverage > CLEAR for c in written)
    found = []
    for candidate in told:
        same = [w for w in written if candidate.box.contains(*w.point)]
        if same:
            best = max(same, key=lambda w: (w.name_score, w.coverage))
            found.append(_joined_with(candidate, best))
            written = [w for w in written if w not in same]
        elif kinds or not clear:
            found.append(candidate)
    return without_doubles([*found, *written])


def _told(scene: Scene, element: Element, score: float, coverage: float) -> Candidate:
    point = _point_in(scene, element)
    return Candidate(element.box, point, element.name, element.kind, score, coverage, "accessibility")


def _joined_with(told: Candidate, written: Candidate) -> Candidate:
    score, coverage = max(told.name_score, written.name_score), max(told.coverage, written.coverage)
    return replace(told, name_score=score, coverage=coverage)


def _point_in(scene: Scene, element: Element) -> tuple[int, int]:
    """Where to click: the middle, but the text of what may be much wider than that, such as a row of a list."""
    box = element.box
    if element.kind not in STRETCHED:
        return box.centre
    inside = [line for line in scene.lines if box.contains(*line.box.centre)]
    if inside:
        return max(inside, key=lambda line: similarity(element.name, line.text)).box.centre
    beside_mark = element.kind in CHOICE and box.width > 3 * box.height
    return (box.x + box.height // 2, box.centre[1]) if beside_mark else box.centre
