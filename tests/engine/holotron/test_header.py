"""Whatever a model file holds: its header is read, or one sentence says what is wrong with it."""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.errors import ModelError
from fingerpost.engine.holotron.header import CLIP_MEAN, CLIP_STD, MAGIC, Header, check_vision, read_header
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl

UINT32, STRING, LIST = 4, 8, 9
PROJECTOR_KEYS = ("clip.projector_type", "clip.vision.projector_type")


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def entry(key: str, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def file_of(*entries: bytes, tensors: tuple[bytes, ...] = ()) -> bytes:
    counts = struct.pack("<IQQ", 3, len(tensors), len(entries))
    return MAGIC + counts + b"".join(entries) + b"".join(tensors)


def refused(path: Path) -> ModelError:
    with pytest.raises(ModelError) as caught:
        read_header(path)
    assert caught.value.message.endswith(".")
    assert caught.value.hint.endswith(".")
    return caught.value


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("whole")
    return write_nemotron_v2_vl(folder / "mmproj.gguf", VisionShape(32, 1, 2, 64, tile=64)).read_bytes()


@pytest.mark.parametrize("name", ["missing.gguf", "folder.gguf", "with\0zero.gguf", "long" * 1000])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.gguf").mkdir()
    refused(tmp_path / name)


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "model.gguf")
        assert "no file" in refused(tmp_path / "model.gguf").message


@pytest.mark.parametrize(
    "content",
    [
        file_of(entry("general.alignment", UINT32, struct.pack("<I", 0)), tensors=()),
        file_of(entry("general.alignment", LIST, struct.pack("<IQ", UINT32, 0))),
        file_of(entry("general.alignment", STRING, text("x"))),
        file_of(entry("deep", LIST, struct.pack("<IQ", LIST, 1) * 5000)),
        file_of(tensors=(text("t") + struct.pack("<I", 0xFFFFFFFF) + bytes(1000),)),
        file_of(tensors=(text("t") + struct.pack("<IQIQ", 1, 8, 9999, 0),)),
        file_of(entry("tokenizer.ggml.tokens", LIST, struct.pack("<IQ", STRING, 2) + text("a") * 2)),
        file_of(entry("tokenizer.ggml.tokens", LIST, struct.pack("<IQ", STRING, 2) + text("a") + text("a\0b"))),
        file_of(entry("tokenizer.ggml.tokens", LIST, struct.pack("<IQI", UINT32, 1, 7))),
        file_of(text("\0") + struct.pack("<I", 99)),
    ],
    ids=[
        "no alignment",
        "a list as alignment",
        "a text as alignment",
        "lists in lists",
        "dimensions",
        "kind",
        "twins",
        "twins up to a zero",
        "numbers as tokens",
        "value",
    ],
)
def test_a_header_that_makes_no_sense_is_called_damaged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.gguf").write_bytes(content)
    assert "damaged" in refused(tmp_path / "m.gguf").message


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_damage_to_a_header_is_refused_or_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, whole: bytes, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, 3000))
    bad = data.draw(st.binary(min_size=1, max_size=12))
    path = tmp_path_factory.getbasetemp() / "damaged.gguf"
    path.write_bytes(whole[:at] + bad + whole[at + len(bad) :])
    with suppress(ModelError):  # any other error fails
        check_vision(read_header(path), 64, ["nemotron_v2_vl"])


def check(values: dict[str, Any]) -> None:
    check_vision(Header(Path("m.gguf"), values, 0), 64, ["nemotron_v2_vl"])


@pytest.mark.parametrize("colours", [None, 1, "red", [], [1.0, 2.0], ["a", "b", "c"], [[0.5]] * 3])
def test_colours_of_any_kind_are_compared_and_refused(colours: object) -> None:
    values = {
        "general.architecture": "clip", "clip.vision.projection_dim": 64, "clip.projector_type": "nemotron_v2_vl",
        "clip.vision.image_std": list(CLIP_STD), "clip.vision.image_mean": colours,
    }  # fmt: skip
    with pytest.raises(ModelError, match="normalises"):
        check(values)
    check(values | {"clip.vision.image_mean": list(CLIP_MEAN)})


@pytest.mark.parametrize("width", [None, "64", [64], 64.0])
def test_a_width_that_is_no_whole_number_is_refused(width: object) -> None:
    values = {"general.architecture": "clip", "clip.vision.projection_dim": width}
    with pytest.raises(ModelError, match="lacks the entry"):
        check(values)


@pytest.mark.parametrize("kind", [None, "", "qwen3vl_merger", 7, ["nemotron_v2_vl"]])
@pytest.mark.parametrize("key", PROJECTOR_KEYS)
def test_a_projector_of_another_kind_is_refused_whatever_its_width(key: str, kind: object) -> None:
    values = {"general.architecture": "clip", "clip.vision.projection_dim": 64, key: kind}
    with pytest.raises(ModelError, match="another model"):
        check(values)


@pytest.mark.parametrize("key", PROJECTOR_KEYS)
def test_colours_are_checked_wherever_the_kind_of_projector_is_written(key: str) -> None:
    values = {"general.architecture": "clip", "clip.vision.projection_dim": 64, key: "nemotron_v2_vl"}
    with pytest.raises(ModelError, match="normalises"):
        check(values)
    check(values | {"clip.vision.image_mean": list(CLIP_MEAN), "clip.vision.image_std": list(CLIP_STD)})
