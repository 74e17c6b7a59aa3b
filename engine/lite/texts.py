"""Names in the texts on the screen. A text that belongs to a check box, a button or a row leads to that element."""

from __future__ import annotations

from fingerpost.engine.lite.candidates import CLEAR, KIND_ALONE, MIN_NAME_SCORE, Candidate, without_doubles
from fingerpost.engine.lite.choice_marks import mark_of
from fingerpost.engine.lite.layout import enclosing, in_container, lines_inside, overlap_y, part_of_line
from fingerpost.engine.lite.names import Match, locate
from fingerpost.engine.lite.scene import Scene, TextLine
from fingerpost.engine.values import Box


def by_text(scene: Scene, name: str, kinds: frozenset[str] = frozenset()) -> list[Candidate]:
    """One candidate a text that fits the name. Where a check box or the like is asked for, its mark is the point."""
    found = []
    for line in scene.lines:
        match = locate(name, line.text)
        if match is not None and match.score >= MIN_NAME_SCORE:
            found.append(_from_line(scene, line, match, kinds))
    if not any(c.name_score > CLEAR and c.coverage > CLEAR for c in found):
        found += _wrapped(scene, name, kinds)
    return without_doubles(found)


def menu_entries(scene: Scene) -> list[Candidate]:
    """The entries of the open menus; of the texts in one row, the first: the others are its shortcut or arrow."""
    found: list[Candidate] = []
    for menu in (c for c in scene.containers if c.kind == "menu"):
        for line in lines_inside(menu.box, scene.lines):
            if not any(overlap_y(line.box, other.box) > 0.5 and other.box.x <= line.box.x for other in found):
                found.append(_from_text(scene, line.text, line.box, KIND_ALONE, 1.0, frozenset()))
    return found


def _wrapped(scene: Scene, name: str, kinds: frozenset[str]) -> list[Candidate]:
    """Candidates whose text begins on one line and ends on the next."""
    found = []
    for upper, line in scene.wrapped:
        match = locate(name, line.text)
        if match is not None and match.score >= CLEAR and match.start < len(upper.text) < match.end:
            found.append(_from_line(scene, line, match, kinds))
    return found


def _from_line(scene: Scene, line: TextLine, match: Match, kinds: frozenset[str]) -> Candidate:
    box = part_of_line(line, match.start, match.end)
    coverage = (match.end - match.start) / max(1, len(line.text.strip()))
    return _from_text(scene, line.text[match.start : match.end], box, match.score, min(1.0, coverage), kinds)


def _from_text(scene: Scene, text: str, box: Box, score: float, coverage: float, kinds: frozenset[str]) -> Candidate:
    """The element that a text belongs to: its mark, the box around it, or the text alone."""
    mark = mark_of(scene, box, kinds)
    if mark is not None:
        return Candidate(mark.box.union(box), mark.box.centre, text, mark.kind, score, coverage, "text")
    around = enclosing(box, (e for e in scene.elements if e.kind != "icon"))
    if around is None:
        return Candidate(box, box.centre, text, _kind_by_place(scene, box, "text"), score, coverage, "text")
    kind = _kind_by_place(scene, box, around.kind)
    outline = box if kind == "menu" else around.box  # around an entry of a menu bar is the whole bar
    return Candidate(outline, box.centre, text, kind, score, coverage, "text")


def _kind_by_place(scene: Scene, box: Box, looks: str) -> str:
    """In a menu bar or an open menu the place tells the kind better than the looks."""
    if in_container(scene, box, "menu"):
        return "menu item"
    if in_container(scene, box, "menu bar"):
        return "menu"
    return looks
