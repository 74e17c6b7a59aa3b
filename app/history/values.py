"""One entry of the history."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

OUTCOMES = ("done", "unverified", "refused", "dry run", "stopped", "pointed", "not found")
"""What became of a query: the kinds of `app.acting`'s outcome; only pointed at; nothing found."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One query and what became of it.

    query         the user's words
    time          when, with its time zone
    engine, elapsed_ms, found, ambiguous    the answer's
    targets       how many targets the answer had
    label, kind, confidence                 of the target that was chosen, or of the best one
    action        one of `app.settings.values.ACTIONS`, "" when nothing was done
    outcome       one of `OUTCOMES`
    reason        one sentence, "" when there is nothing to say
    window_title, app    the window that was looked at
    picture       a small PNG of the target's surroundings; None in entries that a search returns, see `History.picture`
    id            given by the history, 0 before
    """

    query: str
    time: datetime = field(default_factory=_now)
    engine: str = ""
    elapsed_ms: float = 0.0
    found: bool = False
    ambiguous: bool = False
    targets: int = 0
    label: str = ""
    kind: str = ""
    confidence: float = 0.0
    action: str = ""
    outcome: str = "pointed"
    reason: str = ""
    window_title: str = ""
    app: str = ""
    picture: bytes | None = None
    id: int = 0
