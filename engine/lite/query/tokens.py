"""A query as words: quoted passages are kept whole, phrases of the lexicon are looked up word by word."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from fingerpost.models.lexicon import Phrase, fold, lexicon

_OPENING, _CLOSING = "\"“„«'‘‚»”", "\"”“»'’‘«"
_TOKEN = re.compile(r"\x00\d+\x00|[^\s\x00]+")
_EDGES = ",.;:?!"
_MARK = "\x00"  # stands for a quoted passage; no word of the lexicon holds it
_LONGEST_PHRASE = 5


@dataclass(frozen=True)
class Token:
    """A word as written and folded; `quote` is the text of a passage in quotation marks, None for a word."""

    text: str
    folded: str
    quote: str | None = None


Tokens = tuple[Token, ...]


def tokenise(text: str) -> Tokens:
    """The words of a text, with each quoted passage as one token."""
    quotes: list[str] = []
    marked = []
    at = 0
    for start, end in _quoted(text):
        marked.append(text[at:start].replace(_MARK, " ") + f" {_MARK}{len(quotes)}{_MARK} ")
        quotes.append(text[start + 1 : end].strip())
        at = end + 1
    marked.append(text[at:].replace(_MARK, " "))
    tokens: list[Token] = []
    for match in _TOKEN.findall("".join(marked)):
        if match.startswith(_MARK):
            quote = quotes[int(match.strip(_MARK))]
            tokens.append(Token(quote, _MARK, quote))
        else:
            tokens += (word(part) for part in _compound(match))
    return tuple(tokens)


def longest(tokens: Tokens, start: int, phrases: Collection[Phrase]) -> int:
    """How many tokens from `start` are the longest of the phrases; 0 when none begins there."""
    folded = phrase_of(tokens[start : start + _LONGEST_PHRASE])
    return next((n for n in range(len(folded), 0, -1) if folded[:n] in phrases), 0)


def phrase_of(tokens: Tokens) -> Phrase:
    """Folded words without hyphens, as the lexicon holds them."""
    return tuple(token.folded.replace("-", "") for token in tokens)


def plain(tokens: Tokens) -> str:
    """The tokens as written."""
    return " ".join(token.text for token in tokens)


def tidy(name: str) -> str:
    """A name without the full stop or comma that ends the sentence; an ellipsis stays."""
    return re.sub(r"(?<=\w)[.,;:!?]$", "", name)


def place_at(tokens: Tokens, start: int) -> tuple[tuple[str, ...], int] | None:
    """Places named from token `start` on ("in the top right corner") and how many tokens that are."""
    words = lexicon()
    i = start
    if not longest(tokens, i, words.places):
        i += longest(tokens, i, words.at)
        i += longest(tokens, i, words.articles)
    places: list[str] = []
    while True:
        skipped = i + (longest(tokens, i, words.at) if places else 0)
        length = longest(tokens, skipped, words.places) or longest(tokens, skipped, words.corners)
        found = phrase_of(tokens[skipped : skipped + length])
        if not length:
            break
        if found in words.places:
            places.append(words.places[found])
        i = skipped + length
    return (tuple(places), i - start) if places else None


def word(text: str) -> Token:
    """A text as one token."""
    folded = fold(text).replace("’", "'").removesuffix("'s")  # "the File menu's"
    return Token(text, folded.strip(_EDGES) or folded)


def _compound(text: str) -> list[str]:
    """ "Datei-Menü" is a name and a kind, "top-right" two places; other words with hyphens are one word."""
    words = lexicon()
    parts = [part for part in text.split("-") if part]
    known = words.kinds.keys() | words.containers.keys()
    if len(parts) < 2 or phrase_of((word(text),)) in known:
        return [text]
    phrases = [phrase_of((word(part),)) for part in parts]
    if all(p in words.places for p in phrases):
        return parts
    return ["-".join(parts[:-1]), parts[-1]] if phrases[-1] in known else [text]


def _quoted(text: str) -> list[tuple[int, int]]:
    """Start and end of each outermost quoted passage that is not blank.

    A mark opens after a space and closes before one, so that an apostrophe is no quote and quotes can be nested.
    """
    passages, depth, start = [], 0, 0
    for i, char in enumerate(text):
        before = text[i - 1] if i else " "
        after = text[i + 1] if i + 1 < len(text) else " "
        if char in _OPENING and (before.isspace() or before in "([") and not after.isspace():
            start = i if depth == 0 else start
            depth += 1
        elif depth and char in _CLOSING and (after.isspace() or after in ".,;:!?)]-"):
            depth -= 1
            if depth == 0 and text[start + 1 : i].strip():
                passages.append((start, i))
    return passages or _loosely_quoted(text)


def _loosely_quoted(text: str) -> list[tuple[int, int]]:
    """The passage between plain quotes that touch other words, or after one that is never closed."""
    first, last = text.find('"'), text.rfind('"')
    if last == first > 0 and text[first - 1].isspace():
        last = len(text)
    return [(first, last)] if last > first >= 0 and text[first + 1 : last].strip() else []
