"""Queries that refer to the answer before, in the user's words: "the other one", "no, the second", "the one below"."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fingerpost.engine.lite.query import parse
from fingerpost.models.lexicon import Phrase, fold, lexicon
from fingerpost.models.lexicon.refinements import refinement_words

_EDGES = ",.;:?!…"
_LONGEST = 6  # words of a phrase


@dataclass(frozen=True)
class Refinement:
    """What a query asks of the answer before.

    choice   one of `CHOICES`, or "number" (of the places shown: `number`), or "same" (the same words with `addition`)
    number   1 for the first, -1 for the last
    rejects  what was shown is not what was meant
    sure     the words can hardly be a name on the screen; "the next" may be a button called Next
    words    folded, without what only leads to them: a text on the screen that reads so is meant rather
    """

    choice: str
    number: int = 0
    addition: str = ""
    rejects: bool = False
    sure: bool = True
    words: Phrase = ()


def read_refinement(text: str) -> Refinement | None:
    """The refinement that a text is as a whole, in any of the four languages; None for an ordinary query."""
    words = text.split()
    folded = tuple(_plain(word) for word in words)
    folded = folded[: _polite_end(folded)]
    start = _skip(folded, 0, lexicon().say | lexicon().polite)
    said = _skip(folded, start, refinement_words().no)
    no = said > start
    if no and said == len(folded):
        return Refinement("other", rejects=True, sure=said - start > 1, words=folded[start:])
    verb = _verb_before_article(folded, said)
    article = _longest(folded, said + verb, lexicon().articles)
    bare = folded[said + verb + article :]
    found = _choice(folded[said:]) or _choice(bare) or _number(bare)
    if found is None:
        addition = _addition(words, folded, said)
        return Refinement("same", addition=addition, rejects=no) if addition else None
    if len(bare) == 1 and not (no or article):
        return None  # "other" is a name; "the other" and "other one" are not
    sure = no or (len(bare) > 1 and not verb)
    return Refinement(found.choice, found.number, "", no or found.choice == "other", sure, bare)


def _choice(bare: Phrase) -> Refinement | None:
    choice = refinement_words().choices.get(bare)
    return Refinement(choice) if choice else None


def _number(bare: Phrase) -> Refinement | None:
    """ "second one", "second", "number 2"."""
    words = refinement_words()
    length = _longest(bare, 0, lexicon().ordinals)
    if length and (length == len(bare) or bare[length:] in words.ordinal_nouns):
        return Refinement("number", lexicon().ordinals[bare[:length]])
    length = _longest(bare, 0, words.number)
    digits = "".join(bare[length:])
    if length and len(bare) == length + 1 and digits.isascii() and digits.isdigit() and 0 < int(digits) < 100:
        return Refinement("number", int(digits))
    return None


def _addition(words: list[str], folded: Phrase, start: int) -> str:
    """What follows "that but" and the like, when it tells where something is: "in the dialog", "next to Cancel"."""
    for length in range(min(_LONGEST, len(folded) - start - 1), 0, -1):
        if folded[start : start + length] in refinement_words().same:
            addition = " ".join(words[start + length :])
            reading = parse(f'"x" {addition}')
            if reading.name == "x" and (reading.anchors or reading.places):
                return addition
    return ""


def _verb_before_article(folded: Phrase, start: int) -> int:
    """Words of a command that an article follows ("open the next one"); without one it is a name: "Find next match"."""
    length = _longest(folded, start, lexicon().may_say | lexicon().verb_kinds.keys())
    return length if length and _longest(folded, start + length, lexicon().articles) else 0


def _skip(folded: Phrase, start: int, phrases: Collection[Phrase]) -> int:
    while length := _longest(folded, start, phrases):
        start += length
    return start


def _polite_end(folded: Phrase) -> int:
    """Where a "please" at the end begins; "No thanks" is a name."""
    polite = lexicon().polite
    return next((i for i in range(2, len(folded)) if folded[i:] in polite), len(folded))


def _longest(folded: Phrase, start: int, phrases: Collection[Phrase]) -> int:
    lengths = range(min(_LONGEST, len(folded) - start), 0, -1)
    return next((n for n in lengths if folded[start : start + n] in phrases), 0)


def _plain(word: str) -> str:
    """A word as the lexicon holds it."""
    return fold(word).replace("’", "'").strip(_EDGES).replace("-", "")
