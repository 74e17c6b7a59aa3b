"""Words for kinds of element and of container: where they stand beside a name, and what is left of it."""

from __future__ import annotations

import re
from collections.abc import Collection

from fingerpost.engine.lite.query.tokens import Tokens, longest, phrase_of, word
from fingerpost.models.lexicon import Phrase, lexicon

CELL_NAME = re.compile(r"[a-z]{1,3}[0-9]{1,7}")
"""What cells of a spreadsheet are called, folded: "ac12"."""
NONE: frozenset[str] = frozenset()
FIELD = frozenset({"field"})
_LIST_ITEM = frozenset({"list item"})


def split_kind(tokens: Tokens, after_article: bool = True) -> tuple[Tokens, frozenset[str], bool]:
    """The name's tokens, the kinds said after it ("File menu") or before it ("menu File"), whether names have such."""
    words = lexicon()
    if phrase_of(tokens) in words.named_fields:
        return (word(words.named_fields[phrase_of(tokens)]),), FIELD, False
    tail = next((i for i in range(len(tokens)) if i + longest(tokens, i, words.kinds) == len(tokens)), len(tokens))
    head = longest(tokens, 0, words.kinds)
    if after_article and not head and tail == len(tokens):
        head = longest(tokens, 0, words.entries)
    strong_tail = tail < len(tokens) and phrase_of(tokens[tail:]) not in words.in_names
    strong_head = bool(head) and phrase_of(tokens[:head]) not in words.in_names
    link = longest(tokens, head, words.links) if head else 0
    if head and head + link < len(tokens) and (link or not tail < len(tokens) or (strong_head and not strong_tail)):
        kinds = words.kinds.get(phrase_of(tokens[:head]), _LIST_ITEM)
        rest = leave_out(tokens[head + link :], words.articles)
        return rest, kinds, not strong_head and not link and not CELL_NAME.fullmatch(phrase_of(rest)[0])
    if tail < len(tokens):
        return tokens[:tail], words.kinds[phrase_of(tokens[tail:])], not strong_tail
    return tokens, NONE, False


def kind_leads(tokens: Tokens) -> bool:
    return length_of_kind(tokens, 0) > 0


def belongs_together(name: Tokens) -> bool:
    """Whether a kind beside the name is rather a part of it: "New Tab", "Move to List", but not "column A"."""
    if len(name) == 1 and len(name[0].folded) == 1:
        return False
    before = lexicon().before_kinds
    return longest(name, 0, before) > 0 or longest(name, len(name) - 1, before) > 0


def kinds_in(tokens: Tokens) -> frozenset[str]:
    """The kinds that the longest phrase among the tokens names."""
    kinds = lexicon().kinds
    lengths = [longest(tokens, i, kinds) for i in range(len(tokens))]
    best = max(lengths, default=0)
    return kinds[phrase_of(tokens[(i := lengths.index(best)) : i + best])] if best else NONE


def length_of_kind(tokens: Tokens, i: int) -> int:
    return max(longest(tokens, i, lexicon().kinds), longest(tokens, i, lexicon().containers))


def kind_or_container(tokens: Tokens) -> frozenset[str]:
    words = lexicon()
    return words.containers.get(phrase_of(tokens), NONE) or words.kinds.get(phrase_of(tokens), NONE)


def leave_out(tokens: Tokens, phrases: Collection[Phrase], keep: bool = True) -> Tokens:
    """Without a phrase at the start; what is nothing else stays when `keep`."""
    length = longest(tokens, 0, phrases)
    return tokens if keep and length == len(tokens) else tokens[length:]
