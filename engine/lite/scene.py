"""What the lite engine saw on one frame: lines of text and interface elements, in frame pixels."""

from __future__ import annotations

from dataclasses import dataclass

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
