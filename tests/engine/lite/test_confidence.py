"""The confidence rises with everything that speaks for an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.confidence import confidence, confidences
from fingerpost.engine.lite.query import ParsedQuery
from fingerpost.engine.lite.scene import KINDS
from fingerpost.engine.lite.wordings import SAME_MEANING
from fingerpost.engine.values import Box

SHARES = st.floats(0, 1)
SOURCES = st.sampled_from(("text", "element", "icon", "accessibility"))
SAVE = Candidate(Box(0, 0, 40, 20), (20, 10), "Save", "button", 1.0, 1.0, "text")
ANY, BUTTON = ParsedQuery("Save", "Save"), ParsedQuery("the Save button", "Save", kinds=frozenset({"button"}))

CANDIDATES = st.builds(
    lambda kind, name, coverage, source: Candidate(SAVE.box, SAVE.point, "Save", kind, name, coverage, source),
    st.sampled_from(KINDS), SHARES, SHARES, SOURCES,
)  # fmt: skip


@given(CANDIDATES, st.sampled_from((ANY, BUTTON)), st.integers(1, 30))
def test_it_is_a_share(candidate: Candidate, query: ParsedQuery, equal: int) -> None:
    assert 0 <= confidence(candidate, query, equal) <= 1


@given(CANDIDATES, SHARES, st.sampled_from((ANY, BUTTON)), st.integers(1, 5))
def test_a_better_name_never_lowers_it(candidate: Candidate, other: float, query: ParsedQuery, equal: int) -> None:
    low, high = sorted((candidate.name_score, other))
    worse, better = replace(candidate, name_score=low), replace(candidate, name_score=high)
    assert confidence(worse, query, equal) <= confidence(better, query, equal)


@given(CANDIDATES, SHARES, st.sampled_from((ANY, BUTTON)))
def test_a_larger_share_of_the_line_never_lowers_it(candidate: Candidate, other: float, query: ParsedQuery) -> None:
    low, high = sorted((candidate.coverage, other))
    assert confidence(replace(candidate, coverage=low), query, 1) <= confidence(
        replace(candidate, coverage=high), query, 1
    )


@given(CANDIDATES)
def test_the_kind_that_was_asked_for_never_lowers_it(candidate: Candidate) -> None:
    assert confidence(candidate, BUTTON, 1) <= confidence(replace(candidate, kind="button"), BUTTON, 1)


@given(CANDIDATES, st.integers(1, 20))
def test_more_places_that_fit_as_well_never_raise_it(candidate: Candidate, equal: int) -> None:
    assert confidence(candidate, ANY, equal + 1) <= confidence(candidate, ANY, equal)


@given(st.lists(CANDIDATES, min_size=1, max_size=9), st.sampled_from((ANY, BUTTON)), st.integers(1, 9))
def test_only_one_can_be_meant_so_the_worse_share_what_the_best_leave(
    ranked: list[Candidate], query: ParsedQuery, equal: int
) -> None:
    sure = confidences(ranked, query, equal)
    assert len(sure) == len(ranked)
    assert sum(sure) <= 1 + 1e-9
    assert sure == sorted(sure, reverse=True)
    assert sure[0] == confidence(ranked[0], query, equal)


def test_a_label_that_holds_more_than_the_name_is_unlikely_beside_the_name_itself() -> None:
    more = replace(SAVE, label="Save as", coverage=0.6)
    alone, (_, beside) = confidence(more, ANY, 1), confidences([SAVE, more], ANY, 1)
    assert alone > 0.9
    assert beside < 0.1


def test_an_exact_label_is_surer_than_a_synonym_a_part_of_a_sentence_or_another_kind() -> None:
    exact = confidence(SAVE, BUTTON, 1)
    assert exact == pytest.approx(0.997, abs=0.003)
    for doubtful in (
        replace(SAVE, name_score=SAME_MEANING),
        replace(SAVE, coverage=0.3),
        replace(SAVE, kind="slider"),
        replace(SAVE, source="icon", name_score=0.8),
    ):
        assert confidence(doubtful, BUTTON, 1) < 0.97 < exact
