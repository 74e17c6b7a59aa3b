"""What a way of hearing the whole keyboard has to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Armed:
    """The kill switch is heard. `release` ends that and may be called twice."""

    how: str
    release: Callable[[], None]


@dataclass(frozen=True)
class NotArmed:
    """It is not; `reason` is one or two sentences for the user."""

    reason: str


class Listener(Protocol):
    name: str

    def problem(self) -> str | None:
        """Why it cannot work here, in a few words; None when it can. Cheap, does not raise."""
        ...

    def arm(self, stop: Callable[[], None]) -> Armed | NotArmed:
        """Call `stop` on a thread of the listener's at each double tap of Escape."""
        ...
