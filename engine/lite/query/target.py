"""The readings of a target's own words: what is its name, what says only kind, number and place."""

from __future__ import annotations

from dataclasses import replace

from fingerpost.engine.lite.query.anchors import implied
from fingerpost.engine.lite.query.courtesies import without_say
from fingerpost.engine.lite.query.kind_words import (
    CELL_NAME,
    FIELD,
    NONE,
    belongs_together,
    kind_leads,
    leave_out,
    length_of_kind,
    split_kind,
)
from fingerpost.engine.lite.query.marks import bare_number, ordinal_at, place_at_end
from fingerpost.engine.lite.query.tokens import Tokens, longest, phrase_of, place_at, plain, tidy
from fingerpost.engine.lite.query.values import Anchor, ParsedQuery
from fingerpost.models.lexicon import fold, lexicon

_CELL = frozenset({"cell"})
_NUMBERED_BY_NAME = frozenset({"button", "icon", "cell", "text"})
"""Kinds of which a number is the name: "button 7" is a key, "tab 7" the seventh of several."""


def read_target(tokens: Tokens, anchors: tuple[Anchor, ...]) -> tuple[list[ParsedQuery], bool]:
    """Readings of the target's own words, the likeliest first, and whether they are no mere name."""
    words = lexicon()
    said, tokens = without_say(tokens)
    places, tokens = _place_after_kind(tokens)
    verb = longest(tokens, 0, words.verb_kinds) or longest(tokens, 0, words.may_say)
    works_on = words.verb_kinds.get(phrase_of(tokens[:verb]), NONE)
    spare: list[ParsedQuery] = []
    if verb and verb < len(tokens):
        without = tokens[verb:]
        bare = leave_out(without, words.articles)
        kinds = split_kind(bare)[1] | implied(anchors)
        if works_on & kinds or (kinds and bare != without):
            said, tokens = True, without
        elif (
            (works_on or bare != without)
            and not longest(bare, 0, words.before_kinds)
            and length_of_kind(bare, 0) < len(bare)
        ):
            spare = [ParsedQuery("", plain(bare), kinds=works_on, anchors=anchors)]
    article = longest(tokens, 0, words.articles)
    article = article if article < len(tokens) else 0
    determined = said or (article > 0 and len(tokens[0].folded) > 2)
    name, kinds, weak = split_kind(tokens[article:], after_article=article > 0 or said)
    matched = len(name) < len(tokens) - article
    kinds = kinds or implied(anchors) or (works_on if said else NONE)
    readings = [
        replace(r, anchors=anchors, places=tuple(dict.fromkeys(places + r.places)))
        for r in _placed(name, kinds, determined or matched)
    ]
    number = bare_number(name) if kind_leads(tokens[article:]) and not kinds & _NUMBERED_BY_NAME else None
    if number is not None:
        readings = [ParsedQuery("", "", kinds=kinds, ordinal=number, anchors=anchors)]
    if matched and name:
        spare = [*spare, ParsedQuery("", tidy(plain(tokens[article:])), anchors=anchors)]
    weak = weak and not (determined or article)
    if weak and (not name or belongs_together(name)):
        return [*spare, *(r for r in readings if r.name and r.kinds & FIELD)], False  # "Close" is no "close tab"
    return [*readings, *spare], determined or (
        matched and bool(name or anchors or places or article) and not (weak and kind_leads(tokens))
    )


def guess_place(tokens: Tokens) -> list[ParsedQuery]:
    """The reading of a mere name as a shorter name and a place: "Delete at the top". "Rotate left" is no such thing."""
    words = lexicon()
    places, name = place_at_end(tokens, NONE)
    said = tokens[len(name) :]
    if not places or not name or longest(name, 0, words.moving) or phrase_of(name[-1:]) in words.towards:
        return []
    if not (len(said) > 1 or phrase_of(said) in words.adverbs):
        return []
    return [ParsedQuery("", tidy(plain(name)), places=tuple(dict.fromkeys(places)), guessed=True)]


def _place_after_kind(tokens: Tokens) -> tuple[tuple[str, ...], Tokens]:
    """Leaves out a place at the end when a kind stands before it: "close button at the top right"."""
    for i in range(1, len(tokens)):
        place = place_at(tokens, i)
        if place and i + place[1] == len(tokens) and split_kind(tokens[:i])[1] and not kind_leads(tokens[:i]):
            return place[0], tokens[:i]
    return (), tokens


def _placed(name: Tokens, kinds: frozenset[str], described: bool) -> list[ParsedQuery]:
    """Readings of a name that may begin with a number or place, or end with a place."""
    words = lexicon()
    whole = ParsedQuery("", tidy(plain(name)), kinds=kinds)
    cell = [replace(whole, kinds=_CELL)] if CELL_NAME.fullmatch(fold(whole.name)) else []
    if not described:
        return [whole, *cell]
    places, rest = place_at_end(name, kinds)
    ordinal: int | None = None
    found = ordinal_at(rest, 0, more_follows=bool(kinds))
    if found and not longest(rest, found[1], words.after_ordinals):
        ordinal, rest = found[0], rest[found[1] :]
    while (length := longest(rest, 0, words.places)) and not longest(rest, length, words.after_places):
        places, rest = (*places, words.places[phrase_of(rest[:length])]), rest[length:]
    placed = ParsedQuery("", tidy(plain(rest)), kinds=kinds, ordinal=ordinal, places=tuple(dict.fromkeys(places)))
    return [placed, whole, *cell] if placed != whole else [whole, *cell]
