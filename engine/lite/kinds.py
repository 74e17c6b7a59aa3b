"""How well a kind that was asked for fits a kind that was seen.

Looks tell kinds apart only roughly (a flat button, a link and a list entry can look the same), so a kind never rules
a candidate out: it decides between candidates of the same name.
"""

from __future__ import annotations

from collections.abc import Iterable

ENTRY = frozenset({"field", "combo", "spin", "slider"})
"""Kinds that hold a value and are named by a label beside them."""

CHOICE = frozenset({"check box", "radio button", "switch"})
"""Kinds that are operated by a small mark beside their text."""

_FAMILIES: tuple[tuple[frozenset[str], float], ...] = (
    (frozenset({"button", "icon", "switch"}), 0.85),
    (frozenset({"button", "link"}), 0.6),
    (frozenset({"button", "tab"}), 0.6),
    (frozenset({"button", "combo"}), 0.4),
    (frozenset({"menu", "combo"}), 0.5),
    (ENTRY, 0.7),
    (CHOICE, 0.6),
    (frozenset({"menu item", "check box", "radio button"}), 0.5),
    (frozenset({"list item", "cell", "link", "menu item"}), 0.55),
    (frozenset({"column header", "button", "cell"}), 0.5),
    (frozenset({"field", "cell"}), 0.5),
)
UNTOLD = 0.45
"""The fit of something whose looks say nothing about its kind."""
_UNTOLD = frozenset({"text", "box"})
"""What is called so when its looks say nothing: it may be anything."""


def fit(asked: Iterable[str], seen: str) -> float:
    """1 for the same kind, less for a like one, 0.45 when looks say nothing, 0.1 for another; 0.5 for none asked."""
    return max((_fit_one(kind, seen) for kind in asked), default=0.5)


def _fit_one(asked: str, seen: str) -> float:
    if asked == seen:
        return 1.0
    if seen in _UNTOLD:
        return UNTOLD
    return max((score for family, score in _FAMILIES if asked in family and seen in family), default=0.1)
