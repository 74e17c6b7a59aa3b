"""A query in the user's words, taken apart: what it is called, what kind of thing it is, where it is."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from fingerpost.engine.lite.tokens import Tokens, longest, phrase_of, place_at, plain, tidy, tokenise, word
from fingerpost.models.lexicon import Phrase, fold, lexicon

_SHORTCUT = re.compile(r"\s*\[[^\[\]]*\]$")
_CELL_NAME = re.compile(r"[a-z]{1,3}[0-9]{1,7}")
"""What cells of a spreadsheet are called: "AC12"."""
_ARROWS = frozenset({">", "→", "»", "/", "->", "›"})
_MAX_NAME = 6
"""Words in the name of a container at most."""

_NONE: frozenset[str] = frozenset()
_CELL = frozenset({"cell"})
_FIELD = frozenset({"field"})
_LIST_ITEM = frozenset({"list item"})
_IMPLIED = {"menu": "menu item", "list": "list item"}


@dataclass(frozen=True)
class Anchor:
    """Another thing the query points from: "below the Name field" is Anchor("below", "Name", {"field"}).

    relation  "below", "above", "left of", "right of", "next to", "in"
    name      its own name, "" when only its kind is said ("in the toolbar")
    kinds     kinds of element, or of container: "dialog", "toolbar", "menu bar", "menu", "status bar", "list",
              "page", "tab", "group", "sidebar", "title bar", "window"
    """

    relation: str
    name: str
    kinds: frozenset[str]


@dataclass(frozen=True)
class ParsedQuery:
    """The parts of a query.

    name     the target's own name, "" when only kind or place is said ("the second tab")
    quoted   the name stood in quotation marks
    kinds    kinds asked for (see `scene.KINDS`), empty for any
    ordinal  1 for "first", 2 for "second", -1 for "last"; None when not said
    axis     "x" when counted along a row, "y" when counted along a column, None when not said
    places   of "top", "bottom", "left", "right", "middle": where on the screen, or which of several
    anchors  things it is related to
    alternatives  other readings of the same text, to try in this order when this one is not on the screen
    """

    text: str
    name: str
    quoted: bool = False
    kinds: frozenset[str] = frozenset()
    ordinal: int | None = None
    axis: str | None = None
    places: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    alternatives: tuple[ParsedQuery, ...] = ()


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
    axis, backwards, tokens = _counting(tokens)
    _, tokens = _without_say(tokens)
    lead = _leading_anchor(tokens)
    tokens, anchors = _cut_anchors(tokens[lead[1] :] if lead else tokens)
    anchors = (lead[0], *anchors) if lead else anchors
    quotes = [i for i, t in enumerate(tokens) if t.quote is not None]
    if not quotes:
        readings, _ = _read_target(tokens, anchors)
        return [replace(r, axis=axis, ordinal=_counted(r.ordinal, backwards)) for r in readings], True
    target = quotes[0]
    if len(quotes) > 1 and (path := _path(tokens, quotes[0], quotes[1])):
        target, anchors = quotes[1], (path, *anchors)
        tokens = tokens[quotes[0] + 1 :]
        target -= quotes[0] + 1
    rest = tuple(t for t in tokens if t.quote is None)
    ordinal, places = _marks_in(rest)
    verb = longest(rest, 0, lexicon().verb_kinds)
    kinds = _kinds_in(rest[verb:]) or _implied(anchors) or lexicon().verb_kinds.get(phrase_of(rest[:verb]), _NONE)
    name = tokens[target].quote or ""
    return [ParsedQuery("", name, True, kinds, _counted(ordinal, backwards), axis, places, anchors)], True


def _leading_anchor(tokens: Tokens) -> tuple[Anchor, int] | None:
    """The anchor that a query begins with ("in the "Print" dialog, click "OK""), and where what follows begins."""
    found = _anchor_at(tokens, 0, has_target=True)
    if found is None or not found[0].kinds or not any(t.quote is not None for t in tokens[found[1] :]):
        return None
    return found


def _path(tokens: Tokens, first: int, second: int) -> Anchor | None:
    """The anchor when the first of two quoted names leads to the second: "File" > "Open", the "File" menu's "Open"."""
    between = tokens[first + 1 : second]
    if any(t.text in _ARROWS for t in between):
        return Anchor("in", tokens[first].quote or "", frozenset())
    for i in range(len(between)):
        length = longest(between, i, lexicon().containers)
        if length:
            return Anchor("in", tokens[first].quote or "", lexicon().containers[phrase_of(between[i : i + length])])
    return None


def _read_words(tokens: Tokens) -> tuple[list[ParsedQuery], bool]:
    """Readings of a query without quotation marks, and whether they are likelier than that all of it is the name."""
    axis, backwards, tokens = _counting(_without_polite_end(tokens))
    head, anchors = _cut_anchors(tokens)
    readings, sure = _read_target(head, anchors)
    article = bool(anchors) and _has_article(tokens[len(head) :])
    sure = sure or article or axis is not None
    if axis is not None:
        readings = [replace(r, axis=axis, ordinal=_counted(r.ordinal, backwards)) for r in readings]
    if anchors and not article:
        whole, _ = _read_target(tokens, ())
        readings = [*readings, *whole] if sure else [*whole, *readings]
    return readings, sure


def _has_article(tokens: Tokens) -> bool:
    """Whether a relation is followed by an article, or has it in itself ("im", "no")."""
    words = lexicon()
    length = longest(tokens, 0, words.relations)
    return phrase_of(tokens[:length]) in words.fused or longest(tokens, length, words.articles) > 0


def _cut_anchors(tokens: Tokens) -> tuple[Tokens, tuple[Anchor, ...]]:
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
    return bool(_leave_out(tokens, lexicon().say, keep=False)) and (
        any(t.quote is not None for t in tokens) or bool(_kinds_in(tokens))
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


_Found = tuple[str, frozenset[str], int]


def _quoted_anchor(tokens: Tokens, start: int) -> _Found | None:
    """A quoted name with kinds or containers before or after it: name, kinds, end."""
    kinds: frozenset[str] = frozenset()
    name = None
    i = start
    while i < len(tokens):
        length = _length_of_kind(tokens, i)
        if length:
            kinds |= _kind_or_container(tokens[i : i + length])
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
    name, kinds, _ = _split_kind(tokens[start:end])
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


def _read_target(tokens: Tokens, anchors: tuple[Anchor, ...]) -> tuple[list[ParsedQuery], bool]:
    """Readings of the target's own words, the likeliest first, and whether they are no mere name."""
    words = lexicon()
    said, tokens = _without_say(tokens)
    places, tokens = _place_after_kind(tokens)
    verb = longest(tokens, 0, words.verb_kinds) or longest(tokens, 0, words.may_say)
    works_on = words.verb_kinds.get(phrase_of(tokens[:verb]), _NONE)
    spare: list[ParsedQuery] = []
    if verb and verb < len(tokens):
        without = tokens[verb:]
        bare = _leave_out(without, words.articles)
        kinds = _split_kind(bare)[1] | _implied(anchors)
        if works_on & kinds or (kinds and bare != without):
            said, tokens = True, without
        elif (
            (works_on or bare != without)
            and not longest(bare, 0, words.before_kinds)
            and _length_of_kind(bare, 0) < len(bare)
        ):
            spare = [ParsedQuery("", plain(bare), kinds=works_on, anchors=anchors)]
    article = longest(tokens, 0, words.articles)
    article = article if article < len(tokens) else 0
    determined = said or (article > 0 and len(tokens[0].folded) > 2)
    name, kinds, weak = _split_kind(tokens[article:], after_article=article > 0 or said)
    matched = len(name) < len(tokens) - article
    kinds = kinds or _implied(anchors) or (works_on if said else _NONE)
    readings = [
        replace(r, anchors=anchors, places=tuple(dict.fromkeys(places + r.places)))
        for r in _placed(name, kinds, determined or matched)
    ]
    weak = weak and not (determined or article)
    if weak and (not name or _belongs_together(name)):
        return [*spare, *(r for r in readings if r.name and r.kinds & _FIELD)], False  # "Close" is no "close tab"
    return [*readings, *spare], determined or (
        matched and bool(name or anchors or places or article) and not (weak and _kind_leads(tokens))
    )


def _place_after_kind(tokens: Tokens) -> tuple[tuple[str, ...], Tokens]:
    """Leaves out a place at the end when a kind stands before it: "close button at the top right"."""
    for i in range(1, len(tokens)):
        place = place_at(tokens, i)
        if place and i + place[1] == len(tokens) and _split_kind(tokens[:i])[1] and not _kind_leads(tokens[:i]):
            return place[0], tokens[:i]
    return (), tokens


def _without_say(tokens: Tokens) -> tuple[bool, Tokens]:
    """Leaves out "please", "click on", "where is"."""
    words = lexicon()
    said = False
    while True:
        polite, command = longest(tokens, 0, words.polite), longest(tokens, 0, words.say)
        if not 0 < max(polite, command) < len(tokens):
            return said, tokens
        said = said or command > 0
        tokens = tokens[max(polite, command) :]


def _without_polite_end(tokens: Tokens) -> Tokens:
    """Leaves out a "please" at the end."""
    for i in range(1, len(tokens)):
        if i + longest(tokens, i, lexicon().polite) == len(tokens):
            return tokens[:i]
    return tokens


def _kind_leads(tokens: Tokens) -> bool:
    return _length_of_kind(tokens, 0) > 0


def _belongs_together(name: Tokens) -> bool:
    """Whether a kind beside the name is rather a part of it: "New Tab", "Move to List"."""
    before = lexicon().before_kinds
    return longest(name, 0, before) > 0 or longest(name, len(name) - 1, before) > 0


def _placed(name: Tokens, kinds: frozenset[str], described: bool) -> list[ParsedQuery]:
    """Readings of a name that may begin with a number or place, or end with a place."""
    words = lexicon()
    whole = ParsedQuery("", tidy(plain(name)), kinds=kinds)
    cell = [replace(whole, kinds=_CELL)] if _CELL_NAME.fullmatch(fold(whole.name)) else []
    if not described:
        return [whole, *cell]
    places, rest = _place_at_end(name, kinds)
    ordinal: int | None = None
    length = longest(rest, 0, words.ordinals)
    if length and not longest(rest, length, words.after_ordinals):
        ordinal, rest = words.ordinals[phrase_of(rest[:length])], rest[length:]
    while (length := longest(rest, 0, words.places)) and not longest(rest, length, words.after_places):
        places, rest = (*places, words.places[phrase_of(rest[:length])]), rest[length:]
    placed = ParsedQuery("", tidy(plain(rest)), kinds=kinds, ordinal=ordinal, places=tuple(dict.fromkeys(places)))
    return [placed, whole, *cell] if placed != whole else [whole, *cell]


def _place_at_end(name: Tokens, kinds: frozenset[str]) -> tuple[tuple[str, ...], Tokens]:
    """A place that a name ends with; a lone word beside a kind is part of the name ("the Rotate left icon")."""
    words = lexicon()
    for i in range(len(name)):
        place = place_at(name, i)
        if place and i + place[1] == len(name):
            said = i == 0 or place[1] > 1 or not kinds or longest(name, i, words.at)
            return (place[0], name[:i]) if said else ((), name)
    return (), name


def _split_kind(tokens: Tokens, after_article: bool = True) -> tuple[Tokens, frozenset[str], bool]:
    """The name's tokens, the kinds said after it ("File menu") or before it ("menu File"), whether names have such."""
    words = lexicon()
    if phrase_of(tokens) in words.named_fields:
        return (word(words.named_fields[phrase_of(tokens)]),), _FIELD, False
    tail = next((i for i in range(len(tokens)) if i + longest(tokens, i, words.kinds) == len(tokens)), len(tokens))
    head = longest(tokens, 0, words.kinds)
    if after_article and not head and tail == len(tokens):
        head = longest(tokens, 0, words.entries)
    strong_tail = tail < len(tokens) and phrase_of(tokens[tail:]) not in words.in_names
    strong_head = bool(head) and phrase_of(tokens[:head]) not in words.in_names
    link = longest(tokens, head, words.links) if head else 0
    if head and head + link < len(tokens) and (link or not tail < len(tokens) or (strong_head and not strong_tail)):
        kinds = words.kinds.get(phrase_of(tokens[:head]), _LIST_ITEM)
        rest = _leave_out(tokens[head + link :], words.articles)
        return rest, kinds, not strong_head and not link and not _CELL_NAME.fullmatch(phrase_of(rest)[0])
    if tail < len(tokens):
        return tokens[:tail], words.kinds[phrase_of(tokens[tail:])], not strong_tail
    return tokens, _NONE, False


def _implied(anchors: tuple[Anchor, ...]) -> frozenset[str]:
    """Something chosen "from the menu" is a menu entry, something "in the list" a list entry."""
    inside = [a.kinds for a in anchors if a.relation == "in"]
    return frozenset(_IMPLIED[container] for kinds in inside for container in kinds if container in _IMPLIED)


def _counting(tokens: Tokens) -> tuple[str | None, bool, Tokens]:
    """The direction of counting ("second from the top"), whether from its end, and the tokens without it."""
    words = lexicon()
    if not any(longest(tokens, i, words.ordinals) for i in range(len(tokens))):
        return None, False, tokens
    for i in range(len(tokens)):
        start = i + longest(tokens, i, words.counted_from)
        length = longest(tokens, start, words.places) if start > i else 0
        place = words.places[phrase_of(tokens[start : start + length])] if length else "middle"
        if place != "middle" and start + length == len(tokens):
            return "x" if place in {"left", "right"} else "y", place in {"right", "bottom"}, tokens[:i]
    return None, False, tokens


def _counted(ordinal: int | None, backwards: bool) -> int | None:
    return -ordinal if ordinal is not None and backwards else ordinal


def _marks_in(tokens: Tokens) -> tuple[int | None, tuple[str, ...]]:
    """Ordinal and places anywhere among the tokens."""
    words = lexicon()
    ordinal: int | None = None
    places: list[str] = []
    i = 0
    while i < len(tokens):
        if length := longest(tokens, i, words.ordinals):
            ordinal = words.ordinals[phrase_of(tokens[i : i + length])]
        elif length := longest(tokens, i, words.places):
            places.append(words.places[phrase_of(tokens[i : i + length])])
        i += max(1, length)
    return ordinal, tuple(dict.fromkeys(places))


def _kinds_in(tokens: Tokens) -> frozenset[str]:
    """The kinds that the longest phrase among the tokens names."""
    kinds = lexicon().kinds
    lengths = [longest(tokens, i, kinds) for i in range(len(tokens))]
    best = max(lengths, default=0)
    return kinds[phrase_of(tokens[(i := lengths.index(best)) : i + best])] if best else _NONE


def _length_of_kind(tokens: Tokens, i: int) -> int:
    return max(longest(tokens, i, lexicon().kinds), longest(tokens, i, lexicon().containers))


def _kind_or_container(tokens: Tokens) -> frozenset[str]:
    words = lexicon()
    return words.containers.get(phrase_of(tokens), _NONE) or words.kinds.get(phrase_of(tokens), _NONE)


def _leave_out(tokens: Tokens, phrases: Collection[Phrase], keep: bool = True) -> Tokens:
    """Without a phrase at the start; what is nothing else stays when `keep`."""
    length = longest(tokens, 0, phrases)
    return tokens if keep and length == len(tokens) else tokens[length:]
