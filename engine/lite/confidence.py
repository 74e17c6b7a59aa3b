"""How often an answer like this one is right: a logistic model of what is known about the best candidate.

The weights were fitted on 504 queries over 40 screenshots of 14 programs. Every query was also asked with the thing
it names taken off the screen, at a tenth of the weight, since people ask for absent things, too. Expected calibration
error when the programs asked about were left out of the fitting: 0.024 (0.034 without the absent things). None of the
weights may be negative, so that a worse name, a smaller share of the line or another kind never makes an answer surer.
`tests/bench/calibrate.py` fits them anew.

Queries that several places fit equally well were not among these; for them the share of a blind choice is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from fingerpost.engine.lite import kinds
from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.query import ParsedQuery

WRITTEN = 5.7
"""Log odds of a label that reads exactly like the name and looks like the kind asked for."""
PER_NAME, PER_COVERAGE, PER_KIND, NO_KIND = 16.4, 3.4, 5.1, 0.6
"""What they lose when the name score, the coverage or the fit of the kind is 0 and not 1, and when no kind was said."""

PICTURED = -2.5
"""Log odds of a picture which the icon model finds as probable as not."""
PER_ICON_LOGIT, PER_ICON_KIND = 2.6, 3.5
"""What the icon model's own log odds count, and what is lost when the fit of the kind is 0 and not 1."""

SURE_BY_HALF = 0.5
"""Least share of the confidence that the best of two equal candidates keeps: the order is not blind."""
_LARGEST_SCORE = 0.999  # of an icon: 1 has no log odds


def confidences(ranked: Sequence[Candidate], query: ParsedQuery, equal: int) -> list[float]:
    """One for each candidate, best first, the first `equal` of them equally good.

    Only one can be meant, so the worse ones share what the best leave, and none is surer than one before it.
    """
    best = [confidence(candidate, query, equal) for candidate in ranked[:equal]]
    others = [confidence(candidate, query, 1) for candidate in ranked[equal:]]
    left = max(0.0, 1 - sum(best)) / max(1.0, sum(others))
    return list(accumulate([*best, *(other * left for other in others)], min))


def confidence(candidate: Candidate, query: ParsedQuery, equal: int) -> float:
    """0..1. `equal` is the number of candidates that fit as well as this one, itself included."""
    other_kind = 1 - kinds.fit(query.kinds, candidate.kind) if query.kinds else 0.0
    if candidate.source == "icon":
        score = min(max(candidate.name_score, 1 - _LARGEST_SCORE), _LARGEST_SCORE)
        odds = PICTURED + PER_ICON_LOGIT * math.log(score / (1 - score)) - PER_ICON_KIND * other_kind
    else:
        odds = WRITTEN - PER_NAME * (1 - candidate.name_score) - PER_COVERAGE * (1 - candidate.coverage)
        odds -= PER_KIND * other_kind if query.kinds else NO_KIND
    share = 1.0 if equal <= 1 else max(SURE_BY_HALF if equal == 2 else 0.0, 1 / equal)
    return share / (1 + math.exp(-odds))
