"""What the lite engine saw on one frame: lines of text and interface elements, in frame pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fingerpost.engine.values import Box, FrameSize

KINDS = (
    "button", "menu", "menu item", "tab", "check box", "switch", "radio button", "field", "combo", "spin",
    "slider", "link", "list item", "column header", "cell", "icon", "text",
)  # fmt: skip
"""The kinds of element the engine tells apart, by their plain English names."""


@dataclass(frozen=True)
class TextLine:
    """One line of text as the OCR read it.

    char_x  for each character of `text` the x of its centre, frame pixels
    score   mean probability of the characters, 0..1
    """

    text: str
    box: Box
    score: float
    char_x: tuple[float, ...]


@dataclass(frozen=True)
class Word:
    """A run of characters without a gap; `start` is the index of its first character in the line's text."""

    text: str
    box: Box
    start: int


@dataclass(frozen=True)
class Element:
    """Something that looks operable; `kind` is one of `KINDS`, or "box" when its form says nothing more.

    name         as the program tells assistive software; "" when it was only seen
    description  what the program says beside that, often its tooltip
    """

    box: Box
    kind: str
    score: float
    name: str = ""
    description: str = ""


@dataclass(frozen=True)
class Container:
    """An area that holds elements: "menu bar", "toolbar", "menu", "dialog", "window", "status bar", ...

    name    its title, or the menu-bar entry that opened it; "" when unknown
    """

    box: Box
    kind: str
    name: str = ""
    score: float = 1.0


@dataclass(frozen=True)
class Scene:
    """Everything seen on a frame. `ui_scale` is estimated from the text: about 2.0 on a HiDPI screen."""

    size: FrameSize
    lines: tuple[TextLine, ...]
    elements: tuple[Element, ...]
    containers: tuple[Container, ...]
    ui_scale: float

    @cached_property
    def wrapped(self) -> list[tuple[TextLine, TextLine]]:
        """See `wrapped_lines`; worked out once for all that is looked for on the scene."""
        return wrapped_lines(self.lines)


def wrapped_lines(lines: Sequence[TextLine]) -> list[tuple[TextLine, TextLine]]:
    """Captions that wrap: each upper line that another follows closely, centred or left aligned, and both as one."""
    joined = []
    by_top = sorted(lines, key=lambda line: line.box.y)
    for index, upper in enumerate(by_top):
        for lower in by_top[index + 1 :]:
            gap = lower.box.y - upper.box.bottom + upper.box.height // 3
            if gap >= upper.box.height:
                break
            if gap < 0:
                continue
            if upper.box.height > 1.6 * lower.box.height or lower.box.height > 1.6 * upper.box.height:
                continue
            aligned = abs(upper.box.centre[0] - lower.box.centre[0]) < upper.box.height // 2
            if aligned or abs(upper.box.x - lower.box.x) < upper.box.height // 2:
                text = f"{upper.text} {lower.text}"
                both = TextLine(text, upper.box.union(lower.box), min(upper.score, lower.score), ())
                joined.append((upper, both))
    return joined
