"""Holotron's relatives on tiny files of their architectures, through the same engine.

Holo2 (Qwen3-VL) and Holo-3.1 (Qwen3.5, also with experts) see one picture of any size, whose positions are rows and
columns; Holotron-3-Nano (Nemotron-H with experts) sees tiles.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import llama_cpp
import numpy as np
import pytest
from llama_cpp import mtmd_cpp as mtmd

from fingerpost.engine.geometry import FramePoint
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.header import read_header
from fingerpost.engine.holotron.llama import Context
from fingerpost.engine.holotron.runtime import Options, Runtime, find_profile
from fingerpost.engine.holotron.segments import Picture, Text, length, position
from fingerpost.engine.holotron.tiles import Tile
from fingerpost.engine.values import Answer, Frame, Query
from fingerpost.models.gguf.language import write_nemotron_h_moe, write_qwen3vl, write_qwen35, write_qwen35moe
from fingerpost.models.gguf.qwen_vision import TINY_QWEN_VISION, write_qwen3vl_merger
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl

SAVE, OPEN = Query("the Save button"), Query("the button Open")
FEW = 200
"""Embeddings of a picture, for speed; as few as the profiles of these models allow are 900."""
SMALL_VISION = VisionShape(32, 1, 2, 64, tile=64)


def load(folder: Path, name: str, least_tokens: int | None = None) -> Runtime:
    model = folder / f"{name}.gguf"
    if name == "holo2":
        write_qwen3vl_merger(folder / "mmproj.gguf")
        write_qwen3vl(model)
    elif name.startswith("holo-3.1"):
        write_qwen3vl_merger(folder / "mmproj.gguf", deepstack=())
        (write_qwen35moe if name.endswith("a3b") else write_qwen35)(model)
    else:
        write_nemotron_v2_vl(folder / "mmproj.gguf", SMALL_VISION)
        write_nemotron_h_moe(model)
    profile = find_profile(model, read_header(model))
    if least_tokens is not None:
        profile = replace(profile, pictures=replace(profile.pictures, least_tokens=least_tokens))
    return Runtime(Options(model, n_ctx=4096, profile=profile))


@pytest.fixture(scope="module")
def holo2(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HolotronEngine]:
    runtime = load(tmp_path_factory.mktemp("holo2"), "holo2")
    yield HolotronEngine(runtime, least_sure=0.0)
    runtime.close()


@pytest.fixture(scope="module", params=["holo2", "holo-3.1", "holo-3.1-35b-a3b", "holotron-3"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HolotronEngine]:
    runtime = load(tmp_path_factory.mktemp("relative"), request.param, least_tokens=FEW)
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


def test_a_nearer_look_has_a_size_that_any_vision_model_takes(tmp_path: Path) -> None:
    """Here one whose parts of 28 pixels do not fill a tile of the usual 512."""
    write_qwen3vl_merger(tmp_path / "mmproj.gguf", replace(TINY_QWEN_VISION, patch=14, tile=560))
    runtime = Runtime(Options(write_qwen3vl(tmp_path / "holo2.gguf"), n_ctx=512))
    view = runtime.viewer.near(noise(1, 1920, 1080), FramePoint(900, 500))
    assert view is not None
    for tile in view.tiles:
        assert len(runtime.vision.encode(tile)) == runtime.vision.tokens_of(tile)
    runtime.close()


def test_each_relative_gets_its_own_profile(engine: HolotronEngine) -> None:
    name = engine.runtime.options.model.stem
    assert engine.runtime.profile.key.startswith(name.removesuffix("-35b-a3b"))


def test_each_relative_answers_with_places_on_the_screen(engine: HolotronEngine) -> None:
    frame = noise(9)
    answer = engine.find(frame, SAVE)
    assert answer.found
    for target in answer.targets:
        assert frame.box.contains(target.x, target.y)
        assert target.source == "model"


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


def evaluate_by_library(runtime: Runtime, tile: Tile, context: Context, n_past: int) -> int:
    """A picture through mtmd's helper; returns the new n_past."""
    vision, marker = runtime.vision._handle, mtmd.mtmd_default_marker()
    bitmap = mtmd.mtmd_bitmap_init(tile.shape[1], tile.shape[0], tile.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)))
    chunks = mtmd.mtmd_input_chunks_init()
    text = mtmd.mtmd_input_text()
    text.text, text.text_len, text.add_special, text.parse_special = marker, len(marker), False, True
    assert mtmd.mtmd_tokenize(vision, chunks, ctypes.byref(text), (mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap), 1) == 0
    for number in range(mtmd.mtmd_input_chunks_size(chunks)):
        chunk = mtmd.mtmd_input_chunks_get(chunks, number)
        if mtmd.mtmd_input_chunk_get_type(chunk) == mtmd.MTMD_INPUT_CHUNK_TYPE_IMAGE:
            reached = llama_cpp.llama_pos(0)
            call = (vision, context.handle, chunk, n_past, 0, 512, False, ctypes.byref(reached))
            assert mtmd.mtmd_helper_eval_chunk_single(*call) == 0
            n_past = reached.value
    mtmd.mtmd_input_chunks_free(chunks)
    mtmd.mtmd_bitmap_free(bitmap)
    return n_past


def test_positions_of_a_picture_are_those_that_the_library_itself_gives_them(holo2: HolotronEngine) -> None:
    """The same prompt through mtmd's own helper, which sets positions by itself, gives the same logits."""
    runtime = holo2.runtime
    tile = np.random.default_rng(8).integers(0, 255, (256, 480, 3), np.uint8)
    picture = runtime.tiles.picture(tile)
    assert (picture.columns, picture.length) == (15, 8 * 15)
    head, tail = Text((1, 30, 31)), Text((40, 41, 42))
    ours = runtime.cache.evaluate((head, picture, tail))
    reference = Context(runtime.model, runtime.context.options)
    n_past = reference.decode(head.tokens, 0)
    n_past = evaluate_by_library(runtime, tile, reference, n_past)
    assert n_past == 3 + picture.advance
    reference.decode(tail.tokens, n_past, want_logits=True)
    theirs = reference.logits()
    reference.close()
    assert np.abs(ours - theirs).max() < 1e-4
