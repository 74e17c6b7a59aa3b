"""What a session remembers: queries with their answers, and the places that the user has ruled out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import xxhash

from fingerpost.engine.values import Answer, Box, Frame, FrameSize, Pixels, Target

MAX_TURNS = 200  # that a session remembers
SAME_PLACE = 0.5
"""Boxes that overlap by more (intersection over union) are one place."""


@dataclass(frozen=True)
class Rejected:
    """A place that the user ruled out: it stays so as long as it looks the same.

    box     frame pixels, of a frame of this `size` and `origin`
    digest  of the pixels in the box
    """

    box: Box
    size: FrameSize
    origin: tuple[int, int]
    digest: bytes

    def is_at(self, frame: Frame, target: Target) -> bool:
        """Whether a target on a frame is this place."""
        same_screen = frame.size == self.size and frame.origin == self.origin
        return same_screen and target.box.iou(self.box) > SAME_PLACE and digest(cut(frame, self.box)) == self.digest


@dataclass(frozen=True)
class Turn:
    """One query and its answer.

    subject   the ordinary query that the answer goes back to: "Save" for "Save", then "the other one"
    screen    digest of the frame's pixels
    rejected  all that has been ruled out so far
    typing    the text may still have been growing
    """

    query: str
    subject: str
    answer: Answer
    screen: bytes
    rejected: tuple[Rejected, ...] = ()
    typing: bool = False


def settled(turns: Sequence[Turn], query: str) -> tuple[Turn, ...]:
    """The turns, the last one with this text as one that does not grow any more."""
    last = max((number for number, turn in enumerate(turns) if turn.query == query), default=None)
    return tuple(replace(turn, typing=False) if number == last else turn for number, turn in enumerate(turns))


def digest(pixels: Pixels) -> bytes:
    return xxhash.xxh3_128_digest(np.ascontiguousarray(pixels).data)


def cut(frame: Frame, box: Box) -> Pixels:
    """The part of a frame's pixels in a box."""
    box = box.intersection(frame.box)
    return frame.pixels[box.y : box.bottom, box.x : box.right]
