"""What can be captured."""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.engine.values import Box


@dataclass(frozen=True)
class Desktop:
    """All monitors in one picture."""


@dataclass(frozen=True)
class Screen:
    """One monitor: by its number (1 is the first), or by its name or a part of it, whatever the case."""

    which: int | str


@dataclass(frozen=True)
class Window:
    """The topmost window whose title contains `title`, whatever its case."""

    title: str


@dataclass(frozen=True)
class Region:
    """A rectangle of the desktop, physical pixels; x and y may be negative."""

    x: int
    y: int
    width: int
    height: int


Source = Desktop | Screen | Window | Region


@dataclass(frozen=True)
class WindowInfo:
    """A window on the desktop; `box` in desktop physical pixels, with its frame where one is known."""

    title: str
    box: Box
    minimised: bool = False
