"""`fingerpost app`: the desktop application."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command(short_help="Start the desktop application, or wake the one that runs.")
@click.option("--toggle", "wish", flag_value="toggle", help="Open the palette, or close it: bind this to a key.")
@click.option("--settings", "wish", flag_value="settings", help="Open the settings.")
@click.option("--history", "wish", flag_value="history", help="Open the history.")
@click.option("--quit", "wish", flag_value="quit", help="End the running application.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, and never click.")
@click.option("--hidden", is_flag=True, help="Start in the tray, without a word: for starting at login.")
@click.option("--log", metavar="FILE", type=click.Path(path_type=Path), help="Write what happens as lines of JSON.")
def app(wish: str | None, dry_run: bool, hidden: bool, log: Path | None) -> None:
    """Start the desktop application: a tray icon and a hotkey.

    Press the hotkey (Ctrl+Alt+Space unless you choose another), type what you want to click, and press Enter when the
    ring is on it. A second start wakes the application that runs already.

    \b
    Examples:
      fingerpost app
      fingerpost app --toggle
      fingerpost app --dry-run

    Exit codes: 0 done, 1 --quit and nothing was running, 2 wrong use, 3 cannot run.
    """
    from fingerpost.app.desktop.single_instance import ask

    if ask(wish or "find"):
        return
    if wish == "quit":
        click.echo("Fingerpost is not running.")
        raise SystemExit(1)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing is multiplied here: saves a buffer a thread
    from fingerpost.app.desktop.qt import require_qt

    require_qt()
    from fingerpost.app.desktop.application import run

    raise SystemExit(run(first=wish, dry_run=dry_run, hidden=hidden, log=log))
