"""From a point to the thing under it."""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.values import Box

LARGEST = 0.1
"""Share of the frame; what is larger is a panel, not what a point on it means."""


@dataclass(frozen=True)
class Thing:
    """What is under a point; `box` in frame pixels."""

    box: Box
    kind: str
    label: str


def thing_at(scene: Scene, x: int, y: int) -> Thing | None:
    """The smallest element under a pixel of the frame, else the text under it; None when there is neither."""
    largest = LARGEST * scene.size.width * scene.size.height
    elements = [e for e in scene.elements if e.box.contains(x, y) and e.box.area <= largest]
    lines = [line for line in scene.lines if line.box.contains(x, y)]
    if elements:
        element = min(elements, key=lambda element: element.box.area)
        return Thing(element.box, element.kind, element.name or _text_in(scene, element.box))
    if lines:
        line = min(lines, key=lambda line: line.box.area)
        return Thing(line.box, "text", line.text)
    return None


def _text_in(scene: Scene, box: Box) -> str:
    """All that is written in a box, in reading order."""
    inside = [line for line in scene.lines if box.contains(*line.box.centre)]
    return " ".join(line.text for line in sorted(inside, key=lambda line: (line.box.y, line.box.x)))
