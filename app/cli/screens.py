"""`fingerpost screens`: the monitors and where they are."""

from __future__ import annotations

import json

import click


@click.command(short_help="List the monitors and where they are.")
@click.option("--json", "as_json", is_flag=True, help="Print the monitors as one JSON array.")
def screens(as_json: bool) -> None:
    """List the monitors with their numbers and names, both good for --screen, and draw where they stand.

    Sizes and places are physical pixels of the desktop; a monitor left of or above the first has negative ones.

    \b
    Examples:
      fingerpost screens
      fingerpost screens --json

    Exit codes: 0 done, 2 wrong use, 3 cannot run.
    """
    from fingerpost.app.doctor import screen_map
    from fingerpost.engine import capture

    monitors = capture.monitors().monitors
    if as_json:
        click.echo(
            json.dumps(
                [
                    {"number": m.number, "name": m.name, "box": list(m.box), "scale": m.scale, "primary": m.primary}
                    for m in monitors
                ],
                ensure_ascii=False,
            )
        )
        return
    for m in monitors:
        primary = ", primary" if m.primary else ""
        click.echo(f"{m.number}  {m.name}: {m.box.width} × {m.box.height} at {m.box.x},{m.box.y}{primary}")
    click.echo(screen_map([(str(m.number), m.box) for m in monitors]))
