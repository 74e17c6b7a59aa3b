"""What stands next to a place on the screen: the nearest thing of the same kind in a direction."""

from __future__ import annotations

from collections.abc import Iterable

from fingerpost.engine.lite.kinds import CHOICE
from fingerpost.engine.lite.layout import containers_of, lines_inside, overlap_y
from fingerpost.engine.lite.scene import Element, Scene, TextLine
from fingerpost.engine.values import Box, Target

SURE = 0.7
"""The confidence of a neighbour: kinds are told from looks, and a row may hold other things."""
ALIKE = 1.6
"""Lines of text that stand together are at most so many times as high as each other."""
ACROSS = 3
"""A pixel out of line counts as so many pixels of distance."""

SIDES = ("below", "above", "left", "right")


def neighbour(scene: Scene, target: Target, side: str) -> Target | None:
    """The nearest thing of the target's kind on that side (see `SIDES`), elements before mere texts; None if none."""
    elements = [_of_element(scene, e) for e in scene.elements if e.kind == target.kind]
    texts = [_of_line(line, target.kind) for line in scene.lines if _is_alike(line, target, scene)]
    return nearest(elements, target, side) or nearest(texts, target, side)


def nearest(targets: Iterable[Target], origin: Target, side: str) -> Target | None:
    """The one of the targets that is nearest to another on that side of it."""
    beyond = [t for t in targets if stands(t.box, origin.box, side)]
    return min(beyond, key=lambda t: separation(t.box, origin.box, side), default=None)


def stands(box: Box, origin: Box, side: str) -> bool:
    """Whether a box is on that side of another: its middle lies beyond, and it is more in line than out of it."""
    if box.contains(*origin.centre) or origin.contains(*box.centre):
        return False
    along, across = _gaps(box, origin, side)
    dx, dy = box.centre[0] - origin.centre[0], box.centre[1] - origin.centre[1]
    beyond = {"below": dy, "above": -dy, "right": dx, "left": -dx}[side]
    return beyond > 0 and across <= along


def separation(box: Box, origin: Box, side: str) -> int:
    """Frame pixels between two boxes; what is out of line seems further away."""
    along, across = _gaps(box, origin, side)
    return along + ACROSS * across


def _gaps(box: Box, origin: Box, side: str) -> tuple[int, int]:
    """Pixels between the edges in the direction of `side`, and across it; 0 where they overlap."""
    dx = max(0, box.x - origin.right, origin.x - box.right)
    dy = max(0, box.y - origin.bottom, origin.y - box.bottom)
    return (dy, dx) if side in {"below", "above"} else (dx, dy)


def _is_alike(line: TextLine, target: Target, scene: Scene) -> bool:
    """Whether a text may be one of several like the target: in the same area, about as high as the target's text."""
    if containers_of(line.box, scene.containers)[:1] != containers_of(target.box, scene.containers)[:1]:
        return False
    own = next((mine.box.height for mine in lines_inside(target.box, scene.lines)), target.box.height)
    return bool(line.text) and line.box.height < ALIKE * own and own < ALIKE * line.box.height


def _of_line(line: TextLine, kind: str) -> Target:
    return Target(line.text, kind, *line.box.centre, line.box, SURE, "text")


def _of_element(scene: Scene, element: Element) -> Target:
    """An element with the text on it or, for a check box and the like, beside it."""
    box = element.box
    lines = lines_inside(box, scene.lines)
    if element.kind in CHOICE and not lines:
        caption = _caption(box, scene.lines)
        outline = box.union(caption.box) if caption else box
        return Target(caption.text if caption else "", element.kind, *box.centre, outline, SURE, "element")
    return Target(" ".join(line.text for line in lines), element.kind, *box.centre, box, SURE, "element")


def _caption(mark: Box, lines: Iterable[TextLine]) -> TextLine | None:
    """The text right of a mark, in the same row."""
    row = [
        line for line in lines if overlap_y(line.box, mark) > 0.5 and 0 <= line.box.x - mark.right + 4 < 2 * mark.height
    ]
    return min(row, key=lambda line: line.box.x, default=None)
