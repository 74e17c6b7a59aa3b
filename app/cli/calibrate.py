"""`fingerpost calibrate`: measure how a large model tells places, and remember it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingerpost.app.cli.engine_options import ModelFile

if TYPE_CHECKING:
    from fingerpost.engine.holotron.calibration import Shown, Trial
    from fingerpost.engine.holotron.runtime import Runtime

TILINGS = (12, 6)
SIZES = ((1920, 1080), (1366, 768))


@click.command(short_help="Measure how a large model tells places.")
@click.argument("model", type=ModelFile())
@click.option(
    "--targets", metavar="N", type=click.IntRange(1, 60), default=20, show_default=True, help="At most, on each screen."
)
@click.option(
    "--tiles", metavar="N", type=click.IntRange(1, 12), multiple=True,
    help="Most tiles to try; 12 and 6. Not for a model that is shown a screen as one picture.",
)  # fmt: skip
@click.option("--threads", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="CPU threads.")
@click.option("--dry-run", is_flag=True, help="Measure, and remember nothing.")
def calibrate(model: Path, targets: int, tiles: tuple[int, ...], threads: int, dry_run: bool) -> None:
    """Measure how MODEL, a GGUF file with its mmproj file beside it, or miniature, tells places.

    Screens with known shapes, buttons, words, icons and fields are drawn and shown to it, small ones too, as it is
    sent them. Its answers are read as whole numbers of 0 to 1000, as decimals of 0 to 1, and as pixels; for each, the
    median error and the share of hits are printed. The best one is remembered for this file when at least half of its
    answers hit, and Fingerpost no longer warns about it.

    \b
    Examples:
      fingerpost calibrate holotron-12b-Q4_K_M.gguf
      fingerpost calibrate holotron-12b-Q4_K_M.gguf --targets 50 --tiles 12

    Exit codes: 0 measured and remembered, 1 nothing was good enough, 2 wrong use, 3 cannot run.
    """
    from fingerpost.engine.finder import require_llama

    require_llama()
    from fingerpost.engine.holotron.calibration import ask_model, tilings_for
    from fingerpost.engine.holotron.calibration import calibrate as measure
    from fingerpost.engine.holotron.header import read_header
    from fingerpost.engine.holotron.runtime import Options, Runtime, find_profile
    from fingerpost.models.profiles import calibration_folder

    profile = find_profile(model, read_header(model))
    tilings = tilings_for(profile, tiles or TILINGS)
    if tiles and profile.pictures.scheme != "grid":
        raise click.UsageError(f"{profile.name} is shown a screen as one picture: leave out --tiles.")
    if not dry_run:
        check_writable(calibration_folder())
    runtime = Runtime(Options(model, threads=threads, profile=profile))
    click.echo(f"{profile.name}: {runtime.placement}")
    try:
        screens = known_screens(runtime, targets, max(tilings))
        trials = measure(ask_model(runtime), profile, screens, tilings, lambda trial: click.echo(in_words(trial)))
    finally:
        runtime.close()
    conclude(model, trials, dry_run)


def known_screens(runtime: Runtime, targets: int, max_tiles: int) -> list[Shown]:
    """One of each of `SIZES`, with at most so many targets, drawn for the most tiles that are tried."""
    from fingerpost.app.bench.things import draw_things, plan_for
    from fingerpost.engine.holotron.calibration import Known, Shown
    from fingerpost.engine.values import FrameSize

    sizes = [FrameSize(*size) for size in SIZES]
    plans = [plan_for(size, runtime.viewer.sent(size, max_tiles), targets) for size in sizes]
    drawn = [draw_things(plan, seed) for seed, plan in enumerate(plans)]
    return [Shown(one.frame, tuple(Known(goal.words, goal.box) for goal in one.goals)) for one in drawn]


def conclude(model: Path, trials: Sequence[Trial], dry_run: bool) -> None:
    """Tell the best of the trials, and remember it; leaves with 1 when none is good."""
    from fingerpost.models.profiles import calibration_folder, store_calibration

    best = next((trial for trial in trials if trial.is_good), None)
    if best is None:
        click.echo(f"No convention hits half of the targets; the nearest: {in_words(trials[0])}")
        raise SystemExit(1)
    click.echo(f"Best: {in_words(best)}")
    if not dry_run:
        click.echo(f"Remembered in {store_calibration(calibration_folder(), model, best.as_calibration())}")


def check_writable(folder: Path) -> None:
    """Raises `OutputError`: better before an hour of measuring than behind it."""
    from fingerpost.engine.errors import OutputError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise OutputError(
            f"What is measured cannot be kept in {folder} ({error.strerror}).",
            "Make that folder writable, or only measure, with --dry-run.",
        ) from error


def in_words(trial: Trial) -> str:
    """One line."""
    seen = "one picture" if trial.max_tiles == 1 else f"{trial.max_tiles} tiles"
    return (
        f"{seen}, asked for {trial.asked}, read as {trial.read}: "
        f"median error {100 * trial.median_error:.1f} % of the longer side, {100 * trial.hit_rate:.0f} % hits"
    )
