"""What people say around a description: "please", "click on", "where is"."""

from __future__ import annotations

from fingerpost.engine.lite.query.tokens import Tokens, longest, phrase_of
from fingerpost.models.lexicon import lexicon


def without_say(tokens: Tokens) -> tuple[bool, Tokens]:
    """Leaves out "please", "click on", "where is"."""
    words = lexicon()
    said = False
    while True:
        polite, command = longest(tokens, 0, words.polite), longest(tokens, 0, words.say)
        if not 0 < max(polite, command) < len(tokens):
            return said, tokens
        said = said or command > 0
        tokens = tokens[max(polite, command) :]


def without_polite_end(tokens: Tokens) -> Tokens:
    """Leaves out a "please" at the end."""
    for i in range(1, len(tokens)):
        if i + longest(tokens, i, lexicon().polite) == len(tokens):
            return tokens[:i]
    return tokens


def with_verb_in_front(tokens: Tokens) -> Tokens:
    """A verb that stands around what it works on, in one piece: "turn Wi-Fi on", "schalte WLAN ein"."""
    first, last = tokens[:1], tokens[-1:]
    if len(tokens) > 2 and phrase_of(first + last) in lexicon().verb_kinds:
        return first + last + tokens[1:-1]
    return tokens
