"""Engines that understand a question from those before it, as a large model does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.values import Answer, Frame, Query


class Conversation(Protocol):
    """The turns of one session, as its engine keeps them. The engine adds what it answers itself.

    standing  all that was said so far, as a value that never changes; set to an earlier one, what came after it was
              never said
    """

    standing: Any

    def recall(self, words: str, answer: Answer) -> None:
        """Adds a turn that was answered otherwise. One that found nothing is left out."""
        ...


@runtime_checkable
class Converses(Protocol):
    """`find` takes a conversation that `converse` of the same engine began."""

    def converse(self) -> Conversation: ...

    def find(
        self, frame: Frame, query: Query, accessible: Sequence[AccessibleNode] = (), *, conversation: Any = None
    ) -> Answer: ...
