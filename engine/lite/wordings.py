"""Names said in other words, or in another of the four languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fingerpost.engine.lite.candidates import CLEAR, Candidate, without_doubles
from fingerpost.engine.lite.names import LOOKS_DIFFER
from fingerpost.engine.lite.query import ParsedQuery
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.lite.texts import by_text
from fingerpost.engine.lite.told_names import by_told_name
from fingerpost.models.lexicon import synonyms, with_another_word

SAME_MEANING = 0.85
"""The name score of a text that means the same in other words."""
ONE_WORD_OTHERWISE = 0.8
"""The name score of a text in which only one word is said otherwise."""


def by_synonym(scene: Scene, query: ParsedQuery) -> list[Candidate]:
    """Texts that say the same in other words or another of the four languages; only whole labels, read exactly."""
    return _in_other_words(query, lambda wording: by_text(scene, wording, query.kinds))


def by_told_synonym(scene: Scene, query: ParsedQuery) -> list[Candidate]:
    """Elements whose told name says the same in other words or another of the four languages."""
    return _in_other_words(query, lambda wording: by_told_name(scene, wording))


def _in_other_words(query: ParsedQuery, find: Callable[[str], list[Candidate]]) -> list[Candidate]:
    """Other wordings of the whole name; else the name with one word replaced, which means the same less often."""
    for wordings, score in ((synonyms, SAME_MEANING), (with_another_word, ONE_WORD_OTHERWISE)):
        found = [c for wording in wordings(query.name) for c in find(wording)]
        exact = [c for c in found if c.name_score >= LOOKS_DIFFER and c.coverage >= CLEAR]
        if exact:
            return without_doubles([replace(c, name_score=score) for c in exact])
    return []
