"""How often the miniature points at what is meant, on screens that it was never trained on, through the whole engine.

python tests/bench/miniature.py [MODEL.gguf ...] [--screens 20] [--few-bits] [--afar] [--json]
"""

from __future__ import annotations

import itertools
import json
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import click

from fingerpost.app.bench.things import box_of, frame_of, plan_for
from fingerpost.engine.finder import model_file
from fingerpost.engine.geometry import FramePoint
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.llama import start_backend
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.holotron.tiles import choose_grid
from fingerpost.engine.holotron.views import View, Viewer
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.values import Frame, FrameSize, Query
from fingerpost.models.miniature.scenes import Question, Screen, draw_screen, questions
from fingerpost.models.miniature.shapes import VISION
from fingerpost.models.miniature.training.batches import random_plan
from fingerpost.models.miniature.training.quantizing import to_q4_k_m

SEED = 700_000
"""Training has no seed near it."""
COUNTS = (1, 3, 5, 7, 9, 13)
"""Pictures that the model is sent of a screen."""
FULL_SIZES = ((1920, 1080), (1366, 768), (1280, 800), (1024, 768))
THINGS = 14
ASKED = 8
"""Questions about a screen, at most."""


@dataclass(frozen=True)
class Hit:
    """An answer: what was asked, on which screens, whether it lay inside, how far off as a share of the longer side."""

    model: str
    screens: str
    kind: str
    inside: bool
    error: float


class FromAfar(Viewer):
    """Never looks a second time."""

    def near(self, frame: Frame, point: FramePoint) -> View | None:
        return None


def drawn(screens: int, counts: tuple[int, ...]) -> Iterator[tuple[str, Screen, list[Question]]]:
    """Screens of each number of pictures, then of the sizes that desktops have."""
    for count, number in itertools.product(counts, range(screens)):
        chance = random.Random(SEED + 1000 * count + number)
        screen = draw_screen(random_plan(chance, count), chance)
        yield f"{count} picture{'s' if count > 1 else ''}", screen, questions(screen, chance)[:ASKED]
    for size, number in itertools.product(FULL_SIZES, range(screens if counts == COUNTS else 0)):
        chance, whole = random.Random(f"{SEED} {size} {number}"), FrameSize(*size)
        screen = draw_screen(plan_for(whole, choose_grid(whole, side=VISION.tile).size, THINGS), chance)
        yield f"{size[0]}×{size[1]}", screen, questions(screen, chance)[:ASKED]


def measured(path: Path, name: str, screens: int, counts: tuple[int, ...], afar: bool, sight: bool) -> Iterator[Hit]:
    """One answer after another."""
    runtime = Runtime(Options(path, gpu_layers=0))
    if afar:
        runtime.viewer = FromAfar(runtime.viewer.pictures, runtime.viewer.side, runtime.viewer.unit)
    engine = HolotronEngine(runtime, LiteEngine() if sight else None)
    try:
        for group, screen, asked in drawn(screens, counts):
            frame = frame_of(screen)
            for question in asked:
                yield _hit(engine, frame, question, Hit(name, group, _kind(question), False, 1.0))
    finally:
        engine.close()


def _hit(engine: HolotronEngine, frame: Frame, question: Question, missed: Hit) -> Hit:
    answer = engine.find(frame, Query(question.words))
    if not answer.found:
        return missed
    best, (x, y) = answer.targets[0], question.thing.centre
    error = ((best.x - x) ** 2 + (best.y - y) ** 2) ** 0.5 / max(frame.width, frame.height)
    return replace(missed, inside=box_of(question.thing).contains(best.x, best.y), error=error)


def _kind(question: Question) -> str:
    return "one of several" if " from " in question.words else question.thing.kind


def in_few_bits(model: Path, folder: Path) -> Path:
    """The language model as Q4_K_M, the vision model's file beside it."""
    start_backend()
    out = to_q4_k_m(model, folder / f"{model.stem}-Q4_K_M.gguf")
    vision = model.with_name(f"{model.stem}-mmproj.gguf")
    (folder / vision.name).symlink_to(vision.resolve())
    return out


def table(hits: list[Hit], seconds: float) -> str:
    """Shares of hits by model, and by screens or kind."""
    lines = []
    models = list(dict.fromkeys(hit.model for hit in hits))
    for title, trait in (("screens", "screens"), ("asked for", "kind"), ("", "")):
        groups = list(dict.fromkeys(getattr(hit, trait) if trait else "all" for hit in hits))
        lines.append(f"| {title:14} | answers | " + " | ".join(models) + " |")
        for group in groups:
            some = [hit for hit in hits if not trait or getattr(hit, trait) == group]
            shares = [share([hit for hit in some if hit.model == model]) for model in models]
            cells = " | ".join(f"{value:{len(model)}.1%}" for value, model in zip(shares, models, strict=True))
            lines.append(f"| {group:14} | {len(some) // len(models):7} | {cells} |")
        lines.append("")
    return "\n".join([*lines, f"{seconds:.0f} s of processor time"])


def share(hits: list[Hit]) -> float:
    return sum(hit.inside for hit in hits) / max(1, len(hits))


@click.command()
@click.argument("models", type=click.Path(path_type=Path, exists=True, dir_okay=False), nargs=-1)
@click.option(
    "--screens", metavar="N", type=click.IntRange(1, 1000), default=20, show_default=True, help="Of each kind."
)
@click.option("--pictures", type=int, multiple=True, help="Only screens of so many pictures.")
@click.option("--few-bits", is_flag=True, help="Also the first model as Q4_K_M.")
@click.option("--afar", is_flag=True, help="Also the first model without its second, nearer look.")
@click.option("--sight", is_flag=True, help="With the lite engine, which tells the boxes of what is pointed at.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(
    models: tuple[Path, ...],
    screens: int,
    pictures: tuple[int, ...],
    few_bits: bool,
    afar: bool,
    sight: bool,
    as_json: bool,
) -> None:
    """Measure MODELS, or the miniature that ships."""
    counts, start = pictures or COUNTS, time.process_time()
    paths = list(models or [model_file("miniature")])
    runs = [(path, f"{path.parent.name}/{path.stem}" if len(paths) > 1 else path.stem, False) for path in paths]
    with ExitStack() as opened:
        if afar:
            runs.append((paths[0], "without second look", True))
        if few_bits:
            folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="fingerpost-")))
            runs.append((in_few_bits(paths[0], folder), "Q4_K_M", False))
        hits = [hit for path, name, far in runs for hit in measured(path, name, screens, counts, far, sight)]
    if as_json:
        print(json.dumps([hit.__dict__ for hit in hits]))
    else:
        print(table(hits, time.process_time() - start))


if __name__ == "__main__":
    main()
