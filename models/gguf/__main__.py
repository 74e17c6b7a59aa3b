"""`python -m fingerpost.models.gguf`: writes a model of random weights."""

from __future__ import annotations

from pathlib import Path

import click

from fingerpost.models.gguf.pair import SHAPES, write_pair


@click.command()
@click.argument("folder", metavar="OUT", type=click.Path(path_type=Path, file_okay=False))
@click.option("--shape", type=click.Choice(list(SHAPES)), default="tiny", show_default=True)
def main(folder: Path, shape: str) -> None:
    """Write a language model of random weights and its vision file into the folder OUT.

    It answers nonsense, and takes the memory and the time of a real one.
    """
    try:
        pair = write_pair(shape, folder)
    except OSError as error:
        raise click.ClickException(
            f"The model cannot be written into {folder}: {error.strerror}.\nChoose another folder, or make room."
        ) from error
    for path in (pair.model, pair.vision):
        click.echo(f"{path.stat().st_size:,} bytes  {path}")


if __name__ == "__main__":
    main()
