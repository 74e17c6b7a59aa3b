"""The words that queries are made of, in English, German, Spanish and Portuguese, and wordings that mean the same.

The languages are merged: a query need not say which one it is in, and may mix them.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "de", "es", "pt")
FOLDER = Path(__file__).parent

Phrase = tuple[str, ...]
"""A phrase as folded words."""

_WORDS = (
    "articles", "fused", "polite", "links", "entries", "number", "counted_from", "at", "corners",
    "adverbs", "moving", "towards", "in_names", "which", "before_kinds", "after_ordinals", "after_places",
)  # fmt: skip


@dataclass(frozen=True)
class Lexicon:
    """Phrases by what they do in a query; `en.toml` explains the lists.

    kinds         phrase -> kinds of element; empty for "thing" and the like
    named_fields  kind of field -> the name that it says: "search box" -> "search"
    containers    phrase -> kinds of container; a combo box holds the entries of its list
    verb_kinds    verb -> the kinds of element it works on
    """

    kinds: Mapping[Phrase, frozenset[str]]
    named_fields: Mapping[Phrase, str]
    containers: Mapping[Phrase, frozenset[str]]
    places: Mapping[Phrase, str]
    ordinals: Mapping[Phrase, int]
    relations: Mapping[Phrase, str]
    verb_kinds: Mapping[Phrase, frozenset[str]]
    say: frozenset[Phrase]
    may_say: frozenset[Phrase]
    articles: frozenset[Phrase]
    fused: frozenset[Phrase]
    polite: frozenset[Phrase]
    links: frozenset[Phrase]
    entries: frozenset[Phrase]
    number: frozenset[Phrase]
    counted_from: frozenset[Phrase]
    at: frozenset[Phrase]
    corners: frozenset[Phrase]
    adverbs: frozenset[Phrase]
    moving: frozenset[Phrase]
    towards: frozenset[Phrase]
    in_names: frozenset[Phrase]
    which: frozenset[Phrase]
    before_kinds: frozenset[Phrase]
    after_ordinals: frozenset[Phrase]
    after_places: frozenset[Phrase]


def fold(text: str) -> str:
    """Lower case without accents: "Schließen" -> "schliessen"."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def phrase(text: str) -> Phrase:
    """The folded words of a text, without hyphens: "drop-down" is one word, "drop down" are two."""
    return tuple(fold(text).replace("-", "").split())


@cache
def lexicon() -> Lexicon:
    """All languages' words in one lexicon. Where languages disagree, the one named first in `LANGUAGES` wins."""
    content = [tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8")) for language in LANGUAGES]

    def plain(section: str, key: str) -> frozenset[Phrase]:
        return frozenset(phrase(text) for words in content for text in words[section][key])

    def pairs(section: str) -> Iterable[tuple[Phrase, str]]:
        return ((phrase(text), key) for words in content for key, texts in words[section].items() for text in texts)

    verbs = (words["verbs"]["kinds"].items() for words in content)
    return Lexicon(
        kinds=_sets((words, kind) for words, kinds in pairs("kinds") for kind in kinds.split("|")),
        named_fields=_first(pairs("named_fields")),
        containers=_sets([*pairs("containers"), *((words, kind) for words, kind in pairs("kinds") if kind == "combo")]),
        places=_first(pairs("places")),
        ordinals={words: int(number) for words, number in _first(pairs("ordinals")).items()},
        relations=_first(pairs("relations")),
        verb_kinds={phrase(verb): frozenset(kinds) for items in verbs for verb, kinds in items},
        **{key: plain("verbs", key) for key in ("say", "may_say")},
        **{key: plain("words", key) for key in _WORDS},
    )


def synonyms(name: str) -> tuple[str, ...]:
    """Other wordings of a whole name, in all four languages, those of the first group that holds it first."""
    wanted = phrase(name)
    found = (text for number in _groups().get(wanted, ()) for text in _group_texts()[number])
    return tuple(dict.fromkeys(text for text in found if phrase(text) != wanted))


def with_another_word(name: str) -> tuple[str, ...]:
    """A name of two to four words with one of them replaced: "save picture" -> "save image".

    A word of several meanings is left alone: which one is meant, only the whole name tells.
    """
    wanted = phrase(name)
    if not 1 < len(wanted) <= 4:
        return ()
    found: list[str] = []
    for i, word in enumerate(wanted):
        groups = _groups().get((word,), ())
        others = _group_texts()[groups[0]] if len(groups) == 1 else ()
        found += [" ".join((*wanted[:i], other, *wanted[i + 1 :])) for other in others]
    return tuple(dict.fromkeys(text for text in found if phrase(text) != wanted))


@cache
def _group_texts() -> tuple[tuple[str, ...], ...]:
    groups = tomllib.loads((FOLDER / "synonyms.toml").read_text("utf-8"))["groups"]
    return tuple(tuple(text for text in group) for group in groups)


@cache
def _groups() -> dict[Phrase, tuple[int, ...]]:
    """For each wording the numbers of the groups that hold it."""
    numbers: dict[Phrase, tuple[int, ...]] = {}
    for number, texts in enumerate(_group_texts()):
        for text in texts:
            numbers[phrase(text)] = (*numbers.get(phrase(text), ()), number)
    return numbers


def _sets(pairs: Iterable[tuple[Phrase, str]]) -> dict[Phrase, frozenset[str]]:
    sets: dict[Phrase, frozenset[str]] = {}
    for words, value in pairs:
        sets[words] = sets.get(words, frozenset()) | ({value} if value else frozenset())
    return sets


def _first(pairs: Iterable[tuple[Phrase, str]]) -> dict[Phrase, str]:
    values: dict[Phrase, str] = {}
    for words, value in pairs:
        values.setdefault(words, value)
    return values
