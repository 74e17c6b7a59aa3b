"""llama.cpp is installed in the pinned version, and it loads a model and evaluates it on this machine."""

from __future__ import annotations

import ctypes
import math
import tomllib
from pathlib import Path

import gguf
import llama_cpp
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
WIDTH, HEADS, FEED_FORWARD, CONTEXT = 64, 4, 128, 64
TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "b", "c", "d"]


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    """A llama model of one layer with random weights: 0.3 MB."""
    path = tmp_path / "one-layer.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(TOKENS)
    writer.add_token_scores([0.0] * len(TOKENS))
    writer.add_token_types(
        [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
        + [gguf.TokenType.BYTE] * 256
        + [gguf.TokenType.NORMAL] * (len(TOKENS) - 259)
    )
    for name, shape in tensor_shapes().items():
        writer.add_tensor(name, weights(name, shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def tensor_shapes() -> dict[str, tuple[int, ...]]:
    square = (WIDTH, WIDTH)
    layer = {
        "attn_norm": (WIDTH,),
        "attn_q": square,
        "attn_k": square,
        "attn_v": square,
        "attn_output": square,
        "ffn_norm": (WIDTH,),
        "ffn_gate": (FEED_FORWARD, WIDTH),
        "ffn_up": (FEED_FORWARD, WIDTH),
        "ffn_down": (WIDTH, FEED_FORWARD),
    }
    return {
        "token_embd.weight": (len(TOKENS), WIDTH),
        **{f"blk.0.{name}.weight": shape for name, shape in layer.items()},
        "output_norm.weight": (WIDTH,),
        "output.weight": (len(TOKENS), WIDTH),
    }


def weights(name: str, shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    if "norm" in name:
        return np.ones(shape, np.float32)
    generator = np.random.default_rng(len(name))
    return (generator.standard_normal(shape) / math.sqrt(shape[-1])).astype(np.float32)


def test_the_installed_version_is_the_pinned_one() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert f"llama-cpp-python=={llama_cpp.__version__}" in extras["holotron"]


def test_the_library_names_its_processor_features() -> None:
    information = llama_cpp.llama_print_system_info().decode()
    assert "CPU :" in information
    assert isinstance(llama_cpp.llama_supports_gpu_offload(), bool)


def test_a_model_is_loaded_and_gives_the_same_finite_logits_twice(model_file: Path) -> None:
    first, second = logits(model_file), logits(model_file)
    assert first.shape == (len(TOKENS),)
    assert np.isfinite(first).all()
    assert first.std() > 0.1
    assert np.array_equal(first, second)


def logits(model_file: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Logits after one token, through the low-level functions."""
    model = llama_cpp.llama_model_load_from_file(str(model_file).encode(), llama_cpp.llama_model_default_params())
    assert model, "llama.cpp refuses the model"
    settings = llama_cpp.llama_context_default_params()
    settings.n_ctx, settings.n_threads = CONTEXT, 1
    context = llama_cpp.llama_init_from_model(model, settings)
    try:
        token = (llama_cpp.llama_token * 1)(TOKENS.index("a"))
        assert llama_cpp.llama_decode(context, llama_cpp.llama_batch_get_one(token, 1)) == 0
        pointer = llama_cpp.llama_get_logits_ith(context, -1)
        return np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float)), (len(TOKENS),)).copy()
    finally:
        llama_cpp.llama_free(context)
        llama_cpp.llama_model_free(model)
