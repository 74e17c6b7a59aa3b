"""Random tensors for a GGUF file, planned first and written one after another: a file may be larger than memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt
from gguf import GGMLQuantizationType as Kind
from gguf.constants import GGML_QUANT_SIZES

from fingerpost.models.gguf.blocks import random_blocks

Bytes = npt.NDArray[np.uint8]
KindOf = Callable[[str, tuple[int, ...]], Kind]
"""Name and shape of a weight → how it is stored."""


def full_precision(name: str, shape: tuple[int, ...]) -> Kind:
    return Kind.F32


class RandomTensors:
    """Adds tensors to a writer; the same seed gives the same file.

    kind_of  how the weights are stored; what is not random is float32
    """

    def __init__(self, writer: gguf.GGUFWriter, seed: int, kind_of: KindOf = full_precision) -> None:
        self._writer = writer
        self._kind_of = kind_of
        self._parts: list[Callable[[], Iterator[Bytes]]] = []
        self.random = np.random.default_rng(seed)

    @property
    def file_type(self) -> gguf.LlamaFileType:
        """What the file says about itself."""
        if self._kind_of is full_precision:
            return gguf.LlamaFileType.ALL_F32
        return gguf.LlamaFileType.MOSTLY_Q4_K_M

    def normal(self, name: str, *shape: int, scale: float | None = None) -> None:
        """Normally distributed; by default so that a layer keeps the size of what goes through it."""
        fan_in = math.prod(shape[1:]) if len(shape) > 1 else shape[0]
        spread = 1 / math.sqrt(fan_in) if scale is None else scale
        kind = self._kind_of(name, shape)
        if kind == Kind.F32:
            self.put(name, self.random.standard_normal(shape) * spread)
            return
        elements, size = GGML_QUANT_SIZES[kind]
        count = math.prod(shape) // elements
        row = (*shape[:-1], shape[-1] // elements * size)
        self._writer.add_tensor_info(name, row, np.dtype(np.uint8), count * size, raw_dtype=kind)
        self._parts.append(lambda: random_blocks(kind, count, spread, self.random))

    def ones(self, name: str, *shape: int) -> None:
        self.put(name, np.ones(shape))

    def zeros(self, name: str, *shape: int) -> None:
        self.put(name, np.zeros(shape))

    def put(self, name: str, values: npt.ArrayLike) -> None:
        array = np.ascontiguousarray(np.asarray(values, np.float32))
        self._writer.add_tensor_info(name, array.shape, array.dtype, array.nbytes)
        self._parts.append(lambda: iter((array.reshape(-1).view(np.uint8),)))

    def finish(self, path: Path) -> Path:
        """Write the file whole: under another name first, so that no half file has this one."""
        part = path.with_name(path.name + ".part")
        try:
            self._write(part)
        except BaseException:
            with suppress(OSError):
                self._writer.close()
            part.unlink(missing_ok=True)
            raise
        return part.replace(path)

    def _write(self, path: Path) -> None:
        self._writer.write_header_to_file(path=path)
        self._writer.write_kv_data_to_file()
        self._writer.write_ti_data_to_file()
        assert self._writer.fout is not None
        file = self._writer.fout[0]
        for chunks in self._parts:
            self._writer.write_padding(file, file.tell())
            for chunk in chunks():
                file.write(chunk.data)
        self._writer.write_padding(file, file.tell())
        self._writer.close()
