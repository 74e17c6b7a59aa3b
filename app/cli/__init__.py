"""The command `fingerpost`. Each command lives in a file of its own and is imported only when it is called.

Exit codes: 0 found (or done), 1 not found, 2 wrong use, 3 cannot run, 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import codecs
import importlib
import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn, TextIO

import click

COMMANDS = {
    "find": "Find what you describe on a picture or on the screen.",
    "read": "List everything seen: texts and elements.",
    "screens": "List the monitors and where they are.",
    "app": "Start the desktop application, or wake the one that runs.",
    "doctor": "Check what works here and say how to mend the rest.",
    "bench": "Score an engine on a file of cases.",
    "calibrate": "Measure how a large model tells places.",
    "completion": "Print the completion script for your shell.",
}
"""Command name → its one-line help. The module `app/cli/<name>.py` defines the click command `<name>`."""

CANNOT_RUN, STOPPED = 3, 130
"""Exit codes, see above."""


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

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _output():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _output():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@contextmanager
def _output() -> Iterator[None]:
    """A full disk is an error like others. A reader that went away, as `head` does, needs no words."""
    from fingerpost.engine.errors import OutputError

    try:
        yield
    except OSError as error:
        _discard(sys.stdout)
        if isinstance(error, BrokenPipeError):
            raise click.exceptions.Exit(CANNOT_RUN) from None
        raise OutputError(
            f"Not everything could be written: {error.strerror or error}.", "Check where the output goes."
        ) from error


def _discard(stream: TextIO) -> None:
    """Python would try to write what is left once more when it ends, and fail once more."""
    with suppress(OSError, ValueError, AttributeError):  # a standard output that is no file, or none at all
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


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


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and leave the process with its exit code."""
    warnings.showwarning = _say
    _write_whatever_is_read()
    code = _run(args)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # none at all, or closed
            try:
                stream.flush()
            except OSError:  # Python would try once more when it ends, and leave with a code of its own
                _discard(stream)
    sys.exit(code)


def _write_whatever_is_read() -> None:
    """Screens and queries hold any character. Those that the output's encoding lacks are written as JSON does."""
    codecs.register_error("json", as_json_does)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="json")


def as_json_does(error: UnicodeError) -> tuple[str, int]:
    """The handler of `codecs.register_error`: \\u and four digits, twice for characters beyond 65535."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{unit.hex()}" for unit in (units[i : i + 2] for i in range(0, len(units), 2))), error.end


def _run(args: list[str] | None) -> int:
    """The exit code. Without click's own handling, where Ctrl-C is 1 as well, which here means "not found"."""
    from fingerpost.engine.errors import FingerpostError

    try:
        result = cli.main(args=args, prog_name="fingerpost", standalone_mode=False)
    except FingerpostError as error:
        return _failed(error.message, error.hint, error.exit_code)
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return STOPPED
    except MemoryError:
        return _failed("Not enough memory.", "Try a smaller picture or a region of the screen.", CANNOT_RUN)
    return result if isinstance(result, int) else 0


def _failed(message: str, hint: str, exit_code: int) -> int:
    with suppress(OSError):  # the error output may be full or closed as well
        click.echo(f"fingerpost: {message}\n{hint}", err=True)
    return exit_code
