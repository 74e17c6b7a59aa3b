"""The vision projector on tiles, what it keeps, and model files that do not fit or are broken."""

from __future__ import annotations

import struct
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingerpost.engine.errors import ModelError
from fingerpost.engine.holotron.header import read_header
from fingerpost.engine.holotron.llama import Model
from fingerpost.engine.holotron.tiles import Tile
from fingerpost.engine.holotron.vision import TileCache, Vision
from fingerpost.models.gguf.language import write_nemotron_h
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl

SMALL = VisionShape(32, 1, 2, 64, tile=64)
KINDS = ("nemotron_v2_vl",)
TOKENS = (64 // 16 // 2) ** 2


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    loaded = Model(write_nemotron_h(tmp_path_factory.mktemp("model") / "lm.gguf"))
    yield loaded
    loaded.close()


@pytest.fixture(scope="module")
def vision(hybrid: Model, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vision]:
    loaded = Vision(write_nemotron_v2_vl(tmp_path_factory.mktemp("vision") / "mmproj.gguf", SMALL), hybrid, KINDS)
    yield loaded
    loaded.close()


def tile(seed: int) -> Tile:
    return np.random.default_rng(seed).integers(0, 255, (64, 64, 3), np.uint8)


def test_a_tile_becomes_a_quarter_of_its_patches(vision: Vision, hybrid: Model) -> None:
    assert (vision.side, vision.tokens) == (64, TOKENS)
    assert vision.encode(tile(1)).shape == (TOKENS, hybrid.n_embd)


def test_the_same_tile_gives_the_same_embeddings_and_another_gives_others(vision: Vision) -> None:
    first, again, other = vision.encode(tile(1)), vision.encode(tile(1)), vision.encode(tile(2))
    assert np.array_equal(first, again)
    assert np.abs(first - other).max() > 0.01


def test_a_tile_of_another_size_is_a_mistake(vision: Vision) -> None:
    with pytest.raises(ValueError, match="64"):
        vision.encode(np.zeros((32, 32, 3), np.uint8))


def test_only_the_changed_tile_and_the_thumbnail_are_encoded_again(vision: Vision) -> None:
    cache = TileCache(vision, budget=10_000_000, near_tiles=3)
    before = [tile(n) for n in range(9)]
    for picture in cache.start_screen(tuple(before)):
        cache.embeddings(picture)
    encoded = vision.encoded
    after = [*before[:5], tile(50), *before[6:8], tile(51)]
    for picture in cache.start_screen(tuple(after)):
        cache.embeddings(picture)
    assert vision.encoded - encoded == 2
    assert cache.hits == 7


def test_embeddings_stay_within_their_budget(vision: Vision) -> None:
    cache = TileCache(vision, budget=3 * TOKENS * 256 * 4, near_tiles=3)
    for picture in cache.start_screen(tuple(tile(n) for n in range(8))):
        cache.embeddings(picture)
        assert cache.bytes <= 3 * TOKENS * 256 * 4


def test_pixels_are_kept_of_the_screen_and_of_the_last_nearer_look_only(vision: Vision) -> None:
    cache = TileCache(vision, budget=0, near_tiles=3)  # embeddings are forgotten at once, so that pixels are needed
    screen = cache.start_screen((tile(1), tile(2)))
    pixels: list[weakref.ref[Tile]] = []
    for look in range(6):
        seen = [tile(1), *(tile(10 * look + number) for number in range(11, 13))]  # one is also on the screen
        pixels += [weakref.ref(one) for one in seen]
        near = [cache.picture(one) for one in seen]
        del seen
        for picture in (*near, *screen, *near):
            assert cache.embeddings(picture).shape == (TOKENS, 256)
    assert sum(kept() is not None for kept in pixels) <= 3
    cache.start_screen((tile(3),))
    assert not any(kept() is not None for kept in pixels)


@pytest.mark.parametrize("shape", [replace(SMALL, tile=72), replace(SMALL, patch=0), replace(SMALL, tile=16)])
def test_tiles_that_cannot_be_cut_into_parts_are_refused_before_the_library_gets_them(
    hybrid: Model, tmp_path: Path, shape: VisionShape
) -> None:
    whole = write_nemotron_v2_vl(tmp_path / "mmproj.gguf", SMALL).read_bytes()
    for key, value in (("image_size", shape.tile), ("patch_size", shape.patch)):
        at = whole.index(f"clip.vision.{key}".encode()) + len(f"clip.vision.{key}") + 4
        whole = whole[:at] + struct.pack("<I", value) + whole[at + 4 :]
    (tmp_path / "mmproj.gguf").write_bytes(whole)
    assert "damaged" in refused(tmp_path / "mmproj.gguf", hybrid).message


def refused(path: Path, model: Model) -> ModelError:
    with pytest.raises(ModelError) as caught:
        Vision(path, model, KINDS)
    assert caught.value.hint
    return caught.value


def test_the_vision_file_of_another_model_is_refused(hybrid: Model, tmp_path: Path) -> None:
    path = write_nemotron_v2_vl(tmp_path / "other.gguf", SMALL, projection=128)
    assert "another model" in refused(path, hybrid).message


def test_colours_of_another_training_are_refused_with_the_right_ones(hybrid: Model, tmp_path: Path) -> None:
    imagenet = write_nemotron_v2_vl(tmp_path / "m.gguf", SMALL, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225))
    assert "0.4815" in refused(imagenet, hybrid).hint


def test_a_language_model_is_no_vision_model(hybrid: Model) -> None:
    assert "no vision model" in refused(hybrid.path, hybrid).message


def test_a_missing_file_and_one_of_another_kind_are_told(tmp_path: Path, hybrid: Model) -> None:
    assert "cannot be read" in refused(tmp_path / "none.gguf", hybrid).message
    (tmp_path / "text.gguf").write_text("hello")
    assert "no GGUF" in refused(tmp_path / "text.gguf", hybrid).message


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(share=st.floats(0.0, 0.999))
def test_a_file_cut_anywhere_is_refused_before_the_library_gets_it(
    share: float, hybrid: Model, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = hybrid.path.read_bytes()
    cut = tmp_path_factory.mktemp("cut") / "cut.gguf"
    cut.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(ModelError):
        read_header(cut)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_header_with_any_byte_changed_is_read_or_refused(
    data: st.DataObject, hybrid: Model, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = bytearray(hybrid.path.read_bytes()[:12000])
    place = data.draw(st.integers(4, len(content) - 1))
    content[place] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("flip") / "flip.gguf"
    path.write_bytes(bytes(content))
    with pytest.raises(ModelError):
        read_header(path)


def test_a_whole_file_has_all_the_bytes_it_needs(hybrid: Model) -> None:
    header = read_header(hybrid.path)
    assert header.architecture == "nemotron_h"
    assert header.bytes_needed <= hybrid.path.stat().st_size
