"""From a text to its readings, the likeliest first."""

from __future__ import annotations

import re
from dataclasses import replace

from fingerpost.engine.lite.query.anchors import cut_anchors, has_article, implied, leading_anchor, path_between
from fingerpost.engine.lite.query.courtesies import with_verb_in_front, without_polite_end, without_say
from fingerpost.engine.lite.query.kind_words import NONE, kinds_in
from fingerpost.engine.lite.query.marks import counted, counting, marks_in
from fingerpost.engine.lite.query.target import guess_place, read_target
from fingerpost.engine.lite.query.tokens import Tokens, longest, phrase_of, tokenise
from fingerpost.engine.lite.query.values import ParsedQuery
from fingerpost.models.lexicon import lexicon

_SHORTCUT = re.compile(r"\s*\[[^\[\]]*\]$")


def parse(text: str) -> ParsedQuery:
    """Takes a query apart. Understands English, German, Spanish and Portuguese; never fails.

    The name is empty only when a kind, a number or a place was said instead, or the text is blank.
    """
    literal = ParsedQuery(text, " ".join(text.split()))
    tokens = tokenise(text)
    quoted = any(t.quote is not None for t in tokens)
    readings, sure = _read_quoted(tokens) if quoted else _read_words(tokens)
    if not quoted:
        readings = [*readings, literal] if sure else [literal, *readings]
    useful = [replace(r, text=text) for r in readings if r.name or r.kinds or r.ordinal is not None or r.places]
    distinct = list(dict.fromkeys(v for reading in useful or [literal] for v in _variants(reading)))
    return replace(distinct[0], alternatives=tuple(distinct[1:]))


def _variants(reading: ParsedQuery) -> tuple[ParsedQuery, ...]:
    """A name without the keyboard shortcut that its tooltip shows in brackets, and as it was said."""
    short = _SHORTCUT.sub("", reading.name)
    return (replace(reading, name=short), reading) if short and short != reading.name else (reading,)


def _read_quoted(tokens: Tokens) -> tuple[list[ParsedQuery], bool]:
    """Readings of a query with quotation marks: what stands outside them only describes."""
    axis, backwards, tokens = counting(tokens)
    _, tokens = without_say(tokens)
    lead = leading_anchor(tokens)
    tokens, anchors = cut_anchors(tokens[lead[1] :] if lead else tokens)
    anchors = (lead[0], *anchors) if lead else anchors
    quotes = [i for i, t in enumerate(tokens) if t.quote is not None]
    if not quotes:
        readings, _ = read_target(tokens, anchors)
        return [replace(r, axis=axis, ordinal=counted(r.ordinal, backwards)) for r in readings], True
    target = quotes[0]
    if len(quotes) > 1 and (step := path_between(tokens, quotes[0], quotes[1])):
        target, anchors = quotes[1], (step, *anchors)
        tokens = tokens[quotes[0] + 1 :]
        target -= quotes[0] + 1
    rest = tuple(t for t in tokens if t.quote is None)
    ordinal, places = marks_in(rest)
    verb = longest(rest, 0, lexicon().verb_kinds)
    kinds = kinds_in(rest[verb:]) or implied(anchors) or lexicon().verb_kinds.get(phrase_of(rest[:verb]), NONE)
    name = tokens[target].quote or ""
    return [ParsedQuery("", name, True, kinds, counted(ordinal, backwards), axis, places, anchors)], True


def _read_words(tokens: Tokens) -> tuple[list[ParsedQuery], bool]:
    """Readings of a query without quotation marks, and whether they are likelier than that all of it is the name."""
    axis, backwards, tokens = counting(with_verb_in_front(without_polite_end(tokens)))
    head, anchors = cut_anchors(tokens)
    readings, sure = read_target(head, anchors)
    article = bool(anchors) and has_article(tokens[len(head) :])
    sure = sure or article or axis is not None
    if axis is not None:
        readings = [replace(r, axis=axis, ordinal=counted(r.ordinal, backwards)) for r in readings]
    if anchors and not article:
        whole, _ = read_target(tokens, ())
        readings = [*readings, *whole] if sure else [*whole, *readings]
    return [*readings, *(() if sure or anchors else guess_place(tokens))], sure
