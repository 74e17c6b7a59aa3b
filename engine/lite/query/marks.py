"""Numbers and places: "the second", "last from the right", "in the top right corner"."""

from __future__ import annotations

from fingerpost.engine.lite.query.tokens import Tokens, longest, phrase_of, place_at
from fingerpost.models.lexicon import lexicon


def counting(tokens: Tokens) -> tuple[str | None, bool, Tokens]:
    """The direction of counting ("second from the top"), whether from its end, and the tokens without it."""
    words = lexicon()
    if not any(longest(tokens, i, words.ordinals) for i in range(len(tokens))):
        return None, False, tokens
    for i in range(len(tokens)):
        start = i + longest(tokens, i, words.counted_from)
        length = longest(tokens, start, words.places) if start > i else 0
        place = words.places[phrase_of(tokens[start : start + length])] if length else "middle"
        if place != "middle" and start + length == len(tokens):
            return "x" if place in {"left", "right"} else "y", place in {"right", "bottom"}, tokens[:i]
    return None, False, tokens


def counted(ordinal: int | None, backwards: bool) -> int | None:
    return -ordinal if ordinal is not None and backwards else ordinal


def marks_in(tokens: Tokens) -> tuple[int | None, tuple[str, ...]]:
    """Ordinal and places anywhere among the tokens."""
    words = lexicon()
    ordinal: int | None = None
    places: list[str] = []
    i = 0
    while i < len(tokens):
        if length := longest(tokens, i, words.ordinals):
            ordinal = words.ordinals[phrase_of(tokens[i : i + length])]
        elif length := longest(tokens, i, words.places):
            places.append(words.places[phrase_of(tokens[i : i + length])])
        i += max(1, length)
    return ordinal, tuple(dict.fromkeys(places))


def place_at_end(name: Tokens, kinds: frozenset[str]) -> tuple[tuple[str, ...], Tokens]:
    """A place that a name ends with; a lone word beside a kind is part of the name ("the Rotate left icon")."""
    words = lexicon()
    for i in range(len(name)):
        place = place_at(name, i)
        if place and i + place[1] == len(name):
            said = i == 0 or place[1] > 1 or not kinds or longest(name, i, words.at)
            return (place[0], name[:i]) if said else ((), name)
    return (), name
