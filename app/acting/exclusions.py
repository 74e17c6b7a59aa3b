"""What is never captured or clicked, checked before every capture. Where it cannot be checked, the answer is no."""

from __future__ import annotations

from collections.abc import Iterable

from fingerpost.app import windowing
from fingerpost.app.settings.values import Settings
from fingerpost.app.windowing import processes
from fingerpost.app.windowing.values import WindowAt
from fingerpost.engine.errors import WindowError


def excluded(windows: Iterable[WindowAt], settings: Settings) -> WindowAt | None:
    """The first of `windows` that the user excluded: by one of its program's names, or by a part of its title."""
    apps, titles = _cleaned(settings.excluded_apps), _cleaned(settings.excluded_titles)
    for window in windows:
        names = {name.casefold() for name in window.names | {window.app}}
        if names & apps or any(part in window.title.casefold() for part in titles):
            return window
    return None


def windows_to_check(settings: Settings) -> tuple[WindowAt, ...]:
    """All windows on the screen, topmost first, to be given to `excluded`.

    On a desktop that does not list them: none, but only when no title is excluded and no excluded program runs.
    Otherwise raises `WindowError`.
    """
    try:
        return windowing.visible_windows()
    except WindowError as error:
        if _cleaned(settings.excluded_titles):
            raise WindowError(
                "Nothing was captured: this desktop does not tell which windows are open, and you excluded some.",
                "Exclude programs instead of titles, or use a session on X11.",
            ) from error
        if found := sorted(_cleaned(settings.excluded_apps) & processes.running()):
            raise WindowError(
                f"Nothing was captured: {found[0]} is running, and this desktop does not tell where its windows are.",
                f"Quit {found[0]}, or change the list of excluded programs in the settings.",
            ) from error
        return ()


def _cleaned(entries: Iterable[str]) -> set[str]:
    """Without case and surrounding blanks; an empty entry would match everything."""
    return {entry.strip().casefold() for entry in entries} - {""}
