"""A prompt as a list of segments: the units that are evaluated, kept and compared.

A segment is always evaluated as a whole, in the same batches. So a state that was reached by segments is the same
state, bit for bit, whenever it was reached.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """Token ids."""

    tokens: tuple[int, ...]

    @property
    def length(self) -> int:
        """How many they are."""
        return len(self.tokens)

    @property
    def advance(self) -> int:
        """By how much the position of what follows is higher."""
        return self.length


@dataclass(frozen=True)
class Picture:
    """One tile: the digest of its pixels stands for `length` embeddings.

    columns  0 where each embedding has a position of its own. Else the embeddings stand in so many columns, and their
             positions are those of rows and columns, as Qwen's models have it
    """

    digest: bytes
    length: int
    columns: int = 0

    @property
    def advance(self) -> int:
        """By how much the position of what follows is higher."""
        return max(self.columns, self.length // self.columns) if self.columns else self.length


Segment = Text | Picture
Path = tuple[Segment, ...]
"""Segments from the start of a sequence: a node of the prefix tree."""


def length(path: Iterable[Segment]) -> int:
    """Tokens and embeddings of all segments together: the room they take."""
    return sum(segment.length for segment in path)


def position(path: Iterable[Segment]) -> int:
    """The n_past at the end of a path."""
    return sum(segment.advance for segment in path)


def is_prefix(short: Path, long: Path) -> bool:
    return len(short) <= len(long) and long[: len(short)] == short


def common(a: Path, b: Path) -> int:
    """How many segments two paths have in common at their start."""
    for number, (one, other) in enumerate(zip(a, b, strict=False)):
        if one != other:
            return number
    return min(len(a), len(b))
