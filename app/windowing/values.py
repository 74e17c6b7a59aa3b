"""A window as it stands on the desktop."""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.engine.values import Box


@dataclass(frozen=True)
class WindowAt:
    """A top-level window, a menu or a popup.

    id        the system's own number; the same window keeps it
    title     "" for menus and popups
    app       the program's name in lower case, "" when nobody tells
    pid       None when nobody tells
    box       desktop physical pixels, with the frame around it and without the shadow it draws itself
    elevated  it runs with more rights than we do: the system drops our input without a word
    names     all names under which the program is known, lower case; `app` is one of them
    """

    id: int
    title: str
    app: str
    pid: int | None
    box: Box
    elevated: bool = False
    names: frozenset[str] = frozenset()
