"""Facts about an answer in the words that palette and overlay share."""

from __future__ import annotations

import re

from fingerpost.app.acting.confirmation import CERTAIN
from fingerpost.app.text import text

LIKELY = 0.65
POSSIBLE = 0.35


def confidence(value: float) -> str:
    """0..1 in words: nobody has to read a bar or a colour."""
    if value >= CERTAIN:
        return text("palette.very_sure")
    if value >= LIKELY:
        return text("palette.likely")
    return text("palette.possible") if value >= POSSIBLE else text("palette.guess")


def elapsed(milliseconds: float) -> str:
    if milliseconds < 1000:
        return text("palette.milliseconds", ms=max(1, round(milliseconds)))
    seconds = f"{milliseconds / 1000:.1f}".replace(".", text("palette.decimal_point"))
    return text("palette.seconds", s=seconds)


def kind(name: str) -> str:
    """A target's kind in the user's language; one that nobody has translated as it is."""
    return _known(f"palette.kind_{name.replace(' ', '_')}", name)


def source(name: str) -> str:
    """What found a target, as the user would say it."""
    return _known(f"palette.source_{name}", name)


def _known(key: str, otherwise: str) -> str:
    try:
        return text(key)
    except KeyError:
        return otherwise


def why_not(reason: str) -> str:
    """An engine's reason for finding nothing in the user's language; an unknown one as it is."""
    named = re.search("“(.+)”", reason)
    if named and reason.startswith("Nothing that reads"):
        return text("palette.nothing_named", name=named.group(1))
    return text("palette.nothing_there") if reason.startswith("Nothing of that kind") else reason
