"""Writes the runtime files from a checkpoint: encoder.onnx (8-bit weights) and words.npz.

python -m fingerpost.models.icons.training.export FOLDER [--into models/icons]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch.nn import functional

from fingerpost.models.icons.training.network import Encoder, Head, WordTable
from fingerpost.models.icons.vocabulary import Concept, read_concepts, words


def export_encoder(head: Head, file: Path) -> None:
    """The encoder with 8-bit weights: `crops` (n, 32, 32, 3), RGB 0..255, float32, to `vectors` (n, 128)."""
    example = torch.zeros(2, 32, 32, 3)
    with TemporaryDirectory() as scratch:
        full = Path(scratch) / "encoder.onnx"
        torch.onnx.export(
            Encoder(head).eval(), (example,), str(full), input_names=["crops"], output_names=["vectors"],
            dynamic_axes={"crops": {0: "n"}, "vectors": {0: "n"}}, opset_version=17, dynamo=False,
        )  # fmt: skip
        quantize_dynamic(
            full, file, op_types_to_quantize=["MatMul", "Gemm"], weight_type=QuantType.QInt8, per_channel=True
        )


def concept_vectors(table: WordTable, concepts: tuple[Concept, ...], numbers: dict[str, int]) -> torch.Tensor:
    """For each concept the mean direction of those of its names that name nothing else, shape (n, 128)."""
    uses: dict[tuple[str, ...], int] = {}
    for concept in concepts:
        for name in {words(phrase) for phrase in concept.phrases}:
            uses[name] = uses.get(name, 0) + 1
    means = []
    for concept in concepts:
        names = [words(phrase) for phrase in concept.phrases]
        own = [name for name in names if uses[name] == 1] or names[:1]
        means.append(table([[numbers[word] for word in name] for name in own]).mean(0))
    return functional.normalize(torch.stack(means), dim=1)


def export_words(
    table: WordTable, concepts: tuple[Concept, ...], vocabulary: list[str], scale: float, file: Path
) -> None:
    """The word vectors (8-bit, one step size a word), the concepts' vectors and every name with its concept."""
    numbers = {word: i for i, word in enumerate(vocabulary)}
    weighted = (table.vectors.weight * table.log_weights.exp()[:, None]).detach().numpy()
    steps = np.abs(weighted).max(1, keepdims=True) / 127
    names = sorted({(" ".join(words(phrase)), i) for i, concept in enumerate(concepts) for phrase in concept.phrases})
    np.savez_compressed(
        file,
        words=np.array(vocabulary),
        vectors=np.round(weighted / steps).astype(np.int8),
        steps=steps.astype(np.float32),
        concepts=np.array([concept.key for concept in concepts]),
        concept_vectors=concept_vectors(table, concepts, numbers).detach().numpy().astype(np.float16),
        names=np.array([name for name, _ in names]),
        name_concepts=np.array([concept for _, concept in names], dtype=np.int16),
        scale=np.float32(scale),
    )


def load_checkpoint(folder: Path) -> tuple[Head, WordTable, list[str], float]:
    saved = torch.load(folder / "checkpoint.pt", weights_only=True)
    head, table = Head(), WordTable(len(saved["words"]))
    head.load_state_dict(saved["head"])
    table.load_state_dict(saved["table"])
    return head.eval(), table.eval(), saved["words"], saved["scale"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="working folder with checkpoint.pt")
    parser.add_argument("--into", type=Path, default=Path(__file__).parents[1], help="where the files go")
    options = parser.parse_args()
    head, table, vocabulary, scale = load_checkpoint(options.folder)
    export_encoder(head, options.into / "encoder.onnx")
    export_words(table, read_concepts(), vocabulary, scale, options.into / "words.npz")
    for name in ("encoder.onnx", "words.npz"):
        print(name, (options.into / name).stat().st_size)


if __name__ == "__main__":
    main()
