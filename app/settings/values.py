"""The user's choices as one frozen value; `app.settings.store` keeps them on disk."""

from __future__ import annotations

from dataclasses import dataclass

THEMES = ("system", "light", "dark")
ACTIONS = ("click", "double", "right", "middle", "move", "type", "copy")
"""What Enter may do with a target: the clicks, move the pointer there, type a text into it, copy its place."""
MAX_THREADS = 64
MAX_DAYS = 3650  # a history of ten years


@dataclass(frozen=True)
class Settings:
    """All choices with their defaults.

    language         "" for the system's, else one of `app.text.LANGUAGES`
    theme            one of `THEMES`
    reduced_motion   None: as the system says
    hotkey           opens the palette; written "Ctrl+Alt+Space", see `app.hotkeys.chord`
    engine, model    which engine answers, and a large model's file; "" for none
    threads          CPU threads of the engine
    accessibility    ask programs for names and places of what they show
    action           what Enter does first, one of `ACTIONS`
    allowed_apps     programs in which Enter needs no second confirmation, by their program's name
    dry_run          show what would be done, and do nothing
    excluded_apps    programs that are never captured, by their program's name, whatever the case
    excluded_titles  windows that are never captured: a part of their title, whatever the case
    history, history_pictures, history_days    keep a history, with pictures, for so many days (0: for ever)
    dim              darken the rest of the screen softly while pointing
    start_at_login   start with the desktop
    first_run_done   whether the first-run page has been closed
    """

    language: str = ""
    theme: str = "system"
    reduced_motion: bool | None = None
    hotkey: str = "Ctrl+Alt+Space"
    engine: str = "auto"
    model: str = ""
    threads: int = 1
    accessibility: bool = True
    action: str = "click"
    allowed_apps: tuple[str, ...] = ()
    dry_run: bool = False
    excluded_apps: tuple[str, ...] = ("keepassxc", "bitwarden", "1password")
    excluded_titles: tuple[str, ...] = ()
    history: bool = True
    history_pictures: bool = True
    history_days: int = 30
    dim: bool = True
    start_at_login: bool = False
    first_run_done: bool = False
