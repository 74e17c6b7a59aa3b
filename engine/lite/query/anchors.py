"""What a target is related to: "in the Print dialog", "below the Name field", "next to Search"."""

from __future__ import annotations

from fingerpost.engine.lite.query.kind_words import kind_or_container, kinds_in, leave_out, length_of_kind, split_kind
from fingerpost.engine.lite.query.tokens import Tokens, longest, phrase_of, place_at, plain
from fingerpost.engine.lite.query.values import Anchor
from fingerpost.models.lexicon import lexicon

_ARROWS = frozenset({">", "→", "»", "/", "->", "›"})
_MAX_NAME = 6
"""Words in the name of a container at most."""
_IMPLIED = {"menu": {"menu item"}, "list": {"list item"}, "combo": {"list item", "menu item"}}
_Found = tuple[str, frozenset[str], int]


def cut_anchors(tokens: Tokens) -> tuple[Tokens, tuple[Anchor, ...]]:
    """The target's tokens and what they are related to."""
    for i in _outside_kinds(tokens):
        if place_at(tokens, i) and not _longer_relation(tokens, i):
            continue
        found = _anchor_at(tokens, i, _has_target(tokens[:i]))
        if found is not None:
            anchor, end = found
            anchors = [anchor]
            while end < len(tokens) and (found := _anchor_at(tokens, end, has_target=True)):
                anchors.append(found[0])
                end = found[1]
            return tokens[:i] + tokens[end:], tuple(anchors)
    return tokens, ()


def leading_anchor(tokens: Tokens) -> tuple[Anchor, int] | None:
    """The anchor that a query begins with ("in the "Print" dialog, click "OK""), and where what follows begins."""
    found = _anchor_at(tokens, 0, has_target=True)
    if found is None or not found[0].kinds or not any(t.quote is not None for t in tokens[found[1] :]):
        return None
    return found


def path_between(tokens: Tokens, first: int, second: int) -> Anchor | None:
    """The anchor when the first of two quoted names leads to the second: "File" > "Open", the "File" menu's "Open"."""
    between = tokens[first + 1 : second]
    if any(t.text in _ARROWS for t in between):
        return Anchor("in", tokens[first].quote or "", frozenset())
    for i in range(len(between)):
        length = longest(between, i, lexicon().containers)
        if length:
            return Anchor("in", tokens[first].quote or "", lexicon().containers[phrase_of(between[i : i + length])])
    return None


def implied(anchors: tuple[Anchor, ...]) -> frozenset[str]:
    """Something chosen "from the menu" is a menu entry, something "in the list" a list entry."""
    inside = [a.kinds for a in anchors if a.relation == "in"]
    return frozenset(kind for kinds in inside for container in kinds for kind in _IMPLIED.get(container, ()))


def has_article(tokens: Tokens) -> bool:
    """Whether a relation is followed by an article, or has it in itself ("im", "no")."""
    words = lexicon()
    length = longest(tokens, 0, words.relations)
    return phrase_of(tokens[:length]) in words.fused or longest(tokens, length, words.articles) > 0


def _outside_kinds(tokens: Tokens) -> list[int]:
    """Where a relation may begin: not in a command ("sort by"), nor in a kind ("caixa de texto")."""
    words = lexicon()
    positions = []
    i = max(1, longest(tokens, 0, words.verb_kinds), longest(tokens, 0, words.may_say), longest(tokens, 0, words.say))
    while i < len(tokens):
        positions.append(i)
        i += max(1, longest(tokens, i, words.kinds), longest(tokens, i, words.links))
    return positions


def _longer_relation(tokens: Tokens, i: int) -> bool:
    """ "to the left of X" is a relation, "to the left" a place."""
    length = longest(tokens, i, lexicon().relations)
    place = place_at(tokens, i)
    return length > 0 and i + length < len(tokens) and (place is None or length >= place[1])


def _has_target(tokens: Tokens) -> bool:
    """Whether tokens before a relation say what it is that is related, not only what to do with it."""
    return bool(leave_out(tokens, lexicon().say, keep=False)) and (
        any(t.quote is not None for t in tokens) or bool(kinds_in(tokens))
    )


def _anchor_at(tokens: Tokens, i: int, has_target: bool) -> tuple[Anchor, int] | None:
    """The anchor whose relation begins at token `i`, and where it ends; None when it is no relation after all.

    has_target  a quoted name or a kind stands before it; else only "in", an article or several words ("next to")
                make it a relation
    """
    words = lexicon()
    length = longest(tokens, i, words.relations)
    if not length or i + length == len(tokens):
        return None
    relation = words.relations[phrase_of(tokens[i : i + length])]
    start = i + length + longest(tokens, i + length, words.articles)
    if relation == "of" and not has_target:
        return None
    inside = relation in {"in", "of"}
    if not inside and not has_target and start == i + length and length == 1:
        return None
    found = _quoted_anchor(tokens, start) or _named_container(tokens, start)
    if found is None and not inside:
        found = _named_element(tokens, start)
    if found is None or (inside and not found[1] and not (has_target and tokens[start].quote is not None)):
        return None
    name, kinds, end = found
    return Anchor("in" if inside else relation, name, kinds), end


def _quoted_anchor(tokens: Tokens, start: int) -> _Found | None:
    """A quoted name with kinds or containers before or after it: name, kinds, end."""
    kinds: frozenset[str] = frozenset()
    name = None
    i = start
    while i < len(tokens):
        length = length_of_kind(tokens, i)
        if length:
            kinds |= kind_or_container(tokens[i : i + length])
        elif tokens[i].quote is not None and name is None:
            name, length = tokens[i].quote, 1
        elif name is None and (link := longest(tokens, i, lexicon().links)):
            length = link
        else:
            break
        i += length
        if name is not None and kinds:
            break
    return (name, kinds, i) if name is not None else None


def _named_container(tokens: Tokens, start: int) -> _Found | None:
    """An unquoted container, its name before or after it: "the Look and feel group", "Dialog Drucken"."""
    words = lexicon()
    for end in _clause_ends(tokens, start):
        for i in range(start, end):
            length = longest(tokens[:end], i, words.containers)
            if length and i + length == end and i - start <= _MAX_NAME:
                name = tokens[start:i]
                if longest(name, 0, words.which):  # "Open in the new tab"
                    return None
                return plain(name), words.containers[phrase_of(tokens[i:end])], end
        length = longest(tokens[:end], start, words.containers)
        if length and end - start - length <= _MAX_NAME and not longest(tokens, start + length, words.which):
            return plain(tokens[start + length : end]), words.containers[phrase_of(tokens[start : start + length])], end
    return None


def _named_element(tokens: Tokens, start: int) -> _Found | None:
    """An unquoted element that something is beside: "the Name field"."""
    end = _clause_ends(tokens, start)[-1]
    name, kinds, _ = split_kind(tokens[start:end])
    return plain(name), kinds, end


def _clause_ends(tokens: Tokens, start: int) -> list[int]:
    """Where the words after a relation may end: at the end, or before a further relation, command or quoted name."""
    words = lexicon()
    ends = [len(tokens)]
    for i in range(start + 1, len(tokens)):
        is_relation = longest(tokens, i, words.relations) and words.relations[
            phrase_of(tokens[i : i + longest(tokens, i, words.relations)])
        ] not in {"of"}
        if tokens[i].quote is not None or longest(tokens, i, words.say) or is_relation:
            ends.append(i)
            break
    return ends
