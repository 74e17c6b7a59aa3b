"""What becomes of the wish to own a key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from fingerpost.app.hotkeys.chord import Chord


def _nothing() -> None:
    """Nothing has to be given back."""


@dataclass(frozen=True)
class Bound:
    """The key is ours; `release` gives it back and may be called twice. `how` names the way, for people."""

    chord: Chord
    how: str
    release: Callable[[], None] = field(default=_nothing, compare=False)


@dataclass(frozen=True)
class Conflict:
    """Another program owns the key. `reason` is one sentence."""

    chord: Chord
    reason: str


@dataclass(frozen=True)
class NeedsUser:
    """The desktop lets no program take a key: the user has to do `hint`, one sentence."""

    hint: str


Result = Bound | Conflict | NeedsUser


class Handler(Protocol):
    """One way to own a key. `hint` says how to get it where it is missing."""

    name: str
    hint: str

    def problem(self) -> str | None:
        """Why it cannot work here, in a few words; None when it can. Cheap, does not raise."""
        ...

    def bind(self, chord: Chord, pressed: Callable[[], None]) -> Result:
        """Own `chord`; `pressed` is called on a thread of the handler's."""
        ...
