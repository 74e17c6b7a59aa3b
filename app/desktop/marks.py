"""From an answer to the marks on the screen."""

from __future__ import annotations

from fingerpost.app.acting.confirmation import CERTAIN
from fingerpost.app.desktop.overlay import Mark
from fingerpost.engine.geometry import FramePoint, frame_box_to_desktop, frame_to_desktop
from fingerpost.engine.values import Answer, Frame

MOST = 9
"""As many as there are number keys."""


def marks_of(answer: Answer, frame: Frame) -> tuple[Mark, ...]:
    """One mark a target, desktop physical pixels, numbered from 1.

    A certain answer is pointed at alone; the others are marked as well when it is a guess or ambiguous.
    """
    certain = answer.found and not answer.ambiguous and answer.targets[0].confidence >= CERTAIN
    shown = answer.targets[: 1 if certain else MOST]
    return tuple(
        Mark(
            frame_box_to_desktop(frame, target.box),
            frame_to_desktop(frame, FramePoint(target.x, target.y)),
            number,
            certain,
            target.label,
            target.confidence,
            answer.elapsed_ms,
        )
        for number, target in enumerate(shown, 1)
    )
