"""The miniature that ships points at what is meant, through the whole engine, on screens that it was never trained on.

Right answers test all that stands between a screen and a point. So each thing that can silently be wrong (the order of
the tiles, the thumbnail, the colours, the axes) is made wrong here once, to see that it shows.
"""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import gguf
import numpy as np
import pytest

from fingerpost.app.acting.confirmation import CERTAIN
from fingerpost.app.bench.things import box_of, draw_things, frame_of, plan_for
from fingerpost.engine.errors import ModelError
from fingerpost.engine.finder import make_engine
from fingerpost.engine.geometry import FramePoint
from fingerpost.engine.holotron import header, tiles, views
from fingerpost.engine.holotron.calibration import Known, Shown, ask_model, calibrate
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.llama import start_backend
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.holotron.tiles import Grid, Tile, choose_grid
from fingerpost.engine.holotron.views import View, Viewer
from fingerpost.engine.pictures import load
from fingerpost.engine.values import Box, Frame, FrameSize, Pixels, Query
from fingerpost.models import miniature
from fingerpost.models.miniature import demo, scenes
from fingerpost.models.miniature.shapes import VISION
from fingerpost.models.miniature.training.batches import random_plan
from fingerpost.models.miniature.training.quantizing import to_q4_k_m
from fingerpost.models.miniature.words import SHAPES

SEED = 800_000
"""Training has no seed near it."""
ONE_TILE, DESKTOP, MANY_TILES = 0.90, 0.85, 0.85
"""Least share of points inside what is meant."""
CLEARLY = 0.15
"""What is made wrong costs at least this share of the points."""
ASKED = 8
"""Questions about a screen, at most."""
GREYS = ("black", "charcoal", "grey", "silver", "white")


@dataclass(frozen=True)
class Case:
    """A question about a frame, and the box of what is meant."""

    frame: Frame
    words: str
    kind: str
    box: Box


def asked(screen: scenes.Screen, chance: random.Random) -> list[Case]:
    frame = frame_of(screen)
    questions = scenes.questions(screen, chance)[:ASKED]
    return [Case(frame, one.words, one.thing.kind, box_of(one.thing)) for one in questions]


@cache
def screens_of(count: int, number: int) -> list[Case]:
    """Of so many screens of any size, each sent as `count` pictures."""
    cases = []
    for seed in range(number):
        chance = random.Random(SEED + 1000 * count + seed)
        cases += asked(scenes.draw_screen(random_plan(chance, count), chance), chance)
    return cases


@cache
def desktops(width: int, height: int, number: int, shrunk: float = 1.0) -> list[Case]:
    """Of so many screens of that size."""
    size = FrameSize(width, height)
    plan = plan_for(size, choose_grid(size, side=VISION.tile).size, 16)
    plan = replace(plan, sizes=(plan.sizes[0] * shrunk, plan.sizes[1] * shrunk))
    cases = []
    for seed in range(number):
        chance = random.Random(f"{SEED} {width} {height} {seed}")
        cases += asked(scenes.draw_screen(plan, chance), chance)
    return cases


def named(cases: Sequence[Case]) -> list[Case]:
    """Without the shapes that come in several, of which it is asked for the second, say: it counts less well."""
    return [case for case in cases if " from the " not in case.words]


def is_hit(engine: HolotronEngine, case: Case) -> bool:
    answer = engine.find(case.frame, Query(case.words))
    return answer.found and case.box.contains(answer.targets[0].x, answer.targets[0].y)


def hit_rate(engine: HolotronEngine, cases: Sequence[Case]) -> float:
    assert cases
    return sum(is_hit(engine, case) for case in cases) / len(cases)


@pytest.fixture(scope="module", autouse=True)
def nothing_was_calibrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the user's own `fingerpost calibrate` remembered would change what is sent."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="module")
def whole() -> Iterator[HolotronEngine]:
    """As the command line makes it."""
    engine = make_engine("holotron:miniature")
    assert isinstance(engine, HolotronEngine)
    yield engine
    engine.close()


@contextmanager
def opened(model: Path, vision: Path | None = None, most: int = 1) -> Iterator[HolotronEngine]:
    """The model alone, which gives `most` answers: nothing tells what lies under its points."""
    engine = HolotronEngine(Runtime(Options(model, vision, gpu_layers=0)), most=most)
    yield engine
    engine.close()


@pytest.fixture
def engine() -> Iterator[HolotronEngine]:
    """It knows nothing from before."""
    with opened(miniature.weights()) as made:
        yield made


# right answers


def test_on_one_tile_points_are_right(whole: HolotronEngine) -> None:
    assert hit_rate(whole, screens_of(1, 20)) >= ONE_TILE


def test_on_whole_desktops_points_are_right(whole: HolotronEngine) -> None:
    cases = [*desktops(1920, 1080, 2), *desktops(1366, 768, 2), *desktops(1280, 800, 2), *desktops(1024, 768, 2)]
    assert hit_rate(whole, cases) >= DESKTOP


def test_on_any_number_of_tiles_most_points_are_right(whole: HolotronEngine) -> None:
    cases = list(itertools.chain.from_iterable(screens_of(count, 2) for count in (3, 5, 7, 9, 13)))
    assert hit_rate(whole, cases) >= MANY_TILES


def test_the_command_lines_screen_is_answered(whole: HolotronEngine) -> None:
    """The drawing tells where things are, the shipped picture is what is looked at."""
    drawn = demo.draw()
    cases = [replace(case, frame=load(demo.PICTURE)) for case in asked(drawn, random.Random(1))]
    assert abs(frame_of(drawn).pixels.astype(int) - cases[0].frame.pixels).mean() < 1
    assert hit_rate(whole, cases) >= MANY_TILES


def test_a_word_on_a_button_is_snapped_to_the_button(whole: HolotronEngine) -> None:
    """The lite engine tells what lies under the model's point: its box, and what is written there."""
    cases = [case for case in desktops(1280, 800, 6) if case.words.startswith("the word ")]
    hits = [(case, target) for case in cases for target in whole.find(case.frame, Query(case.words)).targets[:1]]
    hits = [(case, target) for case, target in hits if case.box.contains(target.x, target.y)]
    assert len(hits) >= 5
    snapped = [
        target.box.iou(case.box) > 0.5 or target.label == case.words.removeprefix("the word ")
        for case, target in hits
        if target.kind != "place"
    ]
    assert sum(snapped) / len(hits) >= MANY_TILES


def test_the_second_look_finds_what_is_small_and_spoils_nothing(engine: HolotronEngine) -> None:
    """It is taken on all screens that are sent shrunk; what is hardly legible from afar is seen from near."""
    small, usual = desktops(1366, 768, 4, shrunk=0.6), desktops(1366, 768, 3)
    with_look = [hit_rate(engine, cases) for cases in (small, usual)]
    viewer = engine.runtime.viewer
    engine.runtime.viewer = FromAfar(viewer.pictures, viewer.side, viewer.unit)
    without = [hit_rate(engine, cases) for cases in (small, usual)]
    assert with_look[0] > without[0]
    assert with_look[1] >= without[1] - 0.02


class FromAfar(Viewer):
    """Never looks a second time."""

    def near(self, frame: Frame, point: FramePoint) -> View | None:
        return None


# the same answers, however they are computed


def places(engine: HolotronEngine, case: Case) -> list[tuple[int, int, float]]:
    return [(one.x, one.y, one.confidence) for one in engine.find(case.frame, Query(case.words)).targets]


def test_with_what_is_kept_and_without_the_answers_are_the_same() -> None:
    cases = [*screens_of(3, 2), *screens_of(9, 1)]
    with opened(miniature.weights(), most=5) as engine:
        kept = [places(engine, case) for case in cases]
        assert engine.runtime.cache.statistics.tokens_reused
        for case, expected in zip(cases, kept, strict=True):
            engine.runtime.cache.clear()
            engine.runtime.tiles.clear()
            assert places(engine, replace(case, frame=Frame(case.frame.pixels))) == expected


@pytest.mark.parametrize("pictures", [3, 9])
def test_questions_forked_from_one_screen_and_answered_in_turns_have_the_same_answers(
    engine: HolotronEngine, pictures: int
) -> None:
    runtime = engine.runtime
    runtime.viewer = FromAfar(runtime.viewer.pictures, runtime.viewer.side, runtime.viewer.unit)
    for cases in itertools.pairwise(screens_of(pictures, 1)):
        view = runtime.viewer.whole(cases[0].frame)
        path = runtime.prompt.screen(runtime.tiles.start_screen(view.tiles), view.sent)
        alone = []
        for case in cases:
            runtime.cache.clear()
            runtime.cache.evaluate(path)
            alone += written_in_turns(runtime, [case], [runtime.cache.fork_current()])
        runtime.cache.evaluate(path)
        together = written_in_turns(runtime, cases, [runtime.cache.fork_current() for _ in cases])
        assert together == alone
        for case, text in zip(cases, together, strict=True):
            runtime.cache.clear()
            runtime.tiles.clear()
            cold = engine.find(Frame(case.frame.pixels), Query(case.words)).targets[0]
            x, y = json.loads(text).values()
            expected = x / 1000 * case.frame.width, y / 1000 * case.frame.height
            assert (cold.x, cold.y) == pytest.approx(expected, abs=1)


def written_in_turns(runtime: Runtime, cases: Sequence[Case], forks: Sequence[int]) -> list[str]:
    """The answers to questions, of which each goes on from its fork, one token each in turn."""
    tokens = [list(runtime.prompt.target(case.words).tokens) for case in cases]
    texts = [b""] * len(cases)
    for turn in range(30):
        for number, fork in enumerate(forks):
            if texts[number].endswith(b"}"):
                continue
            runtime.cache.resume(fork)
            given = tokens[number]
            logits = runtime.cache.extend(given[turn])
            if turn + 1 == len(given):
                given.append(int(logits.argmax()))
                texts[number] += runtime.model.piece(given[-1])
    for fork in forks:
        runtime.cache.release(fork)
    return [text.decode() for text in texts]


def test_in_fewer_bits_it_points_as_well(engine: HolotronEngine, tmp_path: Path) -> None:
    """Stored by llama.cpp as Q4_K_M: its K-quants where the rows are whole blocks, else the next larger kind."""
    cases = [*screens_of(1, 6), *screens_of(3, 4), *screens_of(9, 2)]
    vision = miniature.weights().with_name("miniature-mmproj.gguf")
    with opened(in_few_bits(miniature.weights(), tmp_path / "miniature-Q4_K_M.gguf"), vision) as few:
        assert hit_rate(few, cases) >= hit_rate(engine, cases) - 0.05


def in_few_bits(model: Path, out: Path) -> Path:
    start_backend()
    to_q4_k_m(model, out)
    kinds = {tensor.tensor_type for tensor in gguf.GGUFReader(out).tensors}
    assert gguf.GGMLQuantizationType.Q4_K in kinds
    assert out.stat().st_size < 0.8 * model.stat().st_size
    return out


# what can silently be wrong, made wrong

Cut = Callable[[Pixels, Grid], tuple[Tile, ...]]


def rows_last(pixels: Pixels, grid: Grid) -> tuple[Tile, ...]:
    """The tiles column by column."""
    sent = tiles.cut(pixels, grid)
    order = [row * grid.columns + column for column in range(grid.columns) for row in range(grid.rows)]
    return (*(sent[number] for number in order), *sent[len(order) :])


def thumbnail_missing(pixels: Pixels, grid: Grid) -> tuple[Tile, ...]:
    return tiles.cut(pixels, grid)[: grid.columns * grid.rows]


def thumbnail_first(pixels: Pixels, grid: Grid) -> tuple[Tile, ...]:
    sent = tiles.cut(pixels, grid)
    return (sent[-1], *sent[:-1])


def letterboxed(pixels: Pixels, grid: Grid) -> tuple[Tile, ...]:
    """Not stretched: black above and below, as llama.cpp does it by itself."""
    height, width, _ = pixels.shape
    padded = np.zeros((round(width * 0.8), width, 4), np.uint8)
    top = (len(padded) - height) // 2
    padded[top : top + height] = pixels
    return tiles.cut(padded, grid)


def blue_first(pixels: Pixels, grid: Grid) -> tuple[Tile, ...]:
    return tiles.cut(pixels[..., [2, 1, 0, 3]], grid)


def test_tiles_go_row_by_row(engine: HolotronEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    shows_in_hits(engine, named(desktops(1920, 1080, 4)), lambda: monkeypatch.setattr(views, "cut", rows_last))


@pytest.mark.parametrize("wrong", [thumbnail_missing, thumbnail_first])
def test_the_thumbnail_comes_last(engine: HolotronEngine, monkeypatch: pytest.MonkeyPatch, wrong: Cut) -> None:
    shows_in_hits(engine, named(desktops(1920, 1080, 4)), lambda: monkeypatch.setattr(views, "cut", wrong))


def test_the_screen_is_stretched(engine: HolotronEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    shows_in_hits(engine, named(desktops(1920, 1080, 4)), lambda: monkeypatch.setattr(views, "cut", letterboxed))


def test_x_is_across_and_y_is_down(engine: HolotronEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    to_frame = View.to_frame

    def swapped(view: View, x: float, y: float) -> FramePoint:
        return to_frame(view, y, x)

    shows_in_hits(engine, named(screens_of(1, 8)), lambda: monkeypatch.setattr(View, "to_frame", swapped))


def test_red_comes_first(engine: HolotronEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case for case in screens_of(1, 20) if {"red", "blue", "yellow", "cyan"} & set(case.words.split())]
    shows_in_hits(engine, cases, lambda: monkeypatch.setattr(views, "cut", blue_first))


def shows_in_hits(engine: HolotronEngine, cases: Sequence[Case], make_wrong: Callable[[], None]) -> None:
    """The answers are right, and clearly less so once something is made wrong."""
    right = hit_rate(engine, cases)
    make_wrong()
    wrong = hit_rate(engine, [replace(case, frame=Frame(case.frame.pixels)) for case in cases])
    print(f"right {right:.3f}, made wrong {wrong:.3f}, of {len(cases)}")
    assert right >= MANY_TILES
    assert wrong <= right - CLEARLY


def test_colours_are_normalised_as_in_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five greys on shapes of one form: a wrong mean or spread makes one look like the next."""
    cases = [case for seed in range(12) for case in greys(seed, monkeypatch)]
    vision = tmp_path / "miniature-mmproj.gguf"
    shutil.copy(miniature.weights().with_name(vision.name), vision)
    with opened(miniature.weights(), vision) as engine:
        right = hit_rate(engine, cases)
    reader = gguf.GGUFReader(vision, "r+")
    for key in ("clip.vision.image_mean", "clip.vision.image_std"):
        field = reader.fields[key]
        for part in field.data:
            field.parts[part][0] = 0.5
    reader.data.flush()
    with pytest.raises(ModelError, match="normalises colours"):
        Runtime(Options(miniature.weights(), vision))
    monkeypatch.setattr(header, "TOLERANCE", 1)
    with opened(miniature.weights(), vision) as engine:
        wrong = hit_rate(engine, cases)
    print(f"right {right:.3f}, made wrong {wrong:.3f}, of {len(cases)}")
    assert right >= MANY_TILES
    assert wrong <= right - CLEARLY


def greys(seed: int, monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    """A screen of one tile with a shape in five greys."""
    chance = random.Random(SEED + seed)
    shape = chance.choice(SHAPES)
    names = [("shape", shape, colour) for colour in chance.sample(GREYS, len(GREYS))]
    with monkeypatch.context() as patched:
        patched.setattr(scenes, "_names", lambda again, chance: iter(names))
        return asked(scenes.draw_screen(scenes.Plan(128, 128, (22, 40), len(names)), chance), chance)


# how it tells places


def test_its_convention_is_found_whatever_its_profile_says() -> None:
    with opened(miniature.weights()) as engine:
        runtime = engine.runtime
        said = replace(runtime.profile.localization, coordinates="pixels")
        runtime.profile = replace(runtime.profile, verified=False, localization=said)
        size = FrameSize(1366, 768)
        drawn = draw_things(plan_for(size, runtime.viewer.sent(size), 16), 1)
        shown = Shown(drawn.frame, tuple(Known(goal.words, goal.box) for goal in drawn.goals))
        best = calibrate(ask_model(runtime), runtime.profile, [shown], (12,))[0]
    assert best.is_good
    assert best.read == "thousandths"
    assert best.hit_rate >= MANY_TILES - CLEARLY


def test_what_always_points_somewhere_is_never_so_sure_that_it_is_clicked_unasked(whole: HolotronEngine) -> None:
    cases = [*screens_of(1, 3), *desktops(1280, 800, 1)]
    sure = [target.confidence for case in cases for target in whole.find(case.frame, Query(case.words)).targets]
    assert max(sure) < CERTAIN
    assert max(sure) > CERTAIN / 2
