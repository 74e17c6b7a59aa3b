"""What a way of asking for windows has to tell. Handlers are tried in the order of `windowing.HANDLERS`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from fingerpost.app.windowing.values import WindowAt
from fingerpost.engine.geometry import DesktopPoint


class Handler(Protocol):
    """One way to ask. Windows of this process are never among the answers.

    name  for people
    hint  how to get it where it is missing, one sentence
    """

    name: str
    hint: str

    def problem(self) -> str | None:
        """Why it cannot work here, in a few words; None when it can. Cheap, does not raise."""
        ...

    def window_at(self, point: DesktopPoint, ignore: Collection[int] = ()) -> WindowAt | None:
        """The window that a click at `point` would reach; None over the bare desktop. Raises `WindowError`."""
        ...

    def active_window(self) -> WindowAt | None:
        """The window with the keyboard; when it is ours, the topmost other one. Raises `WindowError`."""
        ...

    def visible_windows(self) -> tuple[WindowAt, ...]:
        """All windows on the screen, also covered ones, topmost first; no tooltips. Raises `WindowError`."""
        ...
