"""Holotron's relatives on tiny files of their architectures, through the same engine.

Holo2 (Qwen3-VL) and Holo-3.1 (Qwen3.5) see one picture of any size, whose positions are rows and columns;
Holotron-3-Nano (Nemotron-H with experts) sees tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.holotron.segments import Picture, length, position
from fingerpost.engine.values import Answer, Frame, Query
from fingerpost.models.gguf.language import write_nemotron_h_moe, write_qwen3vl, write_qwen35
from fingerpost.models.gguf.qwen_vision import write_qwen3vl_merger
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl

SAVE, OPEN = Query("the Save button"), Query("the button Open")


SMALL_VISION = VisionShape(32, 1, 2, 64, tile=64)


def load(folder: Path, name: str) -> Runtime:
    model = folder / f"{name}.gguf"
    if name == "holo2":
        write_qwen3vl_merger(folder / "mmproj.gguf")
        write_qwen3vl(model)
    elif name == "holo-3.1":
        write_qwen3vl_merger(folder / "mmproj.gguf", deepstack=())
        write_qwen35(model)
    else:
        write_nemotron_v2_vl(folder / "mmproj.gguf", SMALL_VISION)
        write_nemotron_h_moe(model)
    return Runtime(Options(model, n_ctx=4096))


@pytest.fixture(scope="module")
def holo2(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HolotronEngine]:
    runtime = load(tmp_path_factory.mktemp("holo2"), "holo2")
    yield HolotronEngine(runtime, least_sure=0.0)
    runtime.close()


@pytest.fixture(scope="module", params=["holo2", "holo-3.1", "holotron-3"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HolotronEngine]:
    runtime = load(tmp_path_factory.mktemp("relative"), request.param)
    yield HolotronEngine(runtime, least_sure=0.0)
    runtime.close()


def noise(seed: int, width: int = 640, height: int = 360) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 255, (height, width, 4), np.uint8))


def places(answer: Answer) -> list[tuple[int, int, float]]:
    return [(target.x, target.y, target.confidence) for target in answer.targets]


def test_it_gets_its_profile_and_one_picture_of_enough_tokens(holo2: HolotronEngine) -> None:
    assert holo2.runtime.profile.key.startswith("holo2")
    path = holo2.path(noise(1), SAVE)
    pictures = [segment for segment in path if isinstance(segment, Picture)]
    assert len(pictures) == 1
    picture = pictures[0]
    assert picture.length >= 900
    assert picture.length % picture.columns == 0
    assert picture.advance == max(picture.columns, picture.length // picture.columns)
    assert position(path) == length(path) - picture.length + picture.advance


def test_embeddings_carry_the_features_for_the_first_layers(holo2: HolotronEngine) -> None:
    runtime = holo2.runtime
    assert runtime.vision.encode(np.zeros((128, 96, 3), np.uint8)).shape == (12, 2 * runtime.model.n_embd)
    with pytest.raises(ValueError, match="multiples"):
        runtime.vision.encode(np.zeros((128, 97, 3), np.uint8))


def test_each_relative_gets_its_own_profile(engine: HolotronEngine) -> None:
    name = engine.runtime.options.model.stem
    assert engine.runtime.profile.key.startswith(name)


def test_state_that_was_kept_gives_the_logits_of_a_cold_run(engine: HolotronEngine) -> None:
    cache = engine.runtime.cache
    engine.find(noise(2), OPEN)
    engine.find(noise(3), OPEN)
    engine.prefill(noise(2))
    path = engine.path(noise(2), SAVE)
    kept = cache.evaluate(path)
    cache.clear()
    assert np.array_equal(kept, cache.evaluate(path))


def test_a_second_question_costs_only_itself(engine: HolotronEngine) -> None:
    frame, statistics = noise(4), engine.runtime.cache.statistics
    engine.prefill(frame)
    encoded, before = engine.runtime.vision.encoded, statistics.tokens_evaluated
    engine.runtime.cache.evaluate(engine.path(frame, SAVE))
    assert statistics.tokens_evaluated - before == engine.runtime.prompt.target(SAVE.text).length
    assert engine.runtime.vision.encoded == encoded


def test_the_same_question_has_the_same_answer_whatever_was_asked_between(engine: HolotronEngine) -> None:
    first = places(engine.find(noise(5), SAVE))
    engine.find(noise(6), OPEN)
    assert places(engine.find(noise(5), SAVE)) == first


def test_where_in_the_picture_something_is_makes_a_difference(engine: HolotronEngine) -> None:
    """The rows and columns reach the model: the same embeddings in another order are another picture."""
    pixels = np.zeros((512, 1024, 4), np.uint8)
    pixels[:32, :32] = 255
    moved = np.zeros_like(pixels)
    moved[-32:, -32:] = 255
    cache = engine.runtime.cache
    one, other = (cache.evaluate(engine.path(Frame(p), SAVE)) for p in (pixels, moved))
    assert np.abs(one - other).max() > 1e-4
