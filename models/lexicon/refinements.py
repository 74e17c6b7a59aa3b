"""The words that refer to the answer before, in English, German, Spanish and Portuguese; the table explains them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from fingerpost.models.lexicon import FOLDER, LANGUAGES, Phrase, phrase

CHOICES = (
    "other", "next", "previous", "below", "above", "left", "right",
    "topmost", "bottommost", "leftmost", "rightmost", "smaller", "larger",
)  # fmt: skip


@dataclass(frozen=True)
class RefinementWords:
    """Phrases of folded words; `choices` tells for each which of `CHOICES` it means."""

    choices: Mapping[Phrase, str]
    ordinal_nouns: frozenset[Phrase]
    number: frozenset[Phrase]
    no: frozenset[Phrase]
    same: frozenset[Phrase]


@cache
def refinement_words() -> RefinementWords:
    """All languages' words in one. Where languages disagree, the one named first in `LANGUAGES` wins."""
    content = tomllib.loads((FOLDER / "refinements.toml").read_text("utf-8"))
    tables = [content[language] for language in LANGUAGES]
    choices: dict[Phrase, str] = {}
    for table in tables:
        for choice in CHOICES:
            for text in table[choice]:
                choices.setdefault(phrase(text), choice)

    def plain(key: str) -> frozenset[Phrase]:
        return frozenset(phrase(text) for table in tables for text in table[key])

    return RefinementWords(choices, **{key: plain(key) for key in ("ordinal_nouns", "number", "no", "same")})
