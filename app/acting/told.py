"""Whether a program tells that something changed where the pixels do not show it."""

from __future__ import annotations

from collections.abc import Sequence

from fingerpost.engine.accessibility import AccessibleNode
from fingerpost.engine.geometry import DesktopPoint

RESTLESS = frozenset({"focused", "showing"})
"""States that a click changes although it may have had no effect, or that come and go by themselves."""


def told_change(place: DesktopPoint, before: Sequence[AccessibleNode], after: Sequence[AccessibleNode]) -> bool:
    """Whether a node at `place` that is in both trees has another name, text or state.

    Only what was clicked counts: clocks and counters elsewhere change by themselves. Nodes that came or went are not
    counted either: a walk that ran out of time has only a part of them.
    """
    old, new = _by_place(place, before), _by_place(place, after)
    return any(old[node] != new[node] for node in old.keys() & new.keys())


def _by_place(
    place: DesktopPoint, nodes: Sequence[AccessibleNode]
) -> dict[tuple[object, ...], tuple[str, str, frozenset[str]]]:
    """What is told of each node at `place`, by its role and box."""
    there = [node for node in nodes if node.box.contains(place.x, place.y)]
    return {(node.role, node.box): (node.name, node.text, node.states - RESTLESS) for node in there}
