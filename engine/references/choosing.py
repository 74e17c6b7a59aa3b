"""Which places a refinement means, among those shown before and those that stand beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.references.neighbours import SIDES, nearest, neighbour
from fingerpost.engine.turn import SAME_PLACE
from fingerpost.engine.values import Answer, Target

ALIKE = 0.75
"""Places of an ambiguous answer fit equally well when they are at least so sure, compared with the first."""
CHOSEN = 0.98
"""Confidence at most in a place that the user chose among several."""
GUESSED = "model"
"""Source of the places that no choice makes surer: it tells which one is meant, not whether the model saw right."""

_EXTREMES: dict[str, Callable[[Target], int]] = {
    "topmost": lambda t: t.y,
    "bottommost": lambda t: -t.y,
    "leftmost": lambda t: t.x,
    "rightmost": lambda t: -t.x,
}
_SIDE_OF = {"topmost": "above", "bottommost": "below", "leftmost": "left", "rightmost": "right"}

Look = Callable[[], Scene | None]
"""What is on the screen, looked at only when needed; None from an engine that does not tell."""


def choose(choice: str, shown: Answer, pointed: Target, scene: Look) -> tuple[Target, ...]:
    """Targets in the order that a refinement asks for; empty when there is none like that."""
    targets = shown.targets
    others = tuple(t for t in targets if not is_same(t, pointed))
    if choice in {"smaller", "larger"}:
        sign = 1 if choice == "larger" else -1
        return tuple(t for t in others if sign * (t.box.area - pointed.box.area) > 0)
    if choice in _EXTREMES and len(_alike(shown)) > 1:
        return _first(min(_alike(shown), key=_EXTREMES[choice]), targets)
    side = _SIDE_OF.get(choice, choice)
    if side in SIDES:
        return _first(_beside(shown, others, pointed, side, scene), targets)
    if choice in {"next", "previous"}:
        return _stepped(targets, pointed, choice) if others else _adjacent(pointed, choice, scene)
    return others


def _beside(shown: Answer, others: tuple[Target, ...], pointed: Target, side: str, scene: Look) -> Target | None:
    """Of several that fit the query as well, the nearest on that side; else the nearest thing of the same kind."""
    found = nearest((t for t in others if t in _alike(shown)), pointed, side)
    if found is None and (seen := scene()):
        found = neighbour(seen, pointed, side)
    return found or nearest(others, pointed, side)


def _stepped(targets: tuple[Target, ...], pointed: Target, choice: str) -> tuple[Target, ...]:
    """The targets, begun one further than the one pointed at, or one before it."""
    at = next((i for i, t in enumerate(targets) if is_same(t, pointed)), None)
    if at is None:  # it has been ruled out: the others have moved up
        start = 0 if choice == "next" else len(targets) - 1
    else:
        start = (at + (1 if choice == "next" else -1)) % len(targets)
    return targets[start:] + targets[:start]


def _adjacent(pointed: Target, choice: str, scene: Look) -> tuple[Target, ...]:
    """The next thing of the same kind in a row or in a column, whichever is nearer."""
    seen = scene()
    sides = ("below", "right") if choice == "next" else ("above", "left")
    found = [neighbour(seen, pointed, side) for side in sides] if seen else []
    return tuple(sorted((t for t in found if t), key=lambda t: _centre_distance(t, pointed)))


def _centre_distance(a: Target, b: Target) -> int:
    return abs(a.box.centre[0] - b.box.centre[0]) + abs(a.box.centre[1] - b.box.centre[1])


def numbered(targets: tuple[Target, ...], number: int) -> tuple[Target, ...]:
    """The target of that number (1 for the first, -1 for the last), then the others; empty when there is none."""
    index = number - 1 if number > 0 else len(targets) + number
    return _first(targets[index] if 0 <= index < len(targets) else None, targets)


def _first(chosen: Target | None, targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """The chosen one, then the others; empty when none was."""
    return () if chosen is None else (chosen, *(t for t in targets if not is_same(t, chosen)))


def _alike(shown: Answer) -> tuple[Target, ...]:
    """The targets that fit equally well."""
    if not shown.ambiguous:
        return shown.targets[:1]
    return tuple(t for t in shown.targets if t.confidence >= ALIKE * shown.targets[0].confidence)


def is_same(a: Target, b: Target) -> bool:
    """Whether two targets are one place."""
    return a.box.iou(b.box) > SAME_PLACE


def refined(choice: str, shown: Answer, chosen: tuple[Target, ...]) -> Answer:
    """The answer for the chosen targets, as sure as choosing among the ones shown makes it."""
    if not chosen:
        reason = _REASONS.get(choice, "There is nothing more on that side.")
        return replace(shown, found=False, ambiguous=False, targets=(), reason=reason)
    alike = _alike(shown)
    left = [t for t in chosen if t in alike]
    still_open = choice == "other" and len(left) > 1
    if choice not in {"next", "previous"}:  # going through the places is no choice yet
        sure = left if still_open else left[:1] if chosen[0] in left else []
        share = len(alike) / len(left) if still_open else len(alike)
        chosen = tuple(_surer(t, share) if t in sure else t for t in chosen)
    reason = f"{len(left)} other places fit equally well: say which one." if still_open else ""
    return replace(shown, found=True, ambiguous=still_open, targets=chosen, reason=reason)


def _surer(target: Target, share: float) -> Target:
    """One of several equal places when so many times fewer are left; never less sure than before."""
    if target.source == GUESSED:
        return target
    return replace(target, confidence=max(target.confidence, min(CHOSEN, target.confidence * share)))


_REASONS = {
    "number": "There are not so many places.",
    "smaller": "None of the others is smaller.",
    "larger": "None of the others is larger.",
    "other": "No other place fits.",
    "next": "No other place fits.",
    "previous": "No other place fits.",
}
