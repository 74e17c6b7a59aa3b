"""The miniature's conversation as token ids: what `models/profiles/miniature.toml` makes the engine write."""

from __future__ import annotations

from collections.abc import Sequence

from fingerpost.models.miniature.vocabulary import SPACE, vocabulary

NEWLINE = "Ċ"
HEAD = ("<s>", "<SPECIAL_10>", "System", NEWLINE, NEWLINE, "<SPECIAL_11>", "User", NEWLINE, "<img>")
"""Before the tiles."""
BEHIND = ("</img>", NEWLINE)
"""Between the tiles and the question."""
ASKED = (NEWLINE, "<SPECIAL_11>", "Assistant", NEWLINE, "<think>", "</think>")
"""Between the question and the answer."""
NEXT = ("<SPECIAL_12>", NEWLINE, "<SPECIAL_11>", "User", NEWLINE)
"""Between an answer and the next question; its first token ends the answer."""


def ids(tokens: Sequence[str]) -> list[int]:
    known = vocabulary().ids
    return [known[token] for token in tokens]


def question(words: str) -> list[int]:
    """The tokens of the user's words and of what follows up to the answer."""
    found: list[str] = []
    for number, word in enumerate(words.split()):
        found += _pieces(SPACE + word if number else word)
    return ids((*found, *ASKED))


def _pieces(word: str) -> list[str]:
    """Byte-pair encoding with merges that only ever make a word's start longer."""
    known = vocabulary().ids
    end = max(end for end in range(1, len(word) + 1) if word[:end] in known)
    return [word[:end], *word[end:]]


def answer(x: int, y: int) -> list[int]:
    """x and y in thousandths of the picture's width and height."""
    return ids(('{"x":', *str(x), ',"y":', *str(y), "}"))
