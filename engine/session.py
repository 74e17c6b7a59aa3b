"""A conversation about the screen: later queries may refer to the last answer ("the other one", "the one below")."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fingerpost.engine.accessibility.merge import with_accessible
from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.conversing import Conversation, Converses
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.references.choosing import choose, is_same, numbered, refined
from fingerpost.engine.references.reading import Refinement, read_refinement
from fingerpost.engine.turn import MAX_TURNS, Rejected, Turn, cut, digest, settled
from fingerpost.engine.values import Answer, Engine, Frame, Query, Target
from fingerpost.models.lexicon import phrase

RECALLED = 4
"""So many of the turns that a large model did not answer itself are told to it at most."""


class Session:
    """Turns are only ever added; those before the last `MAX_TURNS` are forgotten. One instance serves one thread.

    An engine that converses gets the turns with each whole query that is no refinement known by its words.
    """

    def __init__(self, turns: Iterable[Turn] = ()) -> None:
        self._turns = list(turns)
        self._digested: tuple[weakref.ref[Frame], bytes] | None = None
        self._conversation: Conversation | None = None
        self._told: list[tuple[Answer, Any]] = []  # what the conversation holds, each with where it stood before

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
        what they refer to is the answer before the first of them, until `settle` says that one was meant as it stood.
        """
        start = time.perf_counter()
        asking = _Asking(engine, frame, tuple(accessible))
        screen = self._digest(frame)
        before = _before(self._turns, query.text)
        rejected = before[-1].rejected if before else ()
        base = next((turn for turn in reversed(before) if turn.answer.targets), None)
        refinement = read_refinement(query.text)
        if base is None or refinement is None or _is_on_screen(asking, query, refinement):
            answer = self._converse(asking, query, before) if isinstance(engine, Converses) else asking.find(query)
            return Turn(query.text, query.text, answer, screen, rejected, typing)
        turn = _refine(asking, base, refinement, screen, rejected)
        answer = replace(turn.answer, elapsed_ms=(time.perf_counter() - start) * 1000)
        return replace(turn, query=query.text, answer=answer, typing=typing)

    def add(self, turn: Turn) -> None:
        self._turns.append(turn)
        del self._turns[:-MAX_TURNS]

    def settle(self, text: str) -> None:
        """The user has acted on the answer to this text: what is typed from now on does not grow out of it."""
        self._turns[:] = settled(self._turns, text)

    def _converse(self, asking: _Asking, query: Query, before: list[Turn]) -> Answer:
        """The answer as one that follows those before; the conversation holds it from now on."""
        conversation = self._continued(asking.engine, _meant(before))
        standing = conversation.standing
        answer = asking.find(query, conversation)
        self._told.append((answer, standing))
        return answer

    def _continued(self, engine: Converses, before: list[Turn]) -> Conversation:
        """The conversation, holding the turns before a query and none else.

        Those that were only in the making, or whose answer nobody waited for, are taken back; those that it does not
        hold yet are told to it.
        """
        if self._conversation is None:
            self._conversation = engine.converse()
        while self._told and not any(turn.answer is self._told[-1][0] for turn in before):
            _, self._conversation.standing = self._told.pop()
        latest = self._told[-1][0] if self._told else None
        held = next((number for number, turn in enumerate(before, 1) if turn.answer is latest), 0)
        for turn in before[held:][-RECALLED:]:
            self._told.append((turn.answer, self._conversation.standing))
            self._conversation.recall(turn.query, turn.answer)
        del self._told[:-MAX_TURNS]
        return self._conversation

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

    def find(self, query: Query, conversation: Conversation | None = None) -> Answer:
        more = (self.accessible,) if self.accessible else ()
        how = {} if conversation is None else {"conversation": conversation}
        answer: Answer = self.engine.find(self.frame, query, *more, **how)
        return answer

    def scene(self) -> Scene | None:
        """What is on the frame; None from an engine that does not tell."""
        see = getattr(self.engine, "see", None)
        scene: Scene | None = see(self.frame) if see else None
        return with_accessible(scene, self.accessible, self.frame) if scene and self.accessible else scene


def _before(turns: Sequence[Turn], text: str) -> list[Turn]:
    """The turns before the one that `text` is the latest form of, without queries that were only in the making."""
    before = list(turns)
    rest = text.strip()
    while before and before[-1].typing and _is_in_the_making(before[-1].query.strip(), rest):
        rest = min(rest, before.pop().query.strip(), key=len)
    while (
        len(before) > 1 and before[-1].typing and before[-2].typing and _is_left_of(before[-1].query, before[-2].query)
    ):
        before.pop()
    return before


def _meant(turns: Sequence[Turn]) -> list[Turn]:
    """The turns without those that a later one grew out of."""
    found: list[Turn] = []
    rest = list(turns)
    while rest:
        found.insert(0, rest.pop())
        rest = _before(rest, found[0].query)
    return found


def _is_in_the_making(earlier: str, rest: str) -> bool:
    """Whether `rest`, the shortest form of a text, was typed on from an earlier one, or is most of it with the end
    deleted. What is left when a line was cleared and begun anew is not most of it."""
    return rest.startswith(earlier) or (earlier.startswith(rest) and 2 * len(rest) >= len(earlier))


def _is_left_of(text: str, before: str) -> bool:
    """Whether a text is what was left of the one before while it was being deleted."""
    text, before = text.strip(), before.strip()
    return len(text) < len(before) and before.startswith(text)


def _is_on_screen(asking: _Asking, query: Query, refinement: Refinement) -> bool:
    """Whether a text on the screen reads as a doubtful refinement does: a button Next, for "the next"."""
    scene = None if refinement.sure else asking.scene()
    readings = {refinement.words, phrase(query.text)}
    return scene is not None and any(phrase(line.text.strip(" .…:")) in readings for line in scene.lines)


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
        pointed = next((t for t in shown.targets if is_same(t, pointed)), (*shown.targets, pointed)[0])
    if refinement.rejects:
        rejected = (*rejected, Rejected(pointed.box, frame.size, frame.origin, digest(cut(frame, pointed.box))))

    def is_open(target: Target) -> bool:
        return not any(place.is_at(frame, target) for place in rejected)

    if refinement.choice == "number":  # as the places were numbered before anything was rejected
        chosen = numbered(shown.targets, refinement.number)
    else:
        left = replace(shown, targets=tuple(filter(is_open, shown.targets)))
        chosen = choose(refinement.choice, left, pointed, asking.scene)
    chosen = tuple(filter(is_open, chosen)) if not chosen or is_open(chosen[0]) else ()
    return Turn("", base.subject, refined(refinement.choice, shown, chosen), screen, rejected)
