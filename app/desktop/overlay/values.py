"""What the overlay is told to show, and how."""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.app.desktop.theme.values import LIGHT, Theme
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box


@dataclass(frozen=True)
class Mark:
    """One target. All coordinates are desktop physical pixels.

    point       the pixel that would be clicked
    number      what is pressed to choose it, from 1
    certain     solid ring; else dashed, with a "?"
    confidence  0..1
    elapsed_ms  how long finding it took
    """

    box: Box
    point: DesktopPoint
    number: int
    certain: bool
    label: str
    confidence: float
    elapsed_ms: float


@dataclass(frozen=True)
class OverlayLook:
    """How marks are painted.

    active       index of the mark that is chosen: it has the strongest ring and the label
    dim          darken the rest softly; only where `translucent`
    translucent  a compositor blends the overlay with what is below; else only opaque pixels are painted
    clear        boxes in desktop physical pixels that are not dimmed and get no number or label: our own palette
    progress     0..1, how far the ring has settled; 1 without motion
    """

    theme: Theme = LIGHT
    active: int = 0
    dim: bool = True
    translucent: bool = True
    clear: tuple[Box, ...] = ()
    progress: float = 1.0
