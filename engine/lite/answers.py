"""From ranked candidates to an answer: targets, ambiguity, and a sentence when there is something to explain."""

from __future__ import annotations

from fingerpost.engine.lite.confidence import confidences
from fingerpost.engine.lite.query import ParsedQuery
from fingerpost.engine.lite.ranking import Ranked
from fingerpost.engine.values import Answer, FrameSize, Target

MAX_TARGETS = 9


def answer(ranked: Ranked, query: ParsedQuery, size: FrameSize, elapsed_ms: float) -> Answer:
    """The answer for the ranked candidates of a query; `elapsed_ms` is the time it took."""
    shown = ranked.candidates[:MAX_TARGETS]
    targets = tuple(
        Target(c.label, c.kind, *c.point, c.box, sure, c.source)
        for c, sure in zip(shown, confidences(shown, query, ranked.equal), strict=True)
    )
    ambiguous = ranked.equal > 1
    return Answer(bool(targets), ambiguous, "lite", elapsed_ms, size, targets, _reason(ranked, query))


def _reason(ranked: Ranked, query: ParsedQuery) -> str:
    if ranked.equal > 1:
        return f"{ranked.equal} places fit equally well: say which one, for example “the second” or “in the dialog”."
    if ranked.candidates:
        return ""
    if not query.name:
        return "Nothing of that kind is seen at that place."
    return f"Nothing that reads or looks like “{query.name}” is seen."
