"""What people say around a description: "please", "click on", "where is"."""

from __future__ import annotations

from fingerpost.engine.lite.query.tokens import Tokens, longest
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
