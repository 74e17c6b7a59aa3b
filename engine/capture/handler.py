"""What a way of capturing has to tell and to do. Handlers are tried in the order of `capture.HANDLERS`."""

from __future__ import annotations

from typing import Protocol

from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.geometry import Layout
from fingerpost.engine.values import Box, Pixels


class Handler(Protocol):
    """One way to capture the screen.

    name  for people
    hint  how to get it where it is missing, one sentence
    """

    name: str
    hint: str

    def problem(self) -> str | None:
        """Why it cannot work here, in a few words; None when it can. Must be cheap and must not raise."""
        ...

    def layout(self) -> Layout:
        """The monitors. Raises `CaptureError`."""
        ...

    def grab(self, box: Box) -> Pixels:
        """The pixels of a part of the desktop, BGRA, not copied where possible. Raises `CaptureError`."""
        ...

    def windows(self) -> tuple[WindowInfo, ...]:
        """The windows, topmost first; empty when this way cannot tell."""
        ...
