"""The miniature's tokens: the markers of the Nemotron chat template, the 256 bytes, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import gguf

from fingerpost.models.gguf.vocabulary import MARKERS, byte_tokens
from fingerpost.models.miniature.words import FIRST, PIECES, WORDS

SPACE = "Ġ"
"""How GPT-2's vocabularies write a space."""


@dataclass(frozen=True)
class Vocabulary:
    """`tokens` and `kinds` by their ids; `merges` in the order in which they are tried."""

    tokens: tuple[str, ...]
    kinds: tuple[int, ...]
    merges: tuple[str, ...]

    @property
    def ids(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.tokens)}


@cache
def vocabulary() -> Vocabulary:
    """A word is put together letter by letter from its start, with the space before it first: so no word's merges cut
    another word. Only what can begin a text is a token without a space, too."""
    tokens = [*MARKERS, *byte_tokens()]
    kinds = [gguf.TokenType.CONTROL] * len(MARKERS) + [gguf.TokenType.NORMAL] * 256
    tokens += PIECES
    kinds += [gguf.TokenType.USER_DEFINED] * len(PIECES)
    merges: dict[str, None] = {}
    starts: dict[str, None] = {}
    for word in (*(SPACE + word for word in (*WORDS, *FIRST)), *FIRST):
        for end in range(1, len(word)):
            merges[f"{word[:end]} {word[end]}"] = None
            starts[word[: end + 1]] = None
    tokens += starts
    kinds += [gguf.TokenType.NORMAL] * len(starts)
    while len(tokens) % 32:
        tokens.append(f"[PAD{len(tokens)}]")
        kinds.append(gguf.TokenType.UNUSED)
    return Vocabulary(tuple(tokens), tuple(int(kind) for kind in kinds), tuple(merges))
