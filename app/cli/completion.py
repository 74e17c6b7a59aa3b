"""`fingerpost completion`: the script that completes commands, options and file names in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

INSTALL = {
    "bash": """Add this line to ~/.bashrc:  eval "$(fingerpost completion bash)\"""",
    "zsh": """Add this line to ~/.zshrc, below compinit:  eval "$(fingerpost completion zsh)\"""",
    "fish": "Save this as ~/.config/fish/completions/fingerpost.fish",
}


@click.command(short_help="Print the completion script for your shell.")
@click.argument("shell", type=click.Choice(list(INSTALL)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that makes SHELL complete commands, options and file names.

    \b
    bash: add to ~/.bashrc                 eval "$(fingerpost completion bash)"
    zsh:  add to ~/.zshrc, below compinit  eval "$(fingerpost completion zsh)"
    fish: run once                         fingerpost completion fish > ~/.config/fish/completions/fingerpost.fish
    """
    script = get_completion_class(shell)
    assert script
    click.echo(f"# {INSTALL[shell]}")
    click.echo(script(ctx.find_root().command, {}, "fingerpost", "_FINGERPOST_COMPLETE").source())
