"""A tiny vision projector in Qwen3-VL's architecture (`qwen3vl_merger`), which Holo2 and Holo-3.1 have."""

from __future__ import annotations

from pathlib import Path

import gguf

from fingerpost.models.gguf.tensors import RandomTensors
from fingerpost.models.gguf.vision import VisionShape, add_layer, add_vision_shape

TINY_QWEN_VISION = VisionShape(64, 2, 4, 128, tile=512)
MEAN = STD = (0.5, 0.5, 0.5)


def write_qwen3vl_merger(
    path: Path,
    shape: VisionShape = TINY_QWEN_VISION,
    projection: int = 256,
    deepstack: tuple[int, ...] = (0,),
    seed: int = 5,
) -> Path:
    """`projection` is the language model's embedding length; `deepstack` the layers whose features go into its first
    layers."""
    writer = gguf.GGUFWriter(None, "clip")
    tensors = RandomTensors(writer, seed)
    writer.add_name("random qwen3-vl vision")
    writer.add_clip_projector_type(gguf.VisionProjectorType.QWEN3VL)
    add_vision_shape(writer, shape, projection, MEAN, STD)
    writer.add_vision_spatial_merge_size(shape.scale)
    writer.add_vision_is_deepstack_layers([number in deepstack for number in range(shape.layers)])
    wide = shape.embedding
    for name in ("v.patch_embd.weight", "v.patch_embd.weight.1"):  # of two frames of a video
        tensors.normal(name, wide, 3, shape.patch, shape.patch)
    tensors.zeros("v.patch_embd.bias", wide)
    tensors.normal("v.position_embd.weight", (shape.tile // shape.patch) ** 2, wide, scale=0.5)
    tensors.ones("v.post_ln.weight", wide)
    tensors.zeros("v.post_ln.bias", wide)
    for number in range(shape.layers):
        add_layer(tensors, f"v.blk.{number}.", shape)
    merged = wide * shape.scale**2
    for number in deepstack:
        prefix = f"v.deepstack.{number}."
        tensors.ones(f"{prefix}norm.weight", merged)
        tensors.zeros(f"{prefix}norm.bias", merged)
        _two_layers(tensors, f"{prefix}fc1", f"{prefix}fc2", merged, projection)
    _two_layers(tensors, "mm.0", "mm.2", merged, projection)
    return tensors.finish(path)


def _two_layers(tensors: RandomTensors, first: str, second: str, wide: int, out: int) -> None:
    tensors.normal(f"{first}.weight", wide, wide)
    tensors.zeros(f"{first}.bias", wide)
    tensors.normal(f"{second}.weight", out, wide)
    tensors.zeros(f"{second}.bias", out)
