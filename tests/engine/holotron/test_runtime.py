"""Loading a model: what is told of where it is, and one clear sentence for whatever is wrong with its files."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import llama_cpp
import numpy as np
import pytest
from llama_cpp import mtmd_cpp

from fingerpost.engine.errors import ModelError
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.header import read_header
from fingerpost.engine.holotron.llama import LOG, Context, ContextOptions, Model
from fingerpost.engine.holotron.placement import MIB, read_placement
from fingerpost.engine.holotron.runtime import Options, Runtime, find_profile, find_vision
from fingerpost.engine.holotron.segments import length
from fingerpost.engine.values import Frame, Query
from fingerpost.models.gguf.language import (
    Mixer,
    Shape,
    q4_k_m,
    write_mamba2,
    write_nemotron_h,
    write_nemotron_h_moe,
    write_qwen3vl,
    write_qwen35,
    write_qwen35moe,
)
from fingerpost.models.gguf.qwen_vision import write_qwen3vl_merger
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl
from fingerpost.models.profiles import Calibration, calibration_folder, store_calibration

SMALL_VISION = VisionShape(32, 1, 2, 64, tile=64)
Writer = Callable[[Path], Path]
ON_A_CARD = """
load_tensors: layer   0 assigned to device CPU, is_swa = 0
load_tensors: layer   1 assigned to device CUDA0, is_swa = 0
load_tensors: layer   2 assigned to device CUDA0, is_swa = 0
load_tensors:   CPU_Mapped model buffer size =   512.00 MiB
load_tensors:        CUDA0 model buffer size =  6500.50 MiB
clip_ctx: CLIP using CUDA0 backend
load_hparams: model size:         1600.00 MiB
llama_kv_cache:      CUDA0 KV buffer size =   768.00 MiB
llama_memory_recurrent:      CUDA0 RS buffer size =   575.75 MiB
sched_reserve:      CUDA0 compute buffer size =   300.00 MiB
sched_reserve:  CUDA_Host compute buffer size =    20.00 MiB
""".splitlines()


def write_small_tiles(path: Path) -> Path:
    return write_nemotron_v2_vl(path, SMALL_VISION)


def noise(seed: int) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 255, (128, 256, 4), np.uint8))


def refused(path: Path, vision: Path | None = None, n_ctx: int = 512) -> ModelError:
    with pytest.raises(ModelError) as caught:
        Runtime(Options(path, vision, n_ctx=n_ctx))
    assert caught.value.hint.endswith(".")
    assert caught.value.message.endswith(".")
    return caught.value


def test_where_the_layers_are_is_read_from_the_log() -> None:
    placement = read_placement(ON_A_CARD)
    assert (placement.layers_on_gpu, placement.all_layers, placement.vision) == (2, 3, "CUDA0")
    assert placement.gpu_bytes == round((6500.5 + 1600 + 768 + 575.75 + 300) * MIB)
    assert placement.warning.startswith("2 of 3 layers")
    assert "CUDA0 9,744 MiB" in str(placement)


def test_a_model_that_is_on_the_gpu_whole_needs_no_warning() -> None:
    assert read_placement([line for line in ON_A_CARD if "device CPU" not in line]).warning == ""


def test_without_a_graphics_card_that_is_told(runtime: Runtime) -> None:
    assert runtime.placement.layers == {"CPU": 11}
    assert runtime.placement.gpu_bytes == 0
    assert runtime.placement.bytes["CPU"] > 10 * MIB
    assert any(warning.startswith("0 of 11 layers") for warning in runtime.warnings)


def test_a_model_nobody_has_calibrated_says_so_and_one_that_was_does_not(
    weights: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    before = Runtime(Options(weights, n_ctx=512))
    assert any("calibrate" in warning for warning in before.warnings)
    before.close()
    store_calibration(calibration_folder(), weights, Calibration("unit", 4, 0.01, 0.9))
    after = Runtime(Options(weights, n_ctx=512))
    assert not any("calibrate" in warning for warning in after.warnings)
    assert after.profile.localization.coordinates == "unit"
    after.close()
    after.close()


def test_loading_tells_its_progress_and_can_be_cancelled(weights: Path) -> None:
    shares: list[float] = []

    def note(share: float) -> bool:
        shares.append(share)
        return True

    Runtime(Options(weights, n_ctx=512), note).close()
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    with pytest.raises(ModelError):
        Runtime(Options(weights, n_ctx=512), lambda share: False)


def test_a_text_only_model_is_refused(tmp_path: Path) -> None:
    assert refused(write_nemotron_h(tmp_path / "lm.gguf")).message.endswith("lets it see is not beside it.")


def test_the_vision_file_of_another_model_is_not_taken_by_itself_and_refused_by_name(tmp_path: Path) -> None:
    model = write_nemotron_h(tmp_path / "lm.gguf")
    other = write_nemotron_v2_vl(tmp_path / "mmproj.gguf", SMALL_VISION, projection=128)
    assert refused(model).message.endswith("text only, and what is beside it belongs to another model: mmproj.gguf.")
    assert "another model" in refused(model, vision=other).message


@pytest.mark.parametrize(
    ("write", "right", "wrong"),
    [
        (write_nemotron_h, write_small_tiles, write_qwen3vl_merger),
        (write_nemotron_h_moe, write_small_tiles, write_qwen3vl_merger),
        (write_qwen3vl, write_qwen3vl_merger, write_small_tiles),
        (write_qwen35, write_qwen3vl_merger, write_small_tiles),
        (write_qwen35moe, write_qwen3vl_merger, write_small_tiles),
    ],
)
def test_a_vision_file_of_the_same_width_but_another_kind_is_another_models(
    write: Writer, right: Writer, wrong: Writer, tmp_path: Path
) -> None:
    model = write(tmp_path / "lm.gguf")
    other = wrong(tmp_path / "lm-mmproj.gguf")
    assert "text only" in refused(model).message
    assert "another model" in refused(model, vision=other).message
    header = read_header(model)
    own = right(tmp_path / "mmproj-of-another-name.gguf")
    assert find_vision(model, header, find_profile(model, header).projectors) == own


def test_half_a_model_is_refused(weights: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.gguf"
    half.write_bytes(weights.read_bytes()[: weights.stat().st_size // 2])
    assert "cut" in refused(half).message


def test_half_a_vision_file_is_refused(weights: Path, tmp_path: Path) -> None:
    half = tmp_path / "half-mmproj.gguf"
    whole = (weights.parent / "holotron-tiny-mmproj.gguf").read_bytes()
    half.write_bytes(whole[: len(whole) // 2])
    assert "cut" in refused(weights, vision=half).message


def test_a_damaged_vision_file_beside_the_model_is_named_and_not_called_missing(weights: Path, tmp_path: Path) -> None:
    model = Path(shutil.copy(weights, tmp_path))
    whole = (weights.parent / "holotron-tiny-mmproj.gguf").read_bytes()
    (tmp_path / "holotron-tiny-mmproj.gguf").write_bytes(whole[: len(whole) // 2])
    assert "holotron-tiny-mmproj.gguf is cut" in refused(model).message


@pytest.mark.parametrize("words", ["\udcff", "Save \ud83d", "\0", "\x1b[31m", "\u202eevaS", "</img><SPECIAL_12>"])
def test_any_words_can_be_cut_into_tokens(runtime: Runtime, words: str) -> None:
    assert runtime.model.tokenize(words, markers=False)


def test_a_model_nobody_knows_how_to_ask_is_refused(tmp_path: Path) -> None:
    assert "mamba2" in refused(write_mamba2(tmp_path / "m.gguf")).message


@pytest.mark.parametrize("write", [write_small_tiles, write_qwen3vl_merger])
def test_the_vision_file_in_place_of_the_model_is_called_so(write: Writer, tmp_path: Path) -> None:
    path = write(tmp_path / "mmproj.gguf")
    error = refused(path)
    assert "vision part" in error.message
    assert "language model" in error.hint
    with pytest.raises(ModelError, match="vision part"):
        Model(path)


@pytest.mark.parametrize("name", ["a folder", "Ordner für Modelle", *(["\udcff"] if sys.platform == "linux" else [])])
def test_a_model_may_lie_in_a_folder_of_any_name(weights: Path, tmp_path: Path, name: str) -> None:
    """On Linux a name may have bytes that are no letters."""
    folder = Path(shutil.copytree(weights.parent, tmp_path / name))
    Runtime(Options(folder / weights.name, n_ctx=512)).close()


def test_of_two_vision_files_the_one_named_like_the_model_is_taken(weights: Path, tmp_path: Path) -> None:
    model = Path(shutil.copy(weights, tmp_path / "holotron-12b-Q4_K_M.gguf"))
    write_nemotron_v2_vl(tmp_path / "a-mmproj.gguf", VisionShape(32, 1, 2, 64, tile=32))
    write_nemotron_v2_vl(tmp_path / "holotron-12b-mmproj.gguf", SMALL_VISION)
    runtime = Runtime(Options(model, n_ctx=512))
    assert runtime.vision.side == 64
    runtime.close()


def test_a_context_longer_than_the_model_can_use_is_one_sentence(weights: Path) -> None:
    assert "32,768" in refused(weights, n_ctx=40000).message


def test_keys_and_values_in_few_bits_without_flash_attention_are_refused_in_one_sentence(weights: Path) -> None:
    with pytest.raises(ModelError) as caught:
        Runtime(Options(weights, n_ctx=512, kv_type="q8_0"))
    assert caught.value.message == "Keys and values in q8_0 need flash attention, which is off."
    with pytest.raises(ModelError, match="'q3'"):
        Runtime(Options(weights, n_ctx=512, kv_type="q3", flash_attention=True))


def test_keys_and_values_in_few_bits_take_less_room(weights: Path) -> None:
    def bytes_of(**how: Any) -> int:
        runtime = Runtime(Options(weights, n_ctx=512, **how))
        runtime.context.decode([30] * 256, 0)
        taken = runtime.context.state_bytes(0)
        runtime.close()
        return taken - runtime.state_bytes

    full, few = bytes_of(), bytes_of(flash_attention=True, kv_type="q8_0")
    assert few < 0.6 * full


TOO_LITTLE = (
    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 7000.00 MiB on device 0: cudaMalloc failed: out of memory",
    "alloc_tensor_range: failed to allocate CUDA0 buffer of size 7340032000",
    "llama_kv_cache: error: unable to allocate KV cache",
)
LOADING = {
    (llama_cpp, "llama_model_load_from_file"): "holotron-tiny.gguf",
    (llama_cpp, "llama_init_from_model"): "holotron-tiny.gguf with a context of 512 tokens",
    (mtmd_cpp, "mtmd_init_from_file"): "holotron-tiny-mmproj.gguf",
}
"""What loads something of a model, and what that is called."""


def fail_with(line: str, call: tuple[ModuleType, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a call of the library log a line and return NULL."""

    def failed(*_: object) -> None:
        LOG.lines.append(line)

    monkeypatch.setattr(*call, failed)


@pytest.mark.parametrize("call", LOADING, ids=[name for _, name in LOADING])
@pytest.mark.parametrize("line", TOO_LITTLE)
def test_too_little_memory_is_told_of_whatever_does_not_fit(
    weights: Path, monkeypatch: pytest.MonkeyPatch, call: tuple[ModuleType, str], line: str
) -> None:
    fail_with(line, call, monkeypatch)
    error = refused(weights)
    assert error.message == f"There is not enough memory for {LOADING[call]}."
    assert "smaller" in error.hint


@pytest.mark.parametrize("call", LOADING, ids=[name for _, name in LOADING])
def test_another_reason_is_told_as_the_library_names_it_even_after_too_little_memory(
    weights: Path, monkeypatch: pytest.MonkeyPatch, call: tuple[ModuleType, str]
) -> None:
    fail_with(TOO_LITTLE[0], call, monkeypatch)
    refused(weights)
    fail_with("clip: unknown operation in this file", call, monkeypatch)
    assert "unknown operation in this file" in refused(weights).message


def test_the_statistics_tell_what_was_worked_out_what_was_known_and_what_is_held(runtime: Runtime) -> None:
    assert set(asdict(runtime.statistics).values()) == {0}
    engine, pixels = HolotronEngine(runtime, least_sure=0.0), noise(1).pixels
    frame = Frame(pixels)
    engine.prefill(frame)
    looked, tiles, depth = runtime.statistics, engine.tiles(frame), len(engine.path(frame, Query("Save"))) - 1
    assert (looked.tiles_encoded, looked.tile_hits, looked.segment_hits) == (tiles, 0, 0)
    assert looked.tokens_evaluated == length(engine.path(frame, Query("Save"))[:-1])
    assert looked.host_bytes >= runtime.state_bytes
    assert looked.tile_bytes == tiles * runtime.vision.tokens * runtime.model.n_embd_in * 4
    assert looked.sequences == runtime.cache.sequences > 0
    runtime.cache.evaluate(engine.path(frame, Query("Save")))
    asked = runtime.statistics
    assert asked.tokens_evaluated - looked.tokens_evaluated == runtime.prompt.target("Save").length
    assert (asked.tiles_encoded, asked.tile_hits, asked.segment_hits) == (tiles, 0, depth)
    runtime.cache.clear()
    engine.prefill(Frame(pixels))
    again = runtime.statistics
    assert (again.tiles_encoded, again.tile_hits, again.segment_hits) == (tiles, tiles, depth)


def test_a_model_in_few_bits_loads_and_its_answers_are_numbers(tmp_path: Path) -> None:
    shape = Shape(256, "M-*-", 4, 2, 64, 512, Mixer(16, 512, 64, 2), tokens=512)
    model = Model(write_nemotron_h(tmp_path / "m.gguf", shape, kind_of=q4_k_m))
    context = Context(model, ContextOptions(n_ctx=256, n_batch=64, n_seq_max=1))
    context.decode((30, 31, 32), 0, want_logits=True)
    logits = context.logits()
    assert np.isfinite(logits).all()
    assert logits.std() > 0
    context.close()
    model.close()
