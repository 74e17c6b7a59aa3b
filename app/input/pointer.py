"""What a way of using pointer and keyboard has to do. Handlers are tried in the order of `input.HANDLERS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fingerpost.engine.geometry import DesktopPoint

BUTTONS = ("left", "middle", "right")


def never() -> bool:
    """Nobody stops it."""
    return False


class Pointer(Protocol):
    """One way to move, click and type. Places are desktop physical pixels. One thread at a time.

    name  for people
    hint  how to get it where it is missing, one sentence
    """

    name: str
    hint: str

    def problem(self) -> str | None:
        """Why it cannot work here, in a few words; None when it can. Cheap, does not raise."""
        ...

    def position(self) -> DesktopPoint | None:
        """Where the pointer is; None where the system does not tell."""
        ...

    def move(self, point: DesktopPoint) -> None:
        """Raises `InputError` when the position read back is another one."""
        ...

    def click(self, point: DesktopPoint, button: str = "left", count: int = 1) -> None:
        """Move there, then press and release `button` (one of `BUTTONS`) `count` times at exactly that pixel.

        Modifiers that are held are released first. Raises `InputError`; then nothing was pressed.
        """
        ...

    def type_text(self, text: str, stopped: Callable[[], bool] = never) -> None:
        """Type any Unicode text into what has the keyboard; a line feed is Enter. Raises `InputError`.

        `stopped` is asked every few characters; when it says True, the rest is left out.
        """
        ...

    def release_all(self) -> None:
        """Let go of all buttons and modifiers that were pressed here. Does not raise; called in every `finally`."""
        ...
