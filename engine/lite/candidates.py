"""Everything on the screen that may be what a name means, before place and kind decide between them.

Names are looked for in the texts. A text that names something else (the label of a field, the caption of a check box)
leads to that element.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fingerpost.engine.lite.choice_marks import mark_of
from fingerpost.engine.lite.elements import find_grid
from fingerpost.engine.lite.elements.grid import column_name
from fingerpost.engine.lite.kinds import CHOICE, ENTRY
from fingerpost.engine.lite.layout import (
    containers_of,
    distance,
    enclosing,
    in_container,
    lines_inside,
    overlap_x,
    overlap_y,
    part_of_line,
)
from fingerpost.engine.lite.names import LOOKS_DIFFER, Match, locate, similarity
from fingerpost.engine.lite.query import ParsedQuery
from fingerpost.engine.lite.scene import Element, Scene, TextLine
from fingerpost.engine.values import Box
from fingerpost.models.lexicon import synonyms, with_another_word

MIN_NAME_SCORE = 0.6
"""Texts that fit the name less than this are not looked at further."""
LEAST_SURE = 0.4
"""Elements whose kind is less sure than this are not counted when only a kind is asked for."""
KIND_ALONE = 0.85
"""The name score of an element when no name was said: kinds are told from looks and sometimes wrong."""
SAME_MEANING = 0.85
"""The name score of a text that means the same in other words."""
ONE_WORD_OTHERWISE = 0.8
"""The name score of a text in which only one word is said otherwise."""
STRETCHED = frozenset({"list item", "cell", "link", "tab", "text", "column header"}) | CHOICE
"""Kinds whose box may go far beyond what is drawn."""
DESCRIBED = 0.9
"""The name score of an element whose description, and not its name, is what was said."""
PART_OF_A_NAME = 0.5
"""The least coverage of a told name: it is a label of its own, never a sentence in a text."""
LETTERS = string.ascii_uppercase
CLEAR = 0.9
"""A text that fits the name this well, and is little else, makes a search in wrapped captions needless."""


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


def _wrapped(scene: Scene, name: str, kinds: frozenset[str]) -> list[Candidate]:
    """Candidates whose text begins on one line and ends on the next."""
    found = []
    for upper, line in _joined(scene.lines):
        match = locate(name, line.text)
        if match is not None and match.score >= CLEAR and match.start < len(upper.text) < match.end:
            found.append(_from_line(scene, line, match, kinds))
    return found


def _from_line(scene: Scene, line: TextLine, match: Match, kinds: frozenset[str]) -> Candidate:
    box = part_of_line(line, match.start, match.end)
    coverage = (match.end - match.start) / max(1, len(line.text.strip()))
    return _from_text(scene, line.text[match.start : match.end], box, match.score, min(1.0, coverage), kinds)


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


def by_label(scene: Scene, lines: Sequence[TextLine], name: str) -> list[Candidate]:
    """Fields, combo boxes, spin boxes and sliders that one of the lines names from beside or above, or is in."""
    found = []
    entries = [e for e in scene.elements if e.kind in ENTRY or _could_hold_a_value(e, scene)]
    for line in lines:
        score = similarity(name, line.text)
        if score < MIN_NAME_SCORE:
            continue
        inner = enclosing(line.box, entries)
        if inner is not None:
            found.append(_entry(inner, line.text, score))
        beside = labelled_by(line, entries, scene)
        if beside is not None and beside is not inner:
            found.append(_entry(beside, line.text, score * (0.97 if inner is None else 0.8)))
    return without_doubles(found)


def by_synonym(scene: Scene, query: ParsedQuery) -> list[Candidate]:
    """Texts that say the same in other words or another of the four languages; only whole labels, read exactly."""
    return _in_other_words(query, lambda wording: by_text(scene, wording, query.kinds))


def by_told_synonym(scene: Scene, query: ParsedQuery) -> list[Candidate]:
    """Elements whose told name says the same in other words or another of the four languages."""
    return _in_other_words(query, lambda wording: by_told_name(scene, wording))


def _in_other_words(query: ParsedQuery, find: Callable[[str], list[Candidate]]) -> list[Candidate]:
    """Other wordings of the whole name; else the name with one word replaced, which means the same less often."""
    for wordings, score in ((synonyms, SAME_MEANING), (with_another_word, ONE_WORD_OTHERWISE)):
        found = [c for wording in wordings(query.name) for c in find(wording)]
        exact = [c for c in found if c.name_score >= LOOKS_DIFFER and c.coverage >= CLEAR]
        if exact:
            return without_doubles([replace(c, name_score=score) for c in exact])
    return []


def by_cell(scene: Scene, name: str) -> list[Candidate]:
    """The spreadsheet cell of that name ("AC12")."""
    box = find_grid(scene.elements, scene.lines).get(name.strip().upper())
    return [] if box is None else [Candidate(box, box.centre, name.upper(), "cell", 1.0, 1.0, "element")]


def header(scene: Scene, kinds: frozenset[str], name: str = "", number: int = 0) -> Candidate | None:
    """The header of a spreadsheet's column ("E", or the fifth) or row (5); None where there is no spreadsheet."""
    cells = find_grid(scene.elements, scene.lines)
    is_column = "column header" in kinds
    wanted = name.strip().upper() or (column_name(number) if is_column else str(number))
    line = [
        box
        for cell, box in cells.items()
        if (cell.rstrip("0123456789") if is_column else cell.lstrip(LETTERS)) == wanted
    ]
    if not line:
        return None
    first = min(line, key=lambda box: (box.y, box.x))
    beside = Box(first.x, first.y - first.height, first.width, first.height)
    if not is_column:
        beside = Box(first.x - 2 * first.height, first.y, 2 * first.height, first.height)
    beside = beside.intersection(Box(0, 0, scene.size.width, scene.size.height))
    if not beside.area:
        return None
    read = [text.box for text in scene.lines if text.text.strip() == wanted and beside.contains(*text.box.centre)]
    point = read[0].centre if read else beside.centre
    kind = "column header" if is_column else "list item"
    return Candidate(beside, point, wanted, kind, 1.0, 1.0, "element")


def address_bar(scene: Scene) -> list[Candidate]:
    """A browser's address bar has no label: it is the wide field at the top of the screen or window."""
    top = [c.box.y for c in scene.containers if c.kind in {"window", "title bar"}] or [0]
    fields = [
        e
        for e in scene.elements
        if e.kind in ENTRY | {"box", "button"}
        and e.box.width > 0.3 * scene.size.width
        and _could_be_a_line(e.box, scene.ui_scale)
        and any(0 <= e.box.y - y < 160 * scene.ui_scale for y in (*top, 0))
    ]
    best = max(fields, key=lambda e: (e.kind in ENTRY, e.box.width), default=None)
    return [] if best is None else [Candidate(best.box, best.box.centre, "address bar", "field", 0.85, 1.0, "element")]


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


def menu_entries(scene: Scene) -> list[Candidate]:
    """The entries of the open menus; of the texts in one row, the first: the others are its shortcut or arrow."""
    found: list[Candidate] = []
    for menu in (c for c in scene.containers if c.kind == "menu"):
        for line in lines_inside(menu.box, scene.lines):
            if not any(overlap_y(line.box, other.box) > 0.5 and other.box.x <= line.box.x for other in found):
                found.append(_from_text(scene, line.text, line.box, KIND_ALONE, 1.0, frozenset()))
    return found


def labelled_by(line: TextLine, entries: Sequence[Element], scene: Scene) -> Element | None:
    """The entry that a label names: the next one to its right in the row, else the one right below it."""
    label, unit = line.box, max(line.box.height, round(12 * scene.ui_scale))
    entries = [e for e in entries if _same_window(label, e.box, scene)]
    right = [e for e in entries if e.box.x >= label.right - unit // 2 and overlap_y(e.box, label) > 0.5]
    right = [e for e in right if not _text_between(label, e.box, scene)]
    if right:
        nearest = min(right, key=lambda e: e.box.x - label.right)
        if nearest.box.x - label.right < 25 * unit:
            return nearest
    below = [e for e in entries if -unit // 2 <= e.box.y - label.bottom < 2 * unit and overlap_x(e.box, label) > 0.5]
    return min(below, key=lambda e: distance(e.box, label), default=None)


def _same_window(a: Box, b: Box, scene: Scene) -> bool:
    """Whether the smallest window around `a`, if one is known, also holds `b`."""
    windows = [c for c in containers_of(a, scene.containers) if c.kind in {"dialog", "window"}]
    return not windows or windows[0].box.contains(*b.centre)


def _text_between(label: Box, entry: Box, scene: Scene) -> bool:
    gap = Box(label.right, label.y, max(0, entry.x - label.right), label.height)
    return any(gap.contains(*other.box.centre) for other in scene.lines if other.box != label)


def _could_hold_a_value(element: Element, scene: Scene) -> bool:
    """A box much wider than high, as high as a line of text with its margins, may be a field whatever it looks like."""
    box = element.box
    if element.kind not in {"box", "button"}:
        return False
    return box.width >= 1.8 * box.height and _could_be_a_line(box, scene.ui_scale)


def _could_be_a_line(box: Box, scale: float) -> bool:
    return 14 * scale <= box.height <= 56 * scale


def _entry(element: Element, label: str, score: float) -> Candidate:
    kind = element.kind if element.kind in ENTRY else "field"
    certainty = 1.0 if element.kind in ENTRY else 0.9
    return Candidate(element.box, element.box.centre, label.strip(), kind, score * certainty, 1.0, "element")


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


def _joined(lines: Sequence[TextLine]) -> list[tuple[TextLine, TextLine]]:
    """Captions that wrap: each upper line that another follows closely, centred or left aligned, and both as one."""
    joined = []
    by_top = sorted(lines, key=lambda line: line.box.y)
    for index, upper in enumerate(by_top):
        for lower in by_top[index + 1 :]:
            gap = lower.box.y - upper.box.bottom + upper.box.height // 3
            if gap >= upper.box.height:
                break
            if gap < 0:
                continue
            if upper.box.height > 1.6 * lower.box.height or lower.box.height > 1.6 * upper.box.height:
                continue
            aligned = abs(upper.box.centre[0] - lower.box.centre[0]) < upper.box.height // 2
            if aligned or abs(upper.box.x - lower.box.x) < upper.box.height // 2:
                text = f"{upper.text} {lower.text}"
                both = TextLine(text, upper.box.union(lower.box), min(upper.score, lower.score), ())
                joined.append((upper, both))
    return joined


def without_doubles(candidates: list[Candidate]) -> list[Candidate]:
    """Of candidates at the same place the best named one."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: (c.name_score, c.coverage), reverse=True):
        if not any(k.box.iou(candidate.box) > 0.6 or k.box.contains(*candidate.point) for k in kept):
            kept.append(candidate)
    return kept
