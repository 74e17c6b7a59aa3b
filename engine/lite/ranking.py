"""Chooses among the candidates: how well each fits the whole query, which are equal, how sure the best one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fingerpost.engine.lite import kinds
from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.labels import by_label
from fingerpost.engine.lite.layout import containers_of, distance, overlap_x, overlap_y
from fingerpost.engine.lite.names import similarity
from fingerpost.engine.lite.query import Anchor, ParsedQuery
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.lite.texts import by_text
from fingerpost.engine.lite.told_names import by_told_name
from fingerpost.engine.values import Box

KIND_WEIGHT = 0.2
ANCHOR_WEIGHT = 0.2
COVERAGE_WEIGHT = 0.3
"""What each property adds to a name's score at most. A name that fits better by more than all of them always wins."""

BARS = frozenset({"toolbar", "title bar", "status bar"})
BAR_WEIGHT = 0.12
"""Buttons without text live in bars; the same picture elsewhere is more often a decoration."""
OWN_FIELD = 0.2
"""What a field gains that the text names which it is said to be next to."""
LISTS = frozenset({"combo", "list"})
LIST_ROWS = 20
"""Rows of an open drop-down list that are looked for its entries, in heights of its field."""
UPRIGHT = frozenset({"above", "below"})
FAR = 150  # logical pixels: things this far apart are hardly "next to" each other
TOP_STRIP = 48  # logical pixels at the top of the frame, where maximised windows have their buttons

EQUAL = 0.05
"""Candidates whose scores differ by less fit equally well."""

FOUND = 0.78
"""Name score under which nothing is claimed to be found."""


@dataclass(frozen=True)
class Ranked:
    """Candidates best first, each with its score; the first `equal` of them fit equally well."""

    candidates: tuple[Candidate, ...]
    scores: tuple[float, ...]
    equal: int


def rank(scene: Scene, query: ParsedQuery, candidates: Sequence[Candidate], least: float = FOUND) -> Ranked:
    """Orders the candidates by name, kind, relations and place; leaves out names that fit less than `least`."""
    scored = [(c, score(scene, query, c)) for c in candidates]
    scored = [(c, s) for c, s in scored if acceptable(query, c, least)]
    scored = _related(scene, query, scored)
    scored.sort(key=lambda pair: pair[1], reverse=True)
    if not scored:
        return Ranked((), (), 0)
    equal = sum(1 for _, s in scored if s > scored[0][1] - EQUAL)
    if query.ordinal is not None or query.places:
        chosen = _by_place(scene, query, scored[:equal])
        if chosen is None:
            return Ranked((), (), 0)
        scored = [chosen, *(pair for pair in scored if pair is not chosen)]
        equal = 1
    return Ranked(tuple(c for c, _ in scored), tuple(s for _, s in scored), equal)


def score(scene: Scene, query: ParsedQuery, candidate: Candidate) -> float:
    """Name score plus what kind and surroundings add; comparable only within one query."""
    total = candidate.name_score
    total += KIND_WEIGHT * kinds.fit(query.kinds, candidate.kind)
    total += COVERAGE_WEIGHT * candidate.coverage
    if candidate.source == "icon" and _in_a_bar(scene, candidate.box):
        total += BAR_WEIGHT
    inside = [a for a in query.anchors if a.relation == "in"]
    if inside:
        total += ANCHOR_WEIGHT * sum(_inside(scene, candidate, a) for a in inside) / len(inside)
    return total


def acceptable(query: ParsedQuery, candidate: Candidate, least: float = FOUND) -> bool:
    """A name in the middle of a sentence is no button; it may be a link."""
    if not query.name:
        return True
    if candidate.name_score < least:
        return False
    if candidate.coverage < 0.5:
        return bool(query.kinds & {"link", "text"}) or (not query.kinds and len(query.name) > 3)
    return True


def _in_a_bar(scene: Scene, box: Box) -> bool:
    at_the_top = box.bottom < TOP_STRIP * scene.ui_scale
    return at_the_top or any(c.kind in BARS for c in containers_of(box, scene.containers))


def _inside(scene: Scene, candidate: Candidate, anchor: Anchor) -> float:
    """How well a candidate stands in the container that was named, 0..1; 0.3 when nothing is known about it."""
    if anchor.name and anchor.kinds & LISTS and _belongs_to_field(scene, candidate, anchor.name):
        return 1.0
    around = containers_of(candidate.box, scene.containers)
    best = 0.0
    for container in around:
        kind_fits = not anchor.kinds or container.kind in anchor.kinds
        name_fits = similarity(anchor.name, container.name) if anchor.name and container.name else 0.5
        best = max(best, (0.5 if kind_fits else 0.0) + 0.5 * name_fits)
    known = any(c.kind in anchor.kinds for c in scene.containers)
    return best if around else (0.0 if known else 0.3)


def _belongs_to_field(scene: Scene, candidate: Candidate, name: str) -> bool:
    """Whether it stands in the field of that name, or in the list that hangs from it."""
    for field in by_label(scene, scene.lines, name):
        near = distance(candidate.box, field.box) < LIST_ROWS * field.box.height
        if field.name_score >= FOUND and near and overlap_x(candidate.box, field.box) > 0.5:
            return True
    return False


def _related(scene: Scene, query: ParsedQuery, scored: list[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """Keeps what stands as asked to the things named in the query, and prefers the nearest."""
    for anchor in query.anchors:
        if anchor.relation == "in" or not anchor.name:
            continue
        named = [*by_text(scene, anchor.name), *by_told_name(scene, anchor.name)]
        texts = [c.box for c in named if c.name_score >= FOUND]
        fields = [c.box for c in by_label(scene, scene.lines, anchor.name) if c.name_score >= FOUND]
        of_a_field = bool(anchor.kinds & kinds.ENTRY and fields)  # "the field next to the Name field" is another one
        origins = fields if of_a_field else [*texts, *_beside_what(fields, anchor, scored)]
        own = fields if query.kinds & kinds.ENTRY and not of_a_field else []
        near: list[tuple[Candidate, float]] = []
        for candidate, total in scored:
            gaps = [distance(candidate.box, o) for o in origins if _stands(candidate.box, anchor.relation, o)]
            if gaps and any(candidate.box.iou(box) > 0.5 for box in own):
                near.append((candidate, total + OWN_FIELD))
            elif gaps:
                near.append((candidate, total - min(1.0, min(gaps) / (FAR * scene.ui_scale))))
        scored = near
    return scored


def _beside_what(fields: list[Box], anchor: Anchor, scored: list[tuple[Candidate, float]]) -> list[Box]:
    """The fields that a label names, to measure from. What is beside the label is not beside itself."""
    if anchor.relation in UPRIGHT:
        return fields
    return [field for field in fields if not any(candidate.box.iou(field) > 0.5 for candidate, _ in scored)]


def _stands(box: Box, relation: str, origin: Box) -> bool:
    if box.iou(origin) > 0.5:
        return False
    if relation == "below":
        return box.centre[1] > origin.centre[1] and overlap_x(box, origin) > 0
    if relation == "above":
        return box.centre[1] < origin.centre[1] and overlap_x(box, origin) > 0
    if relation == "left of":
        return box.centre[0] < origin.centre[0] and overlap_y(box, origin) > 0
    if relation == "right of":
        return box.centre[0] > origin.centre[0] and overlap_y(box, origin) > 0
    return overlap_y(box, origin) > 0 or overlap_x(box, origin) > 0


def _by_place(scene: Scene, query: ParsedQuery, equal: list[tuple[Candidate, float]]) -> tuple[Candidate, float] | None:
    """The one of several equal candidates that stands where the query says; None when there are too few."""
    ordered = sorted(equal, key=lambda pair: _place_key(query, pair[0], equal))
    if query.ordinal is None:
        return ordered[0] if query.places else None
    index = query.ordinal - 1 if query.ordinal > 0 else len(ordered) + query.ordinal
    return ordered[index] if 0 <= index < len(ordered) else None


def _place_key(
    query: ParsedQuery, candidate: Candidate, all_of_them: list[tuple[Candidate, float]]
) -> tuple[float, float]:
    x, y = candidate.point
    if query.ordinal is not None:
        axis = query.axis or _axis([c.box for c, _ in all_of_them])
        return (x, y) if axis == "x" else (y, x)
    key = 0.0
    key += y if "top" in query.places else -y if "bottom" in query.places else 0
    key += x if "left" in query.places else -x if "right" in query.places else 0
    if "middle" in query.places:
        points = [c.point for c, _ in all_of_them]
        key += 0 if {"left", "right"} & set(query.places) else _from_middle(x, [point[0] for point in points])
        key += 0 if {"top", "bottom"} & set(query.places) else _from_middle(y, [point[1] for point in points])
    return key, 0.0


def _from_middle(at: int, places: Sequence[int]) -> float:
    return abs(at - (min(places) + max(places)) / 2)


def _axis(boxes: Sequence[Box]) -> str:
    """The direction in which boxes are strung: along a row unless they stand in a column."""
    xs, ys = [b.centre[0] for b in boxes], [b.centre[1] for b in boxes]
    return "x" if max(xs) - min(xs) >= max(ys) - min(ys) else "y"
