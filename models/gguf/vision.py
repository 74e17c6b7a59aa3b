"""A tiny vision projector in C-RADIO's architecture (`nemotron_v2_vl`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import gguf
from gguf import GGMLQuantizationType as Kind

from fingerpost.models.gguf.tensors import KindOf, RandomTensors, full_precision

CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
CLIP_STD = (0.26862954, 0.26130258, 0.27577711)
"""How OpenAI's CLIP normalises red, green and blue; C-RADIO was trained with it."""


@dataclass(frozen=True)
class VisionShape:
    """`tile` and `patch` in pixels; `scale` patches a side become one token; `projector`: how many times wider than
    these the projector is inside."""

    embedding: int
    layers: int
    heads: int
    feed_forward: int
    tile: int = 512
    patch: int = 16
    registers: int = 10
    scale: int = 2
    projector: int = 2


TINY_VISION = VisionShape(64, 2, 4, 128)
RADIO_H = VisionShape(1280, 32, 16, 5120, projector=4)
"""C-RADIOv2-H, as the 12B has it."""


def bf16(name: str, shape: tuple[int, ...]) -> Kind:
    """The large weights of all layers in half precision."""
    return Kind.BF16 if name.startswith(("v.blk.", "mm.")) and len(shape) == 2 else Kind.F32


def write_nemotron_v2_vl(
    path: Path,
    shape: VisionShape = TINY_VISION,
    projection: int = 256,
    seed: int = 3,
    mean: tuple[float, float, float] = CLIP_MEAN,
    std: tuple[float, float, float] = CLIP_STD,
    kind_of: KindOf = full_precision,
) -> Path:
    """`projection` is the language model's embedding length."""
    writer = gguf.GGUFWriter(None, "clip")
    tensors = RandomTensors(writer, seed, kind_of)
    writer.add_name("random radio")
    writer.add_clip_projector_type(gguf.VisionProjectorType.NEMOTRON_V2_VL)
    add_vision_shape(writer, shape, projection, mean, std)
    writer.add_vision_projector_scale_factor(shape.scale)
    tensors.normal("v.patch_embd.weight", shape.embedding, 3, shape.patch, shape.patch)
    tensors.normal("v.position_embd.weight", (shape.tile // shape.patch) ** 2, shape.embedding, scale=0.5)
    tensors.normal("v.class_embd", shape.registers, shape.embedding, scale=0.5)
    for number in range(shape.layers):
        add_layer(tensors, f"v.blk.{number}.", shape)
    shuffled = shape.embedding * shape.scale**2
    tensors.ones("mm.model.mlp.0.weight", shuffled)
    tensors.normal("mm.model.mlp.1.weight", shape.projector * shuffled, shuffled)
    tensors.normal("mm.model.mlp.3.weight", projection, shape.projector * shuffled)
    return tensors.finish(path)


def add_vision_shape(
    writer: gguf.GGUFWriter,
    shape: VisionShape,
    projection: int,
    mean: tuple[float, float, float],
    std: tuple[float, float, float],
    file_type: gguf.LlamaFileType = gguf.LlamaFileType.ALL_F32,
) -> None:
    """The keys that all vision models have."""
    writer.add_clip_has_vision_encoder(True)
    writer.add_vision_projection_dim(projection)
    writer.add_vision_image_size(shape.tile)
    writer.add_vision_patch_size(shape.patch)
    writer.add_vision_embedding_length(shape.embedding)
    writer.add_vision_feed_forward_length(shape.feed_forward)
    writer.add_vision_block_count(shape.layers)
    writer.add_vision_head_count(shape.heads)
    writer.add_vision_attention_layernorm_eps(1e-6)
    writer.add_vision_use_gelu(True)
    writer.add_vision_image_mean(list(mean))
    writer.add_vision_image_std(list(std))
    writer.add_file_type(file_type)


def add_layer(tensors: RandomTensors, prefix: str, shape: VisionShape) -> None:
    """One layer of a vision transformer."""
    wide, inner = shape.embedding, shape.feed_forward
    for norm in ("ln1", "ln2"):
        tensors.ones(f"{prefix}{norm}.weight", wide)
        tensors.zeros(f"{prefix}{norm}.bias", wide)
    for name, rows, columns in (
        ("attn_qkv", 3 * wide, wide),
        ("attn_out", wide, wide),
        ("ffn_up", inner, wide),
        ("ffn_down", wide, inner),
    ):
        tensors.normal(f"{prefix}{name}.weight", rows, columns)
        tensors.normal(f"{prefix}{name}.bias", rows, scale=0.01)
