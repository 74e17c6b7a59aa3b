"""What the program and the engine's process say to each other, and what the program's listener is told.

All are plain values that can be pickled. Events are those that a listener is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.process.shared_pixels import SharedPixels
from fingerpost.engine.turn import Turn
from fingerpost.engine.values import Answer, Frame, Pixels

NO_REQUEST = 0
"""The request of a `Failed` that concerns the engine itself."""

OUT_OF_MEMORY = 86
"""Exit status when Python could not get memory: another process starts with a clean slate."""

# Events


@dataclass(frozen=True)
class Loading:
    """So much of a large model has been loaded, 0..1."""

    share: float


@dataclass(frozen=True)
class Ready:
    """The engine can answer; loading it took `seconds`.

    warnings  what the user should know about a large model on this machine; one sentence each
    """

    engine: str
    seconds: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """A frame has been read: from now on a query costs only itself."""

    frame_id: int
    elapsed_ms: float


@dataclass(frozen=True)
class Answered:
    request: int
    frame_id: int
    query: str
    answer: Answer


@dataclass(frozen=True)
class Failed:
    """A request that gets no answer, or the engine itself (`NO_REQUEST`): one sentence each."""

    request: int
    message: str
    hint: str


@dataclass(frozen=True)
class Restarted:
    """The engine's process ended (`reason`: one sentence) and another one is being started."""

    reason: str


Event: TypeAlias = Loading | Ready | Seen | Answered | Failed | Restarted

# To the engine's process


@dataclass(frozen=True)
class TakeFrame:
    """Copy this frame out of shared memory; `read_now`: do not wait for a query to read it.

    frame   all of the frame but its pixels
    pixels  the pixels themselves where there is not enough shared memory
    """

    frame_id: int
    frame: Frame
    pixels: SharedPixels | Pixels
    accessible: tuple[AccessibleNode, ...]
    read_now: bool


@dataclass(frozen=True)
class TakeTree:
    """The accessibility tree that belongs to a frame."""

    frame_id: int
    accessible: tuple[AccessibleNode, ...]


@dataclass(frozen=True)
class DropFrame:
    frame_id: int


@dataclass(frozen=True)
class TakeSession:
    """The turns of a session that an earlier process has answered."""

    session: int
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Find:
    """Takes the place of an earlier, unanswered one about the same frame. `session` 0 is none."""

    request: int
    frame_id: int
    query: str
    session: int
    typing: bool


@dataclass(frozen=True)
class Settle:
    """The user has acted on the answer to this query: see `session.Session.settle`."""

    session: int
    query: str


@dataclass(frozen=True)
class Cancel:
    request: int


Command: TypeAlias = TakeFrame | TakeTree | DropFrame | TakeSession | Find | Settle | Cancel

# From the engine's process


@dataclass(frozen=True)
class CannotStart:
    """There is no such engine, or its models cannot be loaded: trying again is no use."""

    message: str
    hint: str


@dataclass(frozen=True)
class Took:
    """The pixels have been copied: the shared memory is free again."""

    frame_id: int


@dataclass(frozen=True)
class Working:
    """A step begins: reading a frame, for a request or for none, or answering a request."""

    frame_id: int
    request: int


@dataclass(frozen=True)
class Idle:
    """Nothing is left to do."""


@dataclass(frozen=True)
class Beat:
    """Still alive; said again and again as long as there is work, also while native code runs."""


@dataclass(frozen=True)
class Found:
    """The answer to a request, and the turn it makes in its session."""

    request: int
    session: int
    turn: Turn


Report: TypeAlias = Loading | Ready | CannotStart | Took | Working | Idle | Beat | Seen | Found | Failed
