"""Language models of random weights: hybrid (Nemotron-H, Qwen3.5, Jamba), attention only (Qwen3), recurrent only
(Mamba-2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import gguf
from gguf import GGMLQuantizationType as Kind

from fingerpost.models.gguf.tensors import KindOf, RandomTensors, full_precision
from fingerpost.models.gguf.vocabulary import add_vocabulary, byte_vocabulary


@dataclass(frozen=True)
class Mixer:
    """Shapes of Mamba-2 layers: `inner` = heads × head size. Of Mamba-1, `heads` is the rank of the time step."""

    heads: int
    inner: int
    state: int
    groups: int
    kernel: int = 4


@dataclass(frozen=True)
class Shape:
    """`pattern` has one letter a layer, as NVIDIA writes it: M Mamba-2, * attention, - feed-forward, E experts.

    tokens  size of the vocabulary; 0: no larger than need be
    """

    embedding: int
    pattern: str
    heads: int
    kv_heads: int
    head_size: int
    feed_forward: int
    mixer: Mixer
    context: int = 32768
    tokens: int = 0


TINY = Shape(256, "M-M*-M-M*-", 8, 2, 32, 512, Mixer(16, 512, 64, 2))
HOLOTRON_12B = Shape(
    5120, "M-M-M-M*-" * 6 + "M-M-M-M-", 40, 8, 128, 20480, Mixer(128, 10240, 128, 8), context=131072, tokens=131072
)
"""28 Mamba-2, 6 attention and 28 feed-forward layers."""
TINY_MOE = Shape(256, "MEM*EM*E", 8, 2, 32, 512, Mixer(16, 512, 64, 2))
TINY_DELTA = Mixer(4, 256, 64, 2)
TINY_MAMBA1 = Mixer(16, 512, 16, 0)
EXPERTS, EXPERTS_USED = 4, 2
HOLO2_8B_LAYERS = 36
"""All of them attention, with as many heads for keys and values, of the same size, as the 12B's."""


def q4_k_m(name: str, shape: tuple[int, ...]) -> Kind:
    """How llama.cpp's Q4_K_M stores weights, near enough: the output and half of the sensitive ones in six bits."""
    if len(shape) < 2 or shape[-1] % 256:
        return Kind.F32
    if name == "output.weight":
        return Kind.Q6_K
    layer = name.split(".")[1]
    is_sensitive = any(part in name for part in ("ffn_down", "attn_v"))
    return Kind.Q6_K if is_sensitive and int(layer) % 4 < 2 else Kind.Q4_K


def write_nemotron_h(path: Path, shape: Shape = TINY, seed: int = 0, kind_of: KindOf = full_precision) -> Path:
    """Holotron-12B's architecture: Mamba-2, attention without positions, squared-ReLU feed-forward."""
    return _write_nemotron(path, "nemotron_h", shape, seed, kind_of)


def write_nemotron_h_moe(path: Path, shape: Shape = TINY_MOE, seed: int = 6) -> Path:
    """Holotron-3-Nano's architecture: as the 12B's, with experts in place of the feed-forward layers."""
    return _write_nemotron(path, "nemotron_h_moe", shape, seed, full_precision)


def _write_nemotron(path: Path, arch: str, shape: Shape, seed: int, kind_of: KindOf) -> Path:
    writer = gguf.GGUFWriter(None, arch)
    tensors = RandomTensors(writer, seed, kind_of)
    layers = shape.pattern
    _add_common(writer, tensors, shape, len(layers))
    writer.add_head_count_kv([shape.kv_heads if kind == "*" else 0 for kind in layers])
    writer.add_feed_forward_length([shape.feed_forward if kind in "-E" else 0 for kind in layers])
    writer.add_layer_norm_eps(1e-5)
    _add_mixer(writer, shape.mixer)
    if "E" in layers:
        _add_experts(writer, shape)
    parts: dict[str, Callable[[RandomTensors, str, Shape], None]] = {
        "M": _mamba2, "*": _attention, "-": _feed_forward, "E": _experts,
    }  # fmt: skip
    for number, kind in enumerate(layers):
        tensors.ones(f"blk.{number}.attn_norm.weight", shape.embedding)
        parts[kind](tensors, f"blk.{number}.", shape)
    return tensors.finish(path)


def write_qwen3(path: Path, shape: Shape = TINY, seed: int = 1, layers: int = 4) -> Path:
    """Attention only: the relatives that can trim their state."""
    return _write_qwen(path, "qwen3", shape, seed, layers)


def write_qwen3vl(path: Path, shape: Shape = TINY, seed: int = 4, layers: int = 4, deepstack: int = 1) -> Path:
    """Holo2's architecture: attention only, positions of pictures by row and column; so many of the first layers get
    features of the vision model."""
    return _write_qwen(path, "qwen3vl", shape, seed, layers, deepstack)


def _write_qwen(path: Path, arch: str, shape: Shape, seed: int, layers: int, deepstack: int | None = None) -> Path:
    writer = gguf.GGUFWriter(None, arch)
    tensors = RandomTensors(writer, seed)
    _add_common(writer, tensors, shape, layers)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_feed_forward_length(shape.feed_forward)
    writer.add_rope_freq_base(1e6)
    if deepstack is not None:
        writer.add_rope_dimension_sections(_sections(shape))
        writer.add_num_deepstack_layers(deepstack)
    for number in range(layers):
        prefix = f"blk.{number}."
        for norm in ("attn_norm", "ffn_norm"):
            tensors.ones(f"{prefix}{norm}.weight", shape.embedding)
        for norm in ("attn_q_norm", "attn_k_norm"):
            tensors.ones(f"{prefix}{norm}.weight", shape.head_size)
        _attention(tensors, prefix, shape)
        _gated_feed_forward(tensors, prefix, shape)
    return tensors.finish(path)


def write_qwen35(path: Path, shape: Shape = TINY, seed: int = 7, layers: int = 4, every: int = 2) -> Path:
    """Holo-3.1's architecture: gated delta networks, and attention in the last of `every` so many layers."""
    return _write_qwen35(path, "qwen35", shape, seed, layers, every)


def write_qwen35moe(path: Path, shape: Shape = TINY, seed: int = 8, layers: int = 4, every: int = 2) -> Path:
    """Holo-3.1-35B-A3B's architecture: as `write_qwen35`, with experts in place of the feed-forward networks."""
    return _write_qwen35(path, "qwen35moe", shape, seed, layers, every)


def _write_qwen35(path: Path, arch: str, shape: Shape, seed: int, layers: int, every: int) -> Path:
    writer = gguf.GGUFWriter(None, arch)
    tensors = RandomTensors(writer, seed)
    has_experts = arch == "qwen35moe"
    _add_common(writer, tensors, shape, layers)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_rope_freq_base(1e6)
    writer.add_rope_dimension_sections(_sections(shape))
    writer.add_full_attention_interval(every)
    _add_mixer(writer, TINY_DELTA)
    if has_experts:
        _add_expert_sizes(writer, shape)
    else:
        writer.add_feed_forward_length(shape.feed_forward)
    for number in range(layers):
        prefix = f"blk.{number}."
        for norm in ("attn_norm", "post_attention_norm"):
            tensors.ones(f"{prefix}{norm}.weight", shape.embedding)
        if (number + 1) % every:
            _delta_net(tensors, prefix, shape, TINY_DELTA)
        else:
            for norm in ("attn_q_norm", "attn_k_norm"):
                tensors.ones(f"{prefix}{norm}.weight", shape.head_size)
            _attention(tensors, prefix, shape, gated=True)
        (_gated_experts if has_experts else _gated_feed_forward)(tensors, prefix, shape)
    return tensors.finish(path)


def write_jamba(path: Path, shape: Shape = TINY, seed: int = 9, pattern: str = "MM*M") -> Path:
    """AI21's Jamba: Mamba-1, and attention without positions; behind each of them a feed-forward network.

    pattern  one letter a layer, as in `Shape`
    """
    writer = gguf.GGUFWriter(None, "jamba")
    tensors = RandomTensors(writer, seed)
    _add_common(writer, tensors, shape, len(pattern))
    writer.add_head_count_kv([shape.kv_heads if kind == "*" else 0 for kind in pattern])
    writer.add_feed_forward_length(shape.feed_forward)
    _add_mixer(writer, TINY_MAMBA1)
    for number, kind in enumerate(pattern):
        prefix = f"blk.{number}."
        for norm in ("attn_norm", "ffn_norm"):
            tensors.ones(f"{prefix}{norm}.weight", shape.embedding)
        if kind == "*":
            _attention(tensors, prefix, shape)
        else:
            _mamba1(tensors, prefix, shape, TINY_MAMBA1)
        _gated_feed_forward(tensors, prefix, shape)
    return tensors.finish(path)


def write_mamba2(path: Path, shape: Shape = TINY, seed: int = 2) -> Path:
    """Recurrent only: nothing can be trimmed, and all of the state is of constant size."""
    writer = gguf.GGUFWriter(None, "mamba2")
    tensors = RandomTensors(writer, seed)
    layers = 4
    _add_common(writer, tensors, shape, layers)
    writer.add_head_count_kv(0)
    writer.add_feed_forward_length(0)
    _add_mixer(writer, shape.mixer)
    for number in range(layers):
        tensors.ones(f"blk.{number}.attn_norm.weight", shape.embedding)
        _mamba2(tensors, f"blk.{number}.", shape)
    return tensors.finish(path)


def _add_common(writer: gguf.GGUFWriter, tensors: RandomTensors, shape: Shape, layers: int) -> None:
    vocabulary = byte_vocabulary(shape.tokens)
    writer.add_name(f"random {writer.arch}")
    writer.add_block_count(layers)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.embedding)
    writer.add_vocab_size(len(vocabulary.tokens))
    writer.add_head_count(shape.heads)
    writer.add_key_length(shape.head_size)
    writer.add_value_length(shape.head_size)
    writer.add_rope_dimension_count(shape.head_size)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(tensors.file_type)
    add_vocabulary(writer, vocabulary)
    tensors.normal("token_embd.weight", len(vocabulary.tokens), shape.embedding, scale=1.0)
    tensors.ones("output_norm.weight", shape.embedding)
    tensors.normal("output.weight", len(vocabulary.tokens), shape.embedding)


def _add_mixer(writer: gguf.GGUFWriter, mixer: Mixer) -> None:
    writer.add_ssm_conv_kernel(mixer.kernel)
    writer.add_ssm_inner_size(mixer.inner)
    writer.add_ssm_state_size(mixer.state)
    writer.add_ssm_time_step_rank(mixer.heads)
    writer.add_ssm_group_count(mixer.groups)


def _mamba2(tensors: RandomTensors, prefix: str, shape: Shape) -> None:
    mixer = shape.mixer
    mixed = mixer.inner + 2 * mixer.groups * mixer.state
    tensors.normal(f"{prefix}ssm_in.weight", mixer.inner + mixed + mixer.heads, shape.embedding)
    tensors.normal(f"{prefix}ssm_conv1d.weight", mixed, mixer.kernel)
    tensors.normal(f"{prefix}ssm_conv1d.bias", mixed, scale=0.1)
    tensors.put(f"{prefix}ssm_dt.bias", tensors.random.uniform(-4, -1, mixer.heads))
    tensors.put(f"{prefix}ssm_a", -tensors.random.uniform(0.5, 8, (mixer.heads, 1)))
    tensors.ones(f"{prefix}ssm_d", mixer.heads, 1)
    tensors.ones(f"{prefix}ssm_norm.weight", mixer.groups, mixer.inner // mixer.groups)
    tensors.normal(f"{prefix}ssm_out.weight", shape.embedding, mixer.inner)


def _mamba1(tensors: RandomTensors, prefix: str, shape: Shape, mixer: Mixer) -> None:
    rank, inner, state = mixer.heads, mixer.inner, mixer.state
    tensors.normal(f"{prefix}ssm_in.weight", 2 * inner, shape.embedding)
    tensors.normal(f"{prefix}ssm_conv1d.weight", inner, mixer.kernel)
    tensors.normal(f"{prefix}ssm_conv1d.bias", inner, scale=0.1)
    tensors.normal(f"{prefix}ssm_x.weight", rank + 2 * state, inner)
    tensors.normal(f"{prefix}ssm_dt.weight", inner, rank)
    tensors.put(f"{prefix}ssm_dt.bias", tensors.random.uniform(-4, -1, inner))
    for part, count in (("dt", rank), ("b", state), ("c", state)):
        tensors.ones(f"{prefix}ssm_{part}_norm.weight", count)
    tensors.put(f"{prefix}ssm_a", -tensors.random.uniform(0.5, 8, (inner, state)))
    tensors.ones(f"{prefix}ssm_d", inner)
    tensors.normal(f"{prefix}ssm_out.weight", shape.embedding, inner)


def _sections(shape: Shape) -> list[int]:
    """How many pairs of a head turn with time, row and column."""
    pairs = shape.head_size // 2
    return [pairs - 2 * (pairs // 3), pairs // 3, pairs // 3, 0]


def _delta_net(tensors: RandomTensors, prefix: str, shape: Shape, mixer: Mixer) -> None:
    mixed = mixer.inner + 2 * mixer.groups * mixer.state
    tensors.normal(f"{prefix}attn_qkv.weight", mixed, shape.embedding)
    tensors.normal(f"{prefix}attn_gate.weight", mixer.inner, shape.embedding)
    tensors.normal(f"{prefix}ssm_conv1d.weight", mixed, mixer.kernel)
    tensors.put(f"{prefix}ssm_dt.bias", tensors.random.uniform(-4, -1, mixer.heads))
    tensors.put(f"{prefix}ssm_a", -tensors.random.uniform(0.5, 8, mixer.heads))
    for name in ("ssm_beta", "ssm_alpha"):
        tensors.normal(f"{prefix}{name}.weight", mixer.heads, shape.embedding)
    tensors.ones(f"{prefix}ssm_norm.weight", mixer.state)
    tensors.normal(f"{prefix}ssm_out.weight", shape.embedding, mixer.inner)


def _add_expert_sizes(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_expert_count(EXPERTS)
    writer.add_expert_used_count(EXPERTS_USED)
    writer.add_expert_feed_forward_length(shape.feed_forward)
    writer.add_expert_shared_feed_forward_length(shape.feed_forward)


def _add_experts(writer: gguf.GGUFWriter, shape: Shape) -> None:
    _add_expert_sizes(writer, shape)
    writer.add_expert_shared_count(1)
    writer.add_expert_weights_norm(True)
    writer.add_expert_weights_scale(1.0)


def _experts(tensors: RandomTensors, prefix: str, shape: Shape) -> None:
    wide, inner = shape.embedding, shape.feed_forward
    tensors.normal(f"{prefix}ffn_gate_inp.weight", EXPERTS, wide)
    tensors.zeros(f"{prefix}exp_probs_b.bias", EXPERTS)
    tensors.normal(f"{prefix}ffn_up_exps.weight", EXPERTS, inner, wide, scale=wide**-0.5)
    tensors.normal(f"{prefix}ffn_down_exps.weight", EXPERTS, wide, inner, scale=inner**-0.5)
    tensors.normal(f"{prefix}ffn_up_shexp.weight", inner, wide)
    tensors.normal(f"{prefix}ffn_down_shexp.weight", wide, inner)


def _gated_experts(tensors: RandomTensors, prefix: str, shape: Shape) -> None:
    """With one that all tokens share."""
    wide, inner = shape.embedding, shape.feed_forward
    tensors.normal(f"{prefix}ffn_gate_inp.weight", EXPERTS, wide)
    tensors.normal(f"{prefix}ffn_gate_inp_shexp.weight", wide)
    for part, rows, columns in (("gate", inner, wide), ("up", inner, wide), ("down", wide, inner)):
        tensors.normal(f"{prefix}ffn_{part}_exps.weight", EXPERTS, rows, columns, scale=columns**-0.5)
        tensors.normal(f"{prefix}ffn_{part}_shexp.weight", rows, columns)


def _attention(tensors: RandomTensors, prefix: str, shape: Shape, gated: bool = False) -> None:
    rows = shape.heads * shape.head_size * (2 if gated else 1)
    tensors.normal(f"{prefix}attn_q.weight", rows, shape.embedding)
    tensors.normal(f"{prefix}attn_k.weight", shape.kv_heads * shape.head_size, shape.embedding)
    tensors.normal(f"{prefix}attn_v.weight", shape.kv_heads * shape.head_size, shape.embedding)
    tensors.normal(f"{prefix}attn_output.weight", shape.embedding, shape.heads * shape.head_size)


def _feed_forward(tensors: RandomTensors, prefix: str, shape: Shape) -> None:
    tensors.normal(f"{prefix}ffn_up.weight", shape.feed_forward, shape.embedding)
    tensors.normal(f"{prefix}ffn_down.weight", shape.embedding, shape.feed_forward)


def _gated_feed_forward(tensors: RandomTensors, prefix: str, shape: Shape) -> None:
    tensors.normal(f"{prefix}ffn_gate.weight", shape.feed_forward, shape.embedding)
    _feed_forward(tensors, prefix, shape)
