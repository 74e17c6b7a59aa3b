"""A query taken apart, as the other parts of the engine see it."""

from __future__ import annotations

from dataclasses import dataclass


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
    guessed  words that were taken for a place may as well belong to the name: to be tried when nothing else is found
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
    guessed: bool = False
    alternatives: tuple[ParsedQuery, ...] = ()
