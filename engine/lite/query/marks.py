"""Numbers and places: "the second", "last from the right", "in the top right corner"."""

from __future__ import annotations

import re

from fingerpost.engine.lite.query.tokens import Tokens, longest, phrase_of, place_at
from fingerpost.models.lexicon import lexicon

_NUMBERED = re.compile(r"([0-9]{1,3})(st|nd|rd|th|er|ro|ra|do|da|º|ª|°|\.)", re.IGNORECASE)
"""Ordinals in digits: "12th", "3ª"; a full stop is one only before another word ("der 3. Reiter")."""


def ordinal_at(tokens: Tokens, i: int, more_follows: bool = False) -> tuple[int, int] | None:
    """The number that an ordinal at token `i` says, -1 for the last, and how many tokens it is.

    more_follows  a word stood behind the tokens, so that a full stop ends no sentence
    """
    words = lexicon()
    if length := longest(tokens, i, words.ordinals):
        return words.ordinals[phrase_of(tokens[i : i + length])], length
    found = _NUMBERED.fullmatch(tokens[i].text) if i < len(tokens) else None
    if found is None or int(found[1]) == 0 or (found[2] == "." and i + 1 == len(tokens) and not more_follows):
        return None
    return int(found[1]), 1


def bare_number(tokens: Tokens) -> int | None:
    """The number that all the tokens say: "5", "number 5"; None for anything else, and for what nobody counts to."""
    rest = tokens[longest(tokens, 0, lexicon().number) :]
    digits = rest[0].folded if len(rest) == 1 else ""
    return int(digits) if re.fullmatch(r"[1-9][0-9]{0,2}", digits) else None


def counting(tokens: Tokens) -> tuple[str | None, bool, Tokens]:
    """The direction of counting ("second from the top"), whether from its end, and the tokens without it."""
    words = lexicon()
    if not any(ordinal_at(tokens, i) for i in range(len(tokens))):
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
        length = 1
        if found := ordinal_at(tokens, i):
            ordinal, length = found
        elif place := longest(tokens, i, words.places):
            places.append(words.places[phrase_of(tokens[i : i + place])])
            length = place
        i += length
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
