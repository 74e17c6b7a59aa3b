"""A query in the user's words, taken apart: what it is called, what kind of thing it is, where it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from fingerpost.models.lexicon import Phrase, fold, lexicon

Value = TypeVar("Value")

_OPENING, _CLOSING = "\"“„«'‘‚»”", "\"”“»'’‘«"
_SHORTCUT = re.compile(r"\s*\[[^\[\]]*\]$")
_TOKEN = re.compile(r"\x00\d+\x00|[^\s\x00]+")
_EDGES = ",.;:?!"

_CELL_NAME = re.compile(r"[a-z]{1,3}[0-9]{1,7}")
"""What cells of a spreadsheet are called: "AC12"."""


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


@dataclass(frozen=True)
class _Token:
    """A word of the query as written and folded; `quote` is the text when it stood in quotation marks."""

    text: str
    folded: str
    quote: str | None = None


_Tokens = tuple[_Token, ...]


def parse(text: str) -> ParsedQuery:
    """Takes a query apart. Understands English, German, Spanish and Portuguese; never fails."""
    tokens = _tokenise(text)
    readings: list[ParsedQuery] = []
    for head, anchors in _splits(tokens):
        readings += [replace(reading, text=text, anchors=anchors) for reading in _read_target(head, anchors)]
    whole = ParsedQuery(text, _plain(tokens) or text.strip(), kinds=frozenset())
    readings = [r for r in readings if r.name or r.kinds or r.ordinal is not None or r.places]
    if not any(t.quote is not None for t in tokens):
        readings.append(whole)
    distinct = list(dict.fromkeys(variant for reading in readings or [whole] for variant in _variants(reading)))
    return replace(distinct[0], alternatives=tuple(distinct[1:]))


def _variants(reading: ParsedQuery) -> tuple[ParsedQuery, ...]:
    """A name without the keyboard shortcut that its tooltip shows in brackets, and as it was said."""
    short = _SHORTCUT.sub("", reading.name)
    return (replace(reading, name=short), reading) if short and short != reading.name else (reading,)


def _tokenise(text: str) -> _Tokens:
    """Words, with each quoted passage as one token."""
    quotes: list[str] = []
    marked = []
    at = 0
    for start, end in _quoted(text):
        marked.append(text[at:start].replace("\x00", " ") + f" \x00{len(quotes)}\x00 ")
        quotes.append(text[start + 1 : end].strip())
        at = end + 1
    marked.append(text[at:].replace("\x00", " "))
    tokens = []
    for match in _TOKEN.findall("".join(marked)):
        if match.startswith("\x00"):
            quote = quotes[int(match.strip("\x00"))]
            tokens.append(_Token(quote, "\x00", quote))
        else:
            tokens.append(_Token(match, fold(match).strip(_EDGES) or fold(match)))
    return tuple(tokens)


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
        elif depth and char in _CLOSING and (after.isspace() or after in ".,;:!?)]"):
            depth -= 1
            if depth == 0 and text[start + 1 : i].strip():
                passages.append((start, i))
    if not passages:
        first, last = text.find('"'), text.rfind('"')
        if last > first >= 0 and text[first + 1 : last].strip():
            passages.append((first, last))
    return passages


def _splits(tokens: _Tokens) -> list[tuple[_Tokens, tuple[Anchor, ...]]]:
    """The target's tokens and what they are related to: cut at each relation, or not at all."""
    words = lexicon()
    for i in range(len(tokens)):
        length = _longest(tokens, i, words.relations)
        if not length:
            continue
        relation = words.relations[_phrase(tokens[i : i + length])]
        anchor = _read_anchor(relation, tokens[i + length :])
        if anchor is None:
            continue
        if i == 0 and relation == "in":
            continue
        heads = [(tokens[:i], (anchor, *more)) for more in [_more(tokens[i + length :])]]
        return heads if any(t.quote is not None for t in tokens) or relation == "in" else [*heads, (tokens, ())]
    return [(tokens, ())]


def _more(tokens: _Tokens) -> tuple[Anchor, ...]:
    """Relations after the first: "next to X in the dialog"."""
    words = lexicon()
    for i in range(1, len(tokens)):
        length = _longest(tokens, i, words.relations)
        if length:
            anchor = _read_anchor(words.relations[_phrase(tokens[i : i + length])], tokens[i + length :])
            if anchor is not None:
                return (anchor,)
    return ()


def _read_anchor(relation: str, tokens: _Tokens) -> Anchor | None:
    """What follows a relation; None when it is no relation after all ("Start in minimal view")."""
    words = lexicon()
    tokens = _without_start(tokens, words.articles)
    if not tokens:
        return None
    quotes = [t.quote for t in tokens if t.quote is not None]
    containers: set[str] = set()
    at = len(tokens)
    for i in range(len(tokens)):
        length = _longest(tokens, i, words.containers)
        if length and not _starts_with_kind(tokens[i + length :]):  # not "in new tab button"
            containers |= words.containers[_phrase(tokens[i : i + length])]
            at = i
            break
    if relation == "in":
        if not containers:
            return None
        unquoted = " ".join(t.text for t in tokens[:at])
        return Anchor("in", quotes[0] if quotes else unquoted if at <= 3 else "", frozenset(containers))
    if quotes:
        return Anchor(relation, quotes[0], _kinds_in(tokens))
    cut = next((i for i in range(1, len(tokens)) if _longest(tokens, i, words.relations)), len(tokens))
    name, kinds = _split_kind(tokens[:cut])
    return Anchor(relation, " ".join(t.text for t in name) or _plain(tokens[:cut]), kinds)


def _read_target(tokens: _Tokens, anchors: tuple[Anchor, ...]) -> list[ParsedQuery]:
    """The readings of the target's own words, the likeliest first."""
    words = lexicon()
    axis, backwards, tokens = _counting(tokens)
    commanded, tokens = _without_commands(tokens)
    implied = _implied_by(anchors)
    quote = next((t.quote for t in tokens if t.quote is not None), None)
    if quote is not None:
        rest = tuple(t for t in tokens if t.quote is None)
        ordinal, places, _ = _places(rest)
        kinds = _kinds_in(rest) or implied
        return [ParsedQuery("", quote, True, kinds, _counted(ordinal, backwards), axis, places)]
    article = bool(_longest(tokens, 0, words.articles))
    bare = _without_start(tokens, words.articles)
    name, kinds = _split_kind(bare)
    ordinal, places, unplaced = _places(name)
    placed = ParsedQuery("", _plain(unplaced), False, kinds or implied, _counted(ordinal, backwards), axis, places)
    named = ParsedQuery("", _plain(name), False, kinds or implied)
    readings = [named, placed] if name and not axis and unplaced else [placed]
    if _CELL_NAME.fullmatch(fold(named.name)) and "cell" not in kinds:
        readings.append(replace(named, kinds=frozenset({"cell"})))
    if kinds and not article and not commanded and not anchors:
        return [ParsedQuery("", _plain(bare), False), *readings]  # "New Tab": the kind may be part of the name
    return readings


def _implied_by(anchors: tuple[Anchor, ...]) -> frozenset[str]:
    """Something chosen "from the menu" is a menu entry, something "in the list" a list entry."""
    kinds = set()
    for anchor in anchors:
        if anchor.relation == "in" and anchor.kinds == {"menu"}:
            kinds.add("menu item")
        if anchor.relation == "in" and anchor.kinds == {"list"}:
            kinds.add("list item")
    return frozenset(kinds)


def _without_commands(tokens: _Tokens) -> tuple[bool, _Tokens]:
    """Leaves out "click on" and, where what follows shows that it is a command to us, "open", "choose", "toggle".

    "Open Recent" is a name, "open the File menu" a command: an article, a quote or a kind follows it.
    """
    words = lexicon()
    commanded = False
    while length := _longest(tokens, 0, words.click):
        if length == len(tokens):
            break
        commanded, tokens = True, tokens[length:]
    length = _longest(tokens, 0, words.command)
    rest = tokens[length:]
    if length and rest and (rest[0].quote is not None or _longest(rest, 0, words.articles) or _starts_with_kind(rest)):
        has_kind = any(t.quote is not None for t in rest) or bool(_kinds_in(rest))
        if has_kind:
            return True, rest
    return commanded, tokens


def _starts_with_kind(tokens: _Tokens) -> bool:
    return bool(_longest(tokens, 0, lexicon().kinds))


def _counting(tokens: _Tokens) -> tuple[str | None, bool, _Tokens]:
    """The direction of counting ("from the top"), whether from its end, and the tokens without it."""
    counting = lexicon().counting
    for i in range(len(tokens)):
        length = _longest(tokens, i, counting)
        if length:
            found = counting[_phrase(tokens[i : i + length])]
            axis = "x" if "x" in found else "y"
            return axis, "backwards" in found, tokens[:i] + tokens[i + length :]
    return None, False, tokens


def _counted(ordinal: int | None, backwards: bool) -> int | None:
    return -ordinal if ordinal is not None and backwards else ordinal


def _places(tokens: _Tokens) -> tuple[int | None, tuple[str, ...], _Tokens]:
    """Ordinal and places among the tokens, and the tokens without them."""
    words = lexicon()
    ordinal: int | None = None
    places: list[str] = []
    rest: list[_Token] = []
    i = 0
    while i < len(tokens):
        length = max(_longest(tokens, i, words.ordinals), _longest(tokens, i, words.places))
        found = _phrase(tokens[i : i + length])
        if not length:
            rest.append(tokens[i])
        elif found in words.ordinals:
            ordinal = words.ordinals[found]
        else:
            places.append(words.places[found])
        i += max(1, length)
    return ordinal, tuple(places), tuple(rest)


def _split_kind(tokens: _Tokens) -> tuple[_Tokens, frozenset[str]]:
    """The name's tokens and the kinds, said before the name ("menu File") or after it ("File menu")."""
    words = lexicon()
    for start in range(len(tokens)):
        if start + _longest(tokens, start, words.kinds) == len(tokens):
            kinds = words.kinds[_phrase(tokens[start:])]
            return tokens[:start], kinds
    length = _longest(tokens, 0, words.kinds)
    if length:
        kinds = words.kinds[_phrase(tokens[:length])]
        rest = _without_start(_without_start(tokens[length:], words.connectors), words.articles)
        return rest, kinds
    ordinal_length = max(_longest(tokens, 0, words.ordinals), _longest(tokens, 0, words.places))
    if ordinal_length and _longest(tokens, ordinal_length, words.kinds):
        name, kinds = _split_kind(tokens[ordinal_length:])
        return tokens[:ordinal_length] + name, kinds
    return tokens, frozenset()


def _kinds_in(tokens: _Tokens) -> frozenset[str]:
    """The kinds that a longest phrase among the tokens names."""
    words = lexicon()
    best, longest = frozenset[str](), 0
    for i in range(len(tokens)):
        length = _longest(tokens, i, words.kinds)
        if length > longest:
            best, longest = words.kinds[_phrase(tokens[i : i + length])], length
    return best


def _longest(tokens: _Tokens, start: int, phrases: Mapping[Phrase, Value] | Collection[Phrase]) -> int:
    """How many tokens from `start` are the longest of the phrases; 0 when none begins there."""
    folded = _phrase(tokens[start : start + 5])
    return next((n for n in range(len(folded), 0, -1) if folded[:n] in phrases), 0)


def _phrase(tokens: _Tokens) -> Phrase:
    """Folded words without hyphens, as the lexicon holds them."""
    return tuple(token.folded.replace("-", "") if token.quote is None else "\x00" for token in tokens)


def _without_start(tokens: _Tokens, phrases: Collection[Phrase]) -> _Tokens:
    length = _longest(tokens, 0, phrases)
    return tokens[length:] if length < len(tokens) else tokens


def _plain(tokens: _Tokens) -> str:
    return " ".join(token.text for token in tokens).strip()
