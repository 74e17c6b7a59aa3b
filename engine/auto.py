"""The `auto` engine: what is written on the screen is found by reading it; the model is asked about the rest.

Reading takes milliseconds and is exact where the query names what is written. The model is asked when reading finds
nothing, several things, or only something similar. The answer says which of the two gave it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.conversing import Conversation
from fingerpost.engine.errors import ModelError
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.values import Answer, Frame, Query, Target

EXACT = 0.9
"""Confidence from which a text or a told name is what was asked for, letter for letter."""
READ = frozenset({"text", "accessibility"})


class Reader(Protocol):
    """The lite engine."""

    def see(self, frame: Frame) -> Scene: ...

    def find(self, frame: Frame, query: Query, accessible: Sequence[AccessibleNode] = ()) -> Answer: ...


class Model(Protocol):
    """The Holotron engine."""

    @property
    def warnings(self) -> tuple[str, ...]: ...

    def converse(self) -> Conversation: ...

    def prefill(self, frame: Frame, stopped: Callable[[], bool] = ...) -> None: ...

    def find(
        self,
        frame: Frame,
        query: Query,
        accessible: Sequence[AccessibleNode] = (),
        stopped: Callable[[], bool] = ...,
        conversation: Any = None,
    ) -> Answer: ...


def never() -> bool:
    return False


class AutoEngine:
    """Asks `reader` first and `model` when that is not exact. One instance serves one thread."""

    name = "auto"

    def __init__(self, reader: Reader, model: Model) -> None:
        self._reader = reader
        self._model = model

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know about the model on this machine; one sentence each."""
        return self._model.warnings

    def converse(self) -> Conversation:
        """A conversation to give to `find`, whose questions may refer to those before."""
        return self._model.converse()

    def see(self, frame: Frame) -> Scene:
        """Everything read on the frame."""
        return self._reader.see(frame)

    def prefill(self, frame: Frame, stopped: Callable[[], bool] = never) -> None:
        """Look at a frame before anything is asked. Raises `StoppedError` soon after `stopped` says so.

        What keeps the model from looking is told with the answers, which are then those of the reader.
        """
        self._reader.see(frame)
        try:
            self._model.prefill(frame, stopped)
        except ModelError:
            if stopped():
                raise

    def find(
        self,
        frame: Frame,
        query: Query,
        accessible: Sequence[AccessibleNode] = (),
        stopped: Callable[[], bool] = never,
        conversation: Conversation | None = None,
    ) -> Answer:
        """The places that fit the query; `Answer.engine` is "lite" or "holotron", whichever gave it.

        When the model cannot answer (the context is full, say), what was read is the answer, with the reason.
        The model learns from the `conversation` also what was read, so that later questions may refer to it: each turn
        has the place that was shown.
        """
        start = time.perf_counter()
        read = self._reader.find(frame, query, accessible)
        if is_exact(read):
            _recall(conversation, query, read)
            return read
        standing = None if conversation is None else conversation.standing
        try:
            said = self._model.find(frame, query, accessible, stopped, conversation)
        except ModelError as error:
            if stopped():
                raise
            _recall(conversation, query, read)
            return replace(read, reason=f"{error.message} {read.reason}".strip())
        answer = replace(joined(read, said), elapsed_ms=(time.perf_counter() - start) * 1000)
        if conversation is not None and _place(answer) != _place(said):
            conversation.standing = standing
            conversation.recall(query.text, answer)
        return answer


def _recall(conversation: Conversation | None, query: Query, read: Answer) -> None:
    if conversation is not None:
        conversation.recall(query.text, read)


def _place(answer: Answer) -> tuple[int, int] | None:
    """The pixel that is pointed at."""
    return (answer.targets[0].x, answer.targets[0].y) if answer.targets else None


def is_exact(answer: Answer) -> bool:
    """Whether reading alone is enough: one place, named letter for letter."""
    if not answer.found or answer.ambiguous:
        return False
    best = answer.targets[0]
    return best.confidence >= EXACT and best.source in READ


def joined(read: Answer, said: Answer) -> Answer:
    """The model's answer, or, where both mean the same place, that place as it was read; what was read alone when the
    model found nothing.

    The model has chosen: of the other places none is told surer than its own.
    """
    if not said.found:
        return read if read.found else said
    best = said.targets[0]
    same = next((target for target in read.targets if _is_same(target, best)), None)
    if same is None:
        return said
    first = replace(same, source=best.source, confidence=max(same.confidence, best.confidence))
    others = _apart([target for target in (*said.targets[1:], *read.targets) if not _is_same(target, first)])
    lower = (replace(target, confidence=min(target.confidence, first.confidence)) for target in others)
    targets = (first, *sorted(lower, key=lambda target: -target.confidence))
    return replace(said, targets=targets, ambiguous=False, reason="")


def _apart(targets: Sequence[Target]) -> tuple[Target, ...]:
    found: list[Target] = []
    for target in targets:
        if not any(_is_same(target, other) for other in found):
            found.append(target)
    return tuple(found)


def _is_same(one: Target, other: Target) -> bool:
    return one.box.contains(other.x, other.y) or other.box.contains(one.x, one.y)
