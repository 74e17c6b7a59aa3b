"""`fingerpost doctor`: what works on this machine, and how to mend the rest."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from fingerpost.app.doctor import Check

MARKS = {True: ("ok", "green"), None: ("note", "yellow"), False: ("fail", "bold red")}
"""A check's outcome → its word and colour; None is something better that is missing, or cannot be known."""


@click.command(short_help="Check what works here and say how to mend the rest.")
@click.option("--json", "as_json", is_flag=True, help="Print the checks as one JSON object.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check what works on this machine, and say how to mend the rest.

    \b
    ok    works
    note  works without it, or better with it
    fail  does not work

    --json prints {"ok", "checks": [{"name", "ok", "detail", "fix"}]}; a check's ok is true, false, or null for a note.

    \b
    Examples:
      fingerpost doctor
      fingerpost doctor --json

    Exit codes: 0 finding on a picture works, 3 not even that works.
    """
    from fingerpost.app.cli.console import CommandConsole
    from fingerpost.app.doctor import NEEDED_FOR_PICTURES, run_checks

    checks = run_checks()
    works = all(check.ok is not False for check in checks if check.name in NEEDED_FOR_PICTURES)
    if as_json:
        fields = {"ok": works, "checks": [asdict(check) for check in checks]}
        click.echo(json.dumps(fields, ensure_ascii=False, indent=2))
    else:
        CommandConsole(highlight=False).print(_table(checks))
    ctx.exit(0 if works else 3)


def _table(checks: Sequence[Check]) -> Table:
    """One row a check; below it, what to do."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        word, colour = MARKS[check.ok]
        table.add_row(Text(word, colour), Text(check.name, "bold"), Text(check.detail))
        if check.fix:
            table.add_row("", "", Text(f"-> {check.fix}"))
    return table
