"""A conversation about the screen: later queries may refer to the last answer ("the other one", "the one below")."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.neighbours import SIDES, nearest, neighbour
from fingerpost.engine.refinements import Refinement, read_refinement
from fingerpost.engine.values import Answer, Box, Engine, Frame, FrameSize, Pixels, Query, Target
from fingerpost.models.lexicon import phrase

if TYPE_CHECKING:
    from fingerpost.engine.accessibility.nodes import AccessibleNode

MAX_TURNS = 200  # that a session remembers
ALIKE = 0.75
"""Places of an ambiguous answer fit equally well when they are at least so sure, compared with the first."""
CHOSEN = 0.98
"""Confidence at most in a place that the user chose among several."""
SAME_PLACE = 0.5
"""Boxes that overlap by more (intersection over union) are one place."""

_EXTREMES: dict[str, Callable[[Target], int]] = {
    "topmost": lambda t: t.y,
    "bottommost": lambda t: -t.y,
    "leftmost": lambda t: t.x,
    "rightmost": lambda t: -t.x,
}
_SIDE_OF = {"topmost": "above", "bottommost": "below", "leftmost": "left", "rightmost": "right"}


@dataclass(frozen=True)
class Rejected:
    """A place that the user ruled out: it stays so as long as it looks the same.

    box     frame pixels, of a frame of this `size` and `origin`
    digest  of the pixels in the box
    """

    box: Box
    size: FrameSize
    origin: tuple[int, int]
    digest: bytes

    def is_at(self, frame: Frame, target: Target) -> bool:
        """Whether a target on a frame is this place."""
        same_screen = frame.size == self.size and frame.origin == self.origin
        return same_screen and target.box.iou(self.box) > SAME_PLACE and digest(cut(frame, self.box)) == self.digest


@dataclass(frozen=True)
class Turn:
    """One query and its answer.

    subject   the ordinary query that the answer goes back to: "Save" for "Save", then "the other one"
    screen    digest of the frame's pixels
    rejected  all that has been ruled out so far
    typing    the text may still have been growing
    """

    query: str
    subject: str
    answer: Answer
    screen: bytes
    rejected: tuple[Rejected, ...] = ()
    typing: bool = False


class Session:
    """Turns are only ever added; those before the last `MAX_TURNS` are forgotten. One instance serves one thread."""

    def __init__(self, turns: Iterable[Turn] = ()) -> None:
        self._turns = list(turns)
        self._digested: tuple[weakref.ref[Frame], bytes] | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(self._turns)

    def find(
        self,
        engine: Engine,
        frame: Frame,
        query: Query,
        accessible: Sequence[AccessibleNode] = (),
        typing: bool = False,
    ) -> Answer:
        """The answer to a query or to a refinement of the last answer; it becomes the last answer."""
        turn = self.ask(engine, frame, query, accessible, typing)
        self.add(turn)
        return turn.answer

    def ask(
        self,
        engine: Engine,
        frame: Frame,
        query: Query,
        accessible: Sequence[AccessibleNode] = (),
        typing: bool = False,
    ) -> Turn:
        """The turn that a query makes, not added yet.

        With `typing`, texts that grow out of each other ("t", "the o", "the other one") are one query in the making:
        what they refer to is the answer before the first of them.
        """
        start = time.perf_counter()
        asking = _Asking(engine, frame, tuple(accessible))
        screen = self._digest(frame)
        before = self._before(query.text)
        rejected = before[-1].rejected if before else ()
        base = next((turn for turn in reversed(before) if turn.answer.targets), None)
        refinement = read_refinement(query.text)
        if base is None or refinement is None or _is_on_screen(asking, query, refinement):
            return Turn(query.text, query.text, asking.find(query), screen, rejected, typing)
        turn = _refine(asking, base, refinement, screen, rejected)
        answer = replace(turn.answer, elapsed_ms=(time.perf_counter() - start) * 1000)
        return replace(turn, query=query.text, answer=answer, typing=typing)

    def add(self, turn: Turn) -> None:
        self._turns.append(turn)
        del self._turns[:-MAX_TURNS]

    def _before(self, text: str) -> list[Turn]:
        """The turns before the one that `text` is the latest form of, without queries that were only in the making."""
        turns = list(self._turns)
        rest = text.strip()
        while turns and turns[-1].typing and _is_in_the_making(turns[-1].query.strip(), rest):
            rest = min(rest, turns.pop().query.strip(), key=len)
        while (
            len(turns) > 1 and turns[-1].typing and turns[-2].typing and _is_left_of(turns[-1].query, turns[-2].query)
        ):
            turns.pop()
        return turns

    def _digest(self, frame: Frame) -> bytes:
        """The digest of a frame's pixels, computed once a frame."""
        if self._digested is None or self._digested[0]() is not frame:
            self._digested = weakref.ref(frame), digest(frame.pixels)
        return self._digested[1]


@dataclass(frozen=True)
class _Asking:
    """An engine and what it is shown."""

    engine: Any
    frame: Frame
    accessible: tuple[AccessibleNode, ...]

    def find(self, query: Query) -> Answer:
        more = (self.accessible,) if self.accessible else ()
        answer: Answer = self.engine.find(self.frame, query, *more)
        return answer

    def scene(self) -> Scene | None:
        """What is on the frame; None from an engine that does not tell."""
        see = getattr(self.engine, "see", None)
        scene: Scene | None = see(self.frame) if see else None
        return scene


def digest(pixels: Pixels) -> bytes:
    return xxhash.xxh3_128_digest(np.ascontiguousarray(pixels).data)


def cut(frame: Frame, box: Box) -> Pixels:
    """The part of a frame's pixels in a box."""
    box = box.intersection(frame.box)
    return frame.pixels[box.y : box.bottom, box.x : box.right]


def _is_in_the_making(earlier: str, rest: str) -> bool:
    """Whether `rest`, the shortest form of a text, was typed on from an earlier one, or is most of it with the end
    deleted. What is left when a line was cleared and begun anew is not most of it."""
    return rest.startswith(earlier) or (earlier.startswith(rest) and 2 * len(rest) >= len(earlier))


def _is_left_of(text: str, before: str) -> bool:
    """Whether a text is what was left of the one before while it was being deleted."""
    text, before = text.strip(), before.strip()
    return len(text) < len(before) and before.startswith(text)


def _is_on_screen(asking: _Asking, query: Query, refinement: Refinement) -> bool:
    """Whether something on the screen is called what a doubtful refinement says: a button Next, for "the next"."""
    if refinement.sure:
        return False
    answer = asking.find(query)
    return answer.found and phrase(answer.targets[0].label.strip(" .…:")) == refinement.words


def _refine(asking: _Asking, base: Turn, refinement: Refinement, screen: bytes, rejected: tuple[Rejected, ...]) -> Turn:
    """The turn that a refinement of `base` makes; its query is left empty."""
    if refinement.choice == "same":
        subject = f"{base.subject} {refinement.addition}"
        return Turn("", subject, asking.find(Query(subject)), screen, rejected)
    frame = asking.frame
    pointed = base.answer.targets[0]
    shown = base.answer
    if screen != base.screen:
        shown = asking.find(Query(base.subject))
        pointed = next((t for t in shown.targets if _is_same(t, pointed)), (*shown.targets, pointed)[0])
    if refinement.rejects:
        rejected = (*rejected, Rejected(pointed.box, frame.size, frame.origin, digest(cut(frame, pointed.box))))
    allowed = tuple(t for t in shown.targets if not any(r.is_at(frame, t) for r in rejected))
    chosen = _choose(refinement, replace(shown, targets=allowed), pointed, asking.scene)
    chosen = tuple(t for t in chosen if not any(r.is_at(frame, t) for r in rejected))
    return Turn("", base.subject, _answer(refinement, shown, chosen), screen, rejected)


def _choose(
    refinement: Refinement, shown: Answer, pointed: Target, scene: Callable[[], Scene | None]
) -> tuple[Target, ...]:
    """Targets in the order that a refinement asks for; empty when there is none like that."""
    targets, choice = shown.targets, refinement.choice
    others = tuple(t for t in targets if not _is_same(t, pointed))
    if choice == "number":
        return _first(_numbered(targets, refinement.number), targets)
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


def _beside(
    shown: Answer, others: tuple[Target, ...], pointed: Target, side: str, scene: Callable[[], Scene | None]
) -> Target | None:
    """Of several that fit the query as well, the nearest on that side; else the nearest thing of the same kind."""
    found = nearest((t for t in others if t in _alike(shown)), pointed, side)
    if found is None and (seen := scene()):
        found = neighbour(seen, pointed, side)
    return found or nearest(others, pointed, side)


def _stepped(targets: tuple[Target, ...], pointed: Target, choice: str) -> tuple[Target, ...]:
    """The targets, begun one further than the one pointed at, or one before it."""
    at = next((i for i, t in enumerate(targets) if _is_same(t, pointed)), None)
    if at is None:  # it has been ruled out: the others have moved up
        start = 0 if choice == "next" else len(targets) - 1
    else:
        start = (at + (1 if choice == "next" else -1)) % len(targets)
    return targets[start:] + targets[:start]


def _adjacent(pointed: Target, choice: str, scene: Callable[[], Scene | None]) -> tuple[Target, ...]:
    """The next thing of the same kind in a row or in a column, whichever is nearer."""
    seen = scene()
    sides = ("below", "right") if choice == "next" else ("above", "left")
    found = [neighbour(seen, pointed, side) for side in sides] if seen else []
    return tuple(sorted((t for t in found if t), key=lambda t: _centre_distance(t, pointed)))


def _centre_distance(a: Target, b: Target) -> int:
    return abs(a.box.centre[0] - b.box.centre[0]) + abs(a.box.centre[1] - b.box.centre[1])


def _numbered(targets: tuple[Target, ...], number: int) -> Target | None:
    index = number - 1 if number > 0 else len(targets) + number
    return targets[index] if 0 <= index < len(targets) else None


def _first(chosen: Target | None, targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """The chosen one, then the others; empty when none was."""
    return () if chosen is None else (chosen, *(t for t in targets if not _is_same(t, chosen)))


def _alike(shown: Answer) -> tuple[Target, ...]:
    """The targets that fit equally well."""
    if not shown.ambiguous:
        return shown.targets[:1]
    return tuple(t for t in shown.targets if t.confidence >= ALIKE * shown.targets[0].confidence)


def _is_same(a: Target, b: Target) -> bool:
    return a.box.iou(b.box) > SAME_PLACE


def _answer(refinement: Refinement, shown: Answer, chosen: tuple[Target, ...]) -> Answer:
    """The answer for the chosen targets, as sure as choosing among the ones shown makes it."""
    if not chosen:
        reason = _REASONS.get(refinement.choice, "There is nothing more on that side.")
        return replace(shown, found=False, ambiguous=False, targets=(), reason=reason)
    alike = _alike(shown)
    left = [t for t in chosen if t in alike]
    still_open = refinement.choice == "other" and len(left) > 1
    if chosen[0] in alike:
        share = len(alike) / len(left) if still_open else len(alike)
        chosen = (replace(chosen[0], confidence=_surer(chosen[0].confidence, share)), *chosen[1:])
    reason = f"{len(left)} other places fit equally well: say which one." if still_open else ""
    return replace(shown, found=True, ambiguous=still_open, targets=chosen, reason=reason)


def _surer(confidence: float, share: float) -> float:
    """The confidence in one of several equal places when so many times fewer are left; never less than before."""
    return max(confidence, min(CHOSEN, confidence * share))


_REASONS = {
    "number": "There are not so many places.",
    "smaller": "None of the others is smaller.",
    "larger": "None of the others is larger.",
    "other": "No other place fits.",
    "next": "No other place fits.",
    "previous": "No other place fits.",
}
