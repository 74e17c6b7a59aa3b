"""Random weights in the stored forms of GGUF: valid blocks, about normally distributed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from gguf import GGMLQuantizationType as Kind
from gguf.constants import GGML_QUANT_SIZES

AT_ONCE = 65536
"""Blocks that are drawn; a larger tensor repeats them, which neither speed nor memory notices."""
Q4_K_SPREAD = 258.0
Q6_K_SPREAD = 1370.0
"""Standard deviation of a block's weights when its scale is 1."""
Q4_K_MIDDLE = 7.5


def random_blocks(
    kind: Kind, count: int, spread: float, random: np.random.Generator
) -> Iterator[npt.NDArray[np.uint8]]:
    """So many blocks, in pieces of bytes. `spread` is the standard deviation of the weights."""
    drawn = _DRAW[kind](min(count, AT_ONCE), spread, random)
    size = GGML_QUANT_SIZES[kind][1]
    for first in range(0, count, AT_ONCE):
        yield drawn[: min(AT_ONCE, count - first) * size]


def _q4_k(count: int, spread: float, random: np.random.Generator) -> npt.NDArray[np.uint8]:
    """256 weights: scale and least value as float16, 12 bytes of finer ones, 128 bytes of two weights each."""
    blocks = random.integers(0, 256, (count, 144), np.uint8)
    scale = spread / Q4_K_SPREAD
    blocks[:, 0:4] = np.array([scale, scale * Q4_K_MIDDLE], np.float16).view(np.uint8)
    return blocks.reshape(-1)


def _q6_k(count: int, spread: float, random: np.random.Generator) -> npt.NDArray[np.uint8]:
    """256 weights: 192 bytes of them, 16 bytes of finer scales, the scale as float16."""
    blocks = random.integers(0, 256, (count, 210), np.uint8)
    blocks[:, 208:210] = np.array([spread / Q6_K_SPREAD], np.float16).view(np.uint8)
    return blocks.reshape(-1)


def _bf16(count: int, spread: float, random: np.random.Generator) -> npt.NDArray[np.uint8]:
    """The upper half of a float32."""
    values = (random.standard_normal(count) * spread).astype(np.float32)
    return (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)


_DRAW = {Kind.Q4_K: _q4_k, Kind.Q6_K: _q6_k, Kind.BF16: _bf16}
