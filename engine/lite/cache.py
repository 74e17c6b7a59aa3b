"""A memory for results that forgets the ones not used for longest."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

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
