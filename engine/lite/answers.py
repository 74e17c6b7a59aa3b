"""From ranked candidates to an answer: confidence, ambiguity, and a sentence when there is something to explain."""

from __future__ import annotations

from fingerpost.engine.lite import kinds
from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.query import ParsedQuery
from fingerpost.engine.lite.ranking import Ranked
from fingerpost.engine.values import Answer, FrameSize, Target

MAX_TARGETS = 9
TEXT_RIGHT = 0.98
"""How often a text that reads exactly like the name, and stands alone, is what was meant."""
OTHER_KIND = 0.8
"""What is left of the confidence when the thing found looks like another kind than asked for."""
ALL_SIMILAR = 0.5
"""Least share of the confidence that the best of several equal candidates keeps: the order is not blind."""


def answer(ranked: Ranked, query: ParsedQuery, size: FrameSize, elapsed_ms: float) -> Answer:
    """The answer for the ranked candidates of a query; `elapsed_ms` is the time it took."""
    targets = tuple(
        Target(
            c.label, c.kind, *c.point, c.box, confidence(c, query, ranked.equal if i < ranked.equal else 1), c.source
        )
        for i, c in enumerate(ranked.candidates[:MAX_TARGETS])
    )
    ambiguous = ranked.equal > 1
    return Answer(bool(targets), ambiguous, "lite", elapsed_ms, size, targets, _reason(ranked, query))


def confidence(candidate: Candidate, query: ParsedQuery, equal: int) -> float:
    """0..1: how often an answer like this one is right. `equal` is the number of candidates that fit as well."""
    if candidate.source == "icon":
        sure = candidate.name_score
    else:
        sure = TEXT_RIGHT * candidate.name_score**2 * (0.7 + 0.3 * candidate.coverage)
    if query.kinds and kinds.fit(query.kinds, candidate.kind) < 0.2:
        sure *= OTHER_KIND
    if equal > 1:
        sure *= max(ALL_SIMILAR if equal == 2 else 0.0, 1 / equal)
    return min(1.0, sure)


def _reason(ranked: Ranked, query: ParsedQuery) -> str:
    if ranked.equal > 1:
        return f"{ranked.equal} places fit equally well: say which one, for example “the second” or “in the dialog”."
    if ranked.candidates:
        return ""
    if not query.name:
        return "Nothing of that kind is seen at that place."
    return f"Nothing that reads or looks like “{query.name}” is seen."
