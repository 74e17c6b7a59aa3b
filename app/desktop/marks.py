"""From an answer to the marks on the screen."""

from __future__ import annotations

from fingerpost.app.acting.confirmation import CERTAIN
from fingerpost.app.desktop.overlay import Mark
from fingerpost.engine.geometry import FramePoint, frame_box_to_desktop, frame_to_desktop
from fingerpost.engine.values import Answer, Frame, Target

MOST = 9
"""As many as there are number keys."""


def marks_of(answer: Answer, frame: Frame, chosen: int = 0) -> tuple[tuple[Mark, ...], int]:
    """One mark a target, desktop physical pixels, numbered from 1; and the index of the mark of the target `chosen`.

    Of a certain answer only the chosen target is marked; the others as well when it is a guess or ambiguous.
    """
    certain = not answer.ambiguous and answer.targets[0].confidence >= CERTAIN
    if certain:
        only = answer.targets[chosen]
        return (_mark(only, chosen, only.confidence >= CERTAIN, frame, answer.elapsed_ms),), 0
    shown = enumerate(answer.targets[:MOST])
    return tuple(_mark(target, index, False, frame, answer.elapsed_ms) for index, target in shown), chosen


def _mark(target: Target, index: int, certain: bool, frame: Frame, elapsed_ms: float) -> Mark:
    box = frame_box_to_desktop(frame, target.box)
    point = frame_to_desktop(frame, FramePoint(target.x, target.y))
    return Mark(box, point, index + 1, certain, target.label, target.confidence, elapsed_ms)
