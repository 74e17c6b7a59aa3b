"""Writes the trained weights as GGUF files.

python -m fingerpost.models.miniature.training.export FOLDER/state.pt OUT [--kind Q8_0]

Files that are there are replaced, each at once: a process that has them loaded goes on with the old ones.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt
import torch
from gguf import GGMLQuantizationType as Kind

from fingerpost.models.gguf.vision import CLIP_MEAN, CLIP_STD, VisionShape, add_vision_shape
from fingerpost.models.gguf.vocabulary import add_markers
from fingerpost.models.miniature.shapes import LANGUAGE, VISION
from fingerpost.models.miniature.training.learning import new_network
from fingerpost.models.miniature.training.network import tensors
from fingerpost.models.miniature.vocabulary import vocabulary

Array = npt.NDArray[np.float32]
Q4_K_M = "Q4_K_M"
"""The language model's K-quant; llama.cpp makes it of 32 bits. The vision model is stored as Q8_0 then."""
KINDS = {"F32": Kind.F32, "Q8_0": Kind.Q8_0}
FILE_TYPES = {"F32": gguf.LlamaFileType.ALL_F32, "Q8_0": gguf.LlamaFileType.MOSTLY_Q8_0}
KEPT = ("ssm_conv1d", "patch_embd", "position_embd", "class_embd", "norm", "ssm_a", "ssm_d")
"""Small tensors, or ones that llama.cpp wants as they are."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("state", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--kind", choices=[*KINDS, Q4_K_M], default="Q8_0")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for path in export(options.state, options.out, options.kind):
        print(path, path.stat().st_size)


def export(state: Path, out: Path, kind: str = "Q8_0") -> tuple[Path, Path]:
    """The language model's file and the vision model's."""
    network = new_network()
    averaged = torch.load(state, weights_only=True, map_location="cpu")["average"]
    averaged.pop("n_averaged", None)
    network.load_state_dict({name.removeprefix("module."): values for name, values in averaged.items()})
    language = {name: values.numpy() for name, values in tensors(network.language).items()}
    vision = {name: values.numpy() for name, values in tensors(network.vision).items()}
    whole, parts = out / "miniature.gguf", out / "miniature-mmproj.gguf"
    with tempfile.TemporaryDirectory(dir=out) as folder:
        new = Path(folder) / whole.name
        if kind == Q4_K_M:
            from fingerpost.models.miniature.training.quantizing import to_q4_k_m

            to_q4_k_m(write_language(new.with_suffix(".f32"), language, "F32"), new)
        else:
            write_language(new, language, kind)
        write_vision(new.with_name(parts.name), vision, VISION, LANGUAGE.embedding, kind if kind in KINDS else "Q8_0")
        return new.replace(whole), new.with_name(parts.name).replace(parts)


def write_language(path: Path, weights: Mapping[str, Array], kind: str) -> Path:
    """A `nemotron_h` of `LANGUAGE`'s shape."""
    shape, words = LANGUAGE, vocabulary()
    writer = gguf.GGUFWriter(path, "nemotron_h")
    writer.add_name("Fingerpost miniature")
    writer.add_block_count(len(shape.pattern))
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.embedding)
    writer.add_vocab_size(len(words.tokens))
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv([shape.kv_heads if layer == "*" else 0 for layer in shape.pattern])
    writer.add_key_length(shape.head_size)
    writer.add_value_length(shape.head_size)
    writer.add_rope_dimension_count(shape.head_size)
    writer.add_feed_forward_length([shape.feed_forward if layer == "-" else 0 for layer in shape.pattern])
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_layer_norm_eps(1e-5)
    writer.add_ssm_conv_kernel(shape.mixer.kernel)
    writer.add_ssm_inner_size(shape.mixer.inner)
    writer.add_ssm_state_size(shape.mixer.state)
    writer.add_ssm_time_step_rank(shape.mixer.heads)
    writer.add_ssm_group_count(shape.mixer.groups)
    writer.add_file_type(FILE_TYPES[kind])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(list(words.tokens))
    writer.add_token_types(list(words.kinds))
    writer.add_token_merges(list(words.merges))
    add_markers(writer)
    return _finish(writer, weights, kind)


def write_vision(path: Path, weights: Mapping[str, Array], shape: VisionShape, projection: int, kind: str) -> Path:
    """A `nemotron_v2_vl`; `projection` is the language model's embedding length."""
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_name("Fingerpost miniature vision")
    writer.add_clip_projector_type(gguf.VisionProjectorType.NEMOTRON_V2_VL)
    add_vision_shape(writer, shape, projection, CLIP_MEAN, CLIP_STD, FILE_TYPES[kind])
    writer.add_vision_projector_scale_factor(shape.scale)
    return _finish(writer, weights, kind)


def _finish(writer: gguf.GGUFWriter, weights: Mapping[str, Array], kind: str) -> Path:
    for name, values in weights.items():
        stored = kind_of(name, values, kind)
        if stored == Kind.F32:
            writer.add_tensor(name, np.ascontiguousarray(values, np.float32))
        else:
            writer.add_tensor(name, gguf.quants.quantize(values, stored), raw_dtype=stored)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    assert writer.path is not None
    return Path(writer.path)


def kind_of(name: str, values: Array, kind: str) -> Kind:
    """How a tensor is stored: matrices as asked for, where their rows are whole blocks."""
    if values.ndim != 2 or any(part in name for part in KEPT):
        return Kind.F32
    stored = KINDS[kind]
    return stored if values.shape[1] % gguf.GGML_QUANT_SIZES[stored][0] == 0 else Kind.F32


if __name__ == "__main__":
    main()
