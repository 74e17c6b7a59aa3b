"""What the settings window asks of the rest of the application."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fingerpost.app.desktop.widgets.check_rows import CheckRow


class Change(Protocol):
    """Takes new values of fields of `Settings`: `change(theme="dark")`."""

    def __call__(self, **values: Any) -> None: ...


@dataclass(frozen=True)
class Services:
    """All are called on the user interface's thread, but `checks`.

    try_hotkey     None when a chord is free, else one sentence saying who has it; it is not kept
    open_windows   the program's name and the title of each open window, the topmost first
    checks         what works here; may take seconds, called on a thread of its own
    open_history, clear_history    show the history; forget it (the user has agreed)
    engines        the names that `Settings.engine` may have
    """

    try_hotkey: Callable[[str], str | None]
    open_windows: Callable[[], Sequence[tuple[str, str]]]
    checks: Callable[[], Sequence[CheckRow]]
    open_history: Callable[[], None]
    clear_history: Callable[[], None]
    engines: tuple[str, ...] = ("auto", "lite", "holotron")
