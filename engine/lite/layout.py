"""Where things stand to each other: rows, columns, what encloses what. All boxes in frame pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fingerpost.engine.lite.scene import Container, Element, Scene, TextLine
from fingerpost.engine.values import Box


def overlap_y(a: Box, b: Box) -> float:
    """Common height as a share of the lower box, 0..1."""
    common = min(a.bottom, b.bottom) - max(a.y, b.y)
    return max(0, common) / max(1, min(a.height, b.height))


def overlap_x(a: Box, b: Box) -> float:
    """Common width as a share of the narrower box, 0..1."""
    common = min(a.right, b.right) - max(a.x, b.x)
    return max(0, common) / max(1, min(a.width, b.width))


def distance(a: Box, b: Box) -> float:
    """Distance in pixels between the nearest edges; 0 when they touch or overlap."""
    dx = max(0, a.x - b.right, b.x - a.right)
    dy = max(0, a.y - b.bottom, b.y - a.bottom)
    return float((dx * dx + dy * dy) ** 0.5)


def part_of_line(line: TextLine, start: int, end: int) -> Box:
    """The box of characters start..end of a line; the whole line's box when they are all of it."""
    if start <= 0 and end >= len(line.text):
        return line.box
    if not line.char_x:
        return line.box
    half = line.box.width / max(1, len(line.text)) / 2
    left = max(line.box.x, int(line.char_x[start] - half))
    right = min(line.box.right, int(line.char_x[end - 1] + half) + 1)
    return Box(left, line.box.y, max(1, right - left), line.box.height)


def enclosing(box: Box, elements: Iterable[Element], max_growth: float = 6.0) -> Element | None:
    """The smallest element around the middle of `box` that is not much higher than it.

    A selected row, a button or a menu entry is at most `max_growth` times as high as its text; a panel is higher.
    """
    x, y = box.centre
    best: Element | None = None
    for element in elements:
        outer = element.box
        if not outer.contains(x, y) or outer.height > max_growth * box.height:
            continue
        if outer.intersection(box).area < 0.7 * box.area:
            continue
        if best is None or outer.area < best.box.area:
            best = element
    return best


def containers_of(box: Box, containers: Sequence[Container]) -> tuple[Container, ...]:
    """The containers around the middle of a box, the smallest first."""
    x, y = box.centre
    return tuple(sorted((c for c in containers if c.box.contains(x, y)), key=lambda c: c.box.area))


def lines_inside(box: Box, lines: Iterable[TextLine]) -> list[TextLine]:
    """Lines whose middle lies in the box, from top to bottom and left to right."""
    inside = [line for line in lines if box.contains(*line.box.centre)]
    return sorted(inside, key=lambda line: (line.box.y, line.box.x))


def in_container(scene: Scene, box: Box, kind: str) -> bool:
    return any(c.kind == kind for c in containers_of(box, scene.containers))


def text_between(a: Box, b: Box, lines: Iterable[TextLine]) -> bool:
    """Whether a text stands in the gap between a box and another one to its right, at the height of the first."""
    gap = Box(a.right, a.y, max(0, b.x - a.right), a.height)
    return any(gap.contains(*line.box.centre) for line in lines if line.box != a)
