"""Going back through earlier queries."""

from __future__ import annotations

from collections.abc import Sequence


class Earlier:
    """The latest query first. `position` is None while no earlier one is in the line."""

    def __init__(self, queries: Sequence[str] = ()) -> None:
        self.queries = tuple(dict.fromkeys(filter(None, map(str.strip, queries))))
        self.position: int | None = None

    @property
    def browsing(self) -> bool:
        return self.position is not None

    def older(self) -> str | None:
        """The next earlier query; None when there is none."""
        position = 0 if self.position is None else self.position + 1
        if position >= len(self.queries):
            return None
        self.position = position
        return self.queries[position]

    def newer(self) -> str:
        """The next later query; "" behind the latest, and browsing ends."""
        if not self.position:
            self.position = None
            return ""
        self.position -= 1
        return self.queries[self.position]

    def leave(self) -> None:
        self.position = None
