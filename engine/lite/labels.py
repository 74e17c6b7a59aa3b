"""Fields, lists and sliders by the label beside, above or in them."""

from __future__ import annotations

from collections.abc import Sequence

from fingerpost.engine.lite.candidates import MIN_NAME_SCORE, Candidate, without_doubles
from fingerpost.engine.lite.kinds import ENTRY
from fingerpost.engine.lite.layout import containers_of, distance, enclosing, overlap_x, overlap_y, text_between
from fingerpost.engine.lite.names import similarity
from fingerpost.engine.lite.scene import Element, Scene, TextLine
from fingerpost.engine.values import Box


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


def labelled_by(line: TextLine, entries: Sequence[Element], scene: Scene) -> Element | None:
    """The entry that a label names: the next one to its right in the row, else the one right below it."""
    label, unit = line.box, max(line.box.height, round(12 * scene.ui_scale))
    entries = [e for e in entries if _same_window(label, e.box, scene)]
    right = [e for e in entries if e.box.x >= label.right - unit // 2 and overlap_y(e.box, label) > 0.5]
    right = [e for e in right if not text_between(label, e.box, scene.lines)]
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
