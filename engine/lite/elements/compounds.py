"""Controls drawn as several boxes: a combo box is a field and an arrow button, a spin box a number and two buttons."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from fingerpost.engine.lite.elements.canvas import Canvas
from fingerpost.engine.lite.elements.overlaps import outside
from fingerpost.engine.lite.elements.shapes import sign
from fingerpost.engine.lite.scene import Element
from fingerpost.engine.values import Box


@dataclass(frozen=True)
class Sign:
    """A small mark with a meaning: "down", "up", "plus" or "minus"."""

    box: Box
    meaning: str


def find_signs(canvas: Canvas, pictures: Sequence[Box], ui_scale: float) -> list[Sign]:
    """The arrows, plus and minus signs among the pictures, 3..16 px at scale 1."""
    small = [b for b in pictures if b.width <= 18 * ui_scale and b.height <= 18 * ui_scale]
    return [Sign(box, meaning) for box in small if (meaning := canvas.measure(sign, box, 2))]


def join_compounds(
    areas: Sequence[Box], signs: Sequence[Sign], pictures: Sequence[Box], ui_scale: float
) -> tuple[list[Element], list[Box]]:
    """Combo and spin boxes in their full width, and the areas that are not a part of one.

    An area with a picture beside its sign is a control of its own, and no part of its neighbour.
    """
    meant = {s.box for s in signs}
    others = [p for p in pictures if p not in meant]
    by_left = sorted((a for a in areas if _could_be_entry(a, ui_scale)), key=lambda a: a.x)
    found: list[Element] = []
    used: set[Box] = set()
    for area in sorted(by_left, key=lambda a: -a.width):
        if area in used:
            continue
        parts = [p for p in _buttons_right_of(area, by_left, ui_scale) if not _holds_one_of(p, others)]
        kind, last = _kind_by_signs(area, parts, signs)
        if kind:
            members = [area, *parts[:last]]
            used.update(members)
            found.append(Element(_around(members), kind, 0.85))
    return found, outside([a for a in areas if a not in used], [e.box for e in found], 0.8)


def _holds_one_of(part: Box, pictures: Sequence[Box]) -> bool:
    return any(part.contains(*p.centre) and p.height >= 0.25 * part.height for p in pictures)


def _could_be_entry(area: Box, ui_scale: float) -> bool:
    return 13 * ui_scale <= area.height <= 56 * ui_scale


def _buttons_right_of(area: Box, by_left: Sequence[Box], ui_scale: float) -> list[Box]:
    """Up to two narrow boxes of the same height that touch the area, and each other, on the right."""
    parts: list[Box] = []
    end, slack = area.right, 6 * ui_scale
    for other in by_left[bisect_left(by_left, end - slack, key=lambda box: box.x) :]:
        if other.x > end + slack:
            break
        touches = abs(other.x - end) <= slack
        level = abs(other.centre[1] - area.centre[1]) <= 3 * ui_scale
        alike = 0.8 * area.height <= other.height <= 1.35 * area.height
        if other != area and touches and level and alike and other.width <= min(area.width, 1.7 * other.height):
            parts.append(other)
            end = other.right
            if len(parts) == 2:
                break
    return parts


def _kind_by_signs(area: Box, parts: Sequence[Box], signs: Sequence[Sign]) -> tuple[str, int]:
    """The kind, and how many of the parts belong to it; "" when the signs do not say it.

    Signs are looked for in the parts, or at the right end of the area itself when it has none.
    """
    if area.width < 1.2 * area.height:
        return "", 0
    meanings = [_meanings(part, signs) for part in parts]
    if len(parts) == 2 and {"plus", "minus"} <= meanings[0] | meanings[1]:
        return "spin", 2
    if meanings and {"up", "down"} <= meanings[0]:
        return "spin", 1
    if meanings and meanings[0] == {"down"}:
        return "combo", 1
    end_width = min(round(1.5 * area.height), area.width // 2)
    end = Box(area.right - end_width, area.y, end_width, area.height)
    last = _meanings(end, signs)
    if {"up", "down"} <= last or {"plus", "minus"} <= last:
        return "spin", 0
    return ("combo", 0) if "down" in last else ("", 0)


def _meanings(box: Box, signs: Sequence[Sign]) -> set[str]:
    return {s.meaning for s in signs if box.contains(*s.box.centre)}


def _around(boxes: Sequence[Box]) -> Box:
    box = boxes[0]
    for other in boxes[1:]:
        box = box.union(other)
    return box
