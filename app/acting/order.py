"""What shall be done, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fingerpost.app.windowing.values import WindowAt
from fingerpost.engine.geometry import DesktopPoint, FramePoint, frame_to_desktop
from fingerpost.engine.values import Frame, Target


@dataclass(frozen=True, eq=False)
class Order:
    """What the user wants done.

    action     one of `app.settings.values.ACTIONS`, but not "copy", which needs no pointer
    target     its place is in pixels of `frame`
    window     the window that was under the target at the look, None over the bare desktop or when nobody tells
    pointer    where the pointer was at the look, or at the user's last click in our own windows
    text       what to type, for "type"
    dry_run    check everything, then do nothing
    confirmed  the user agreed, or `needs_confirmation` said that nobody has to
    """

    action: str
    target: Target
    frame: Frame
    window: WindowAt | None
    pointer: DesktopPoint | None
    text: str = ""
    dry_run: bool = False
    confirmed: bool = False

    @property
    def place(self) -> DesktopPoint:
        """Where to click. Raises `GeometryError` when the target is not on the frame."""
        return frame_to_desktop(self.frame, FramePoint(self.target.x, self.target.y))


@dataclass(frozen=True)
class Outcome:
    """What became of an order.

    kind    "done": something changed after it; "unverified": it was done and nothing seems to have changed;
            "refused": a check failed and nothing was done; "stopped": the user stopped it; "dry run"
    reason  a key of `app.text`
    values  what to fill in there
    """

    kind: Literal["done", "unverified", "refused", "dry run", "stopped"]
    reason: str
    values: dict[str, str] = field(default_factory=dict)
