"""The command `fingerpost`. Each command lives in a file of its own and is imported only when it is called.

Exit codes: 0 found (or done), 1 not found, 2 wrong use, 3 cannot run, 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from typing import Any

import click

COMMANDS = {
    "find": "Find what you describe on a picture or on the screen.",
    "read": "List everything seen: texts and elements.",
    "screens": "List the monitors and where they are.",
    "app": "Start the desktop application, or wake the one that runs.",
    "doctor": "Check what works here and say how to mend the rest.",
    "bench": "Score an engine on a file of cases.",
    "completion": "Print the completion script for your shell.",
}
"""Command name → its one-line help. The module `app/cli/<name>.py` defines the click command `<name>`."""


class LazyGroup(click.Group):
    """Loads a command's module when it is needed, so that `--help` does not import the engines."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"fingerpost.app.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="fingerpost", message="fingerpost %(version)s")
def cli() -> None:
    """Say what you want to click: Fingerpost finds it on your screen and points at it.

    \b
    Examples:
      fingerpost find "Save"
      fingerpost find "the second tab" --image shot.png --annotate found.png
      fingerpost read --json

    Everything runs on this machine. Exit codes: 0 found, 1 not found, 2 wrong use, 3 cannot run.
    """


def _say(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as a sentence, without the place in the program."""
    click.echo(f"fingerpost: {message}", err=True)


def main(args: list[str] | None = None) -> Any:
    """Run the command line and leave the process with its exit code."""
    from fingerpost.engine.errors import FingerpostError

    warnings.showwarning = _say
    try:
        return cli.main(args=args, prog_name="fingerpost")
    except FingerpostError as error:
        click.echo(f"fingerpost: {error.message}\n{error.hint}", err=True)
        sys.exit(error.exit_code)
    except MemoryError:
        click.echo("fingerpost: Not enough memory.\nTry a smaller picture or a region of the screen.", err=True)
        sys.exit(3)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(3)
