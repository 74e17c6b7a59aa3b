"""The options that say where to look; `find` and `read` share them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fingerpost.engine.errors import UsageError

if TYPE_CHECKING:
    from fingerpost.engine.finder import Source

Command = TypeVar("Command", bound=Callable[..., Any])


class RegionType(click.ParamType[tuple[int, ...]]):
    """X,Y,W,H in physical pixels of the desktop; X and Y may be negative."""

    name = "X,Y,W,H"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        try:
            x, y, width, height = (int(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is not four whole numbers separated by commas, for example 0,0,800,600.", param, ctx)
        if width <= 0 or height <= 0:
            self.fail(f"{value!r} has no area; width and height must be positive.", param, ctx)
        return x, y, width, height


class ScreenType(click.ParamType[int | str]):
    """A monitor's number or name."""

    name = "MONITOR"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        text = str(value).strip()
        if not text.lstrip("+-").isdecimal():
            return text or self.fail("The monitor's number or name is empty.", param, ctx)
        number = int(text)
        if number < 1:
            self.fail(f"{number} is no monitor: 1 is the first.", param, ctx)
        return number


def source_options(command: Command) -> Command:
    """Adds --image, --screen, --window and --region."""
    options = (
        click.option("--image", metavar="FILE", type=click.Path(path_type=Path), help="Look at a picture file."),
        click.option("--screen", type=ScreenType(), help="Look at this monitor: its number or name, see screens."),
        click.option("--window", metavar="TITLE", help="Look at the window whose title contains TITLE."),
        click.option("--region", type=RegionType(), help="Look at this part of the desktop, in physical pixels."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def source_of(
    image: Path | None, screen: int | str | None, window: str | None, region: tuple[int, int, int, int] | None
) -> Source:
    """What the options name; the whole desktop when none is given. Raises `UsageError` when several are."""
    from fingerpost.engine import capture

    given = [value for value in (image, screen, window, region) if value is not None]
    if len(given) > 1:
        raise UsageError("More than one place to look at was given.", "Use only one of these options.")
    if image is not None:
        return image
    if screen is not None:
        return capture.Screen(screen)
    if window is not None:
        return capture.Window(window)
    if region is not None:
        return capture.Region(*region)
    return capture.Desktop()
