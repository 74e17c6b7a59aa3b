"""Tables and colours on the terminal, for commands that print them."""

from __future__ import annotations

from rich.console import Console


class CommandConsole(Console):
    """rich's, but a pipe that its reader closed is the command line's affair: rich itself would leave with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
