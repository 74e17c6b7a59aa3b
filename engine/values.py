"""The values every engine speaks: what was captured, what is asked, what was found.

All coordinates here are frame pixels: pixels of the captured picture, origin at its top left
corner, x to the right, y down. `engine.geometry` converts them to other spaces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from fingerpost.engine.errors import UsageError

Pixels = npt.NDArray[np.uint8]
"""Shape (height, width, 4), dtype uint8, channels blue, green, red, unused: as screens deliver them."""

MAX_QUERY_LENGTH = 500  # characters; a longer text is a paste by mistake, not a description


class Box(NamedTuple):
    """A rectangle in frame pixels; covers x <= px < x + width and y <= py < y + height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    @property
    def area(self) -> int:
        return self.width * self.height

    @property
    def centre(self) -> tuple[int, int]:
        """The pixel in the middle; always inside a box that is not empty."""
        return self.x + self.width // 2, self.y + self.height // 2

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def intersection(self, other: Box) -> Box:
        """The common part; width and height are 0 when there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width = min(self.right, other.right) - x
        height = min(self.bottom, other.bottom) - y
        return Box(x, y, max(0, width), max(0, height)) if width > 0 and height > 0 else Box(x, y, 0, 0)

    def union(self, other: Box) -> Box:
        """The smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def iou(self, other: Box) -> float:
        """Intersection over union, 0..1."""
        common = self.intersection(other).area
        total = self.area + other.area - common
        return common / total if total else 0.0

    def moved(self, dx: int, dy: int) -> Box:
        return Box(self.x + dx, self.y + dy, self.width, self.height)


@dataclass(frozen=True)
class FrameSize:
    """Width and height in frame pixels."""

    width: int
    height: int


@dataclass(frozen=True, eq=False)
class Frame:
    """One captured picture.

    pixels      BGRA, see `Pixels`; not copied and never written to
    origin      desktop units of the frame's top left pixel (see `geometry.DesktopPoint`); (0, 0) for a picture file
    scale       captured pixels per logical pixel, None when nobody knows
    title       what was captured, for people: a monitor's name, a window's title, a file name
    pixels_per_unit  captured pixels per desktop unit: 1 where the desktop counts physical pixels, else the capture's
                     density, 2 on a Retina screen
    """

    pixels: Pixels
    origin: tuple[int, int] = (0, 0)
    scale: float | None = None
    title: str = ""
    pixels_per_unit: float = 1.0

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    @property
    def size(self) -> FrameSize:
        return FrameSize(self.width, self.height)

    @property
    def box(self) -> Box:
        return Box(0, 0, self.width, self.height)


@dataclass(frozen=True)
class Query:
    """What to look for, in the user's words. Raises `UsageError` when empty or far too long."""

    text: str

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise UsageError("The query is empty.", 'Say what to look for, for example: fingerpost find "Save".')
        if len(self.text) > MAX_QUERY_LENGTH:
            raise UsageError(
                f"The query has {len(self.text):,} characters, and at most {MAX_QUERY_LENGTH} are read.",
                "Describe one thing on the screen in a few words.",
            )


@dataclass(frozen=True)
class Target:
    """One place that fits the query.

    x, y        the pixel to click, inside `box`
    confidence  0..1: how often an answer that looks like this one is right
    source      what found it: "text", "element", "icon", "accessibility", "model"
    """

    label: str
    kind: str
    x: int
    y: int
    box: Box
    confidence: float
    source: str


@dataclass(frozen=True)
class Answer:
    """What an engine says about one query on one frame; `targets` best first, empty when not found.

    ambiguous   several targets fit equally well: choose among them, do not click blindly
    reason      one sentence when not found or ambiguous, else ""
    """

    found: bool
    ambiguous: bool
    engine: str
    elapsed_ms: float
    frame: FrameSize
    targets: tuple[Target, ...] = field(default=())
    reason: str = ""


class Engine(Protocol):
    """Finds what a query describes. One instance serves one thread."""

    name: str

    def find(self, frame: Frame, query: Query) -> Answer:
        """Never raises for "not there": that is an answer. Raises `FingerpostError` when it cannot run."""
        ...
