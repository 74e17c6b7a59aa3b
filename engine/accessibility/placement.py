"""Whether the places in an accessibility tree are those on the picture, told by the texts that both name.

Programs give places in logical units, in window coordinates on Wayland, or of a moment ago. A shift and a scale that
most texts agree on are undone; a tree whose texts stand elsewhere on the picture, each in another direction, is of no
use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.lite.names import normalise
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box

NAMED_BY_TEXT = frozenset(
    {"button", "menu", "menu item", "tab", "check box", "radio button", "link", "list item", "column header", "cell",
     "text", "toggle button"}
)  # fmt: skip
"""Kinds whose name is as a rule written on them."""
ROWS = 4.0
"""Nodes higher than so many lines of text tell little about where their text must be."""
MOST_ALIKE = 3
"""A name that is on the screen more often tells nothing about places."""
AGREEMENT = 0.6
"""Share of the texts that must stand where the tree says."""
FEW = 2
"""So few texts cannot prove a shift; they can only be right or wrong."""
ENOUGH = 4
"""Texts that must agree on a shift before it is believed."""
SCALES = (1.0, 2.0, 1.5, 1.25, 1.75, 3.0, 0.5)
WITHIN = 0.75
"""Share of a text's width and height that must lie in its node; the boxes of the OCR are larger than the letters."""


@dataclass(frozen=True)
class Placement:
    """From the tree's places to the picture's: scaled first, then moved by dx, dy frame pixels."""

    scale: float = 1.0
    dx: int = 0
    dy: int = 0

    def apply(self, box: Box) -> Box:
        if self.scale == 1.0:
            return box.moved(self.dx, self.dy)
        left, top = round(box.x * self.scale) + self.dx, round(box.y * self.scale) + self.dy
        return Box(left, top, round(box.width * self.scale), round(box.height * self.scale))


@dataclass(frozen=True)
class Anchor:
    """A node and the lines on the picture that read as its name."""

    box: Box
    lines: tuple[Box, ...]

    def holds(self, placement: Placement) -> bool:
        """Whether one of the lines stands in the node."""
        box = placement.apply(self.box)
        return any(_lies_in(line, box) for line in self.lines)

    def is_tight(self, scale: float = 1.0) -> bool:
        """Whether the node is hardly larger than its text, so that it tells where that must be."""
        return any(
            self.box.width * scale <= line.width + 4 * line.height and self.box.height * scale >= 0.6 * line.height
            for line in self.lines
        )


def _lies_in(line: Box, box: Box) -> bool:
    common = line.intersection(box)
    return common.width >= WITHIN * line.width and common.height >= WITHIN * line.height


def placement(found: Sequence[Anchor]) -> Placement | None:
    """How nodes must be moved to lie where the picture shows them; None when they cannot be brought to agree.

    Without any anchor they are taken as they are.
    """
    as_told = Placement()
    if _share(found, as_told) >= AGREEMENT:
        return as_told
    if len(found) <= FEW:
        return None
    best = max((_shift(found, scale) for scale in SCALES), key=lambda p: 0.0 if p is None else _share(found, p))
    return best if best is not None and _share(found, best) >= AGREEMENT else None


def anchors(nodes: Sequence[AccessibleNode], lines: Sequence[TextLine]) -> list[Anchor]:
    """The nodes whose names are read on the picture, letter by letter and not too often; boxes in frame pixels."""
    written: Mapping[str, list[Box]] = defaultdict(list)
    for line in lines:
        written[normalise(line.text)].append(line.box)
    named: Mapping[str, list[Box]] = defaultdict(list)
    for node in nodes:
        if node.role in NAMED_BY_TEXT and any(c.isalnum() for c in node.name):
            named[normalise(node.name)].append(node.box)
    found = []
    for name, boxes in named.items():
        read = written.get(name, [])
        height = max((box.height for box in read), default=0)
        if 0 < len(read) <= MOST_ALIKE and len(boxes) <= MOST_ALIKE:
            found += [Anchor(box, tuple(read)) for box in boxes if box.height <= ROWS * height]
    return found


def _share(found: Sequence[Anchor], candidate: Placement) -> float:
    """The share of the anchors that agree, of the tight ones where there are enough; 1 when there are none."""
    tight = [anchor for anchor in found if anchor.is_tight(candidate.scale)]
    judges = tight if len(tight) >= ENOUGH else found
    return sum(anchor.holds(candidate) for anchor in judges) / len(judges) if judges else 1.0


def _shift(found: Sequence[Anchor], scale: float) -> Placement | None:
    """The shift that most nodes have in common at a scale, from the middles of nodes hardly wider than their text."""
    tight = [
        (line.centre[0] - anchor.box.centre[0] * scale, line.centre[1] - anchor.box.centre[1] * scale, line.height)
        for anchor in found
        if anchor.is_tight(scale)
        for line in anchor.lines
    ]
    if len(tight) < ENOUGH:
        return None
    shifts = np.array(tight)
    height = float(np.median(shifts[:, 2]))
    near_x = np.abs(shifts[:, None, 0] - shifts[None, :, 0]) <= height
    near_y = np.abs(shifts[:, None, 1] - shifts[None, :, 1]) <= 0.4 * height
    alike = near_x & near_y
    best = int(alike.sum(axis=1).argmax())
    if alike[best].sum() < ENOUGH:
        return None
    dx, dy = (median(shifts[alike[best], axis].tolist()) for axis in (0, 1))
    return Placement(scale, round(dx), round(dy))
