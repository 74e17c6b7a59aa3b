"""Memories for results: one forgets those not used for longest, the other those whose pixels changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from fingerpost.engine.values import Box

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LeastRecentlyUsed(Generic[Key, Value]):
    """Keeps values up to a total `budget`, in whatever unit `put` counts their cost."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._used = 0
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: Key, value: Value, cost: int = 1) -> None:
        if key in self._entries:
            self._used -= self._entries.pop(key)[1]
        self._entries[key] = value, cost
        self._used += cost
        while self._used > self._budget:
            self._used -= self._entries.popitem(last=False)[1][1]

    def __len__(self) -> int:
        return len(self._entries)


class WhileUnchanged(Generic[Key, Value]):
    """Remembers what was worked out of a place on the screen, for as long as the pixels there stay the same.

    Holds what the last frame needed, no more.
    """

    def __init__(self) -> None:
        self._before: dict[Key, Value] = {}
        self._now: dict[Key, Value] = {}
        self._changed: Callable[[Box], bool] = _always

    def begin(self, changed: Callable[[Box], bool]) -> None:
        """A new frame: `changed` tells whether the pixels in a box are others than on the frame before."""
        self._before, self._now, self._changed = self._now, {}, changed

    def get(self, key: Key, place: Box, work_out: Callable[[], Value]) -> Value:
        """The value of `key`, which depends on itself and the pixels of `place` only."""
        if key in self._now:
            return self._now[key]
        known = key in self._before and not self._changed(place)
        value = self._now[key] = self._before[key] if known else work_out()
        return value


def _always(place: Box) -> bool:
    return True
