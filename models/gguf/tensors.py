"""Random tensors for a GGUF file."""

from __future__ import annotations

import math
from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt


class RandomTensors:
    """Adds float32 tensors to a writer; the same seed gives the same file."""

    def __init__(self, writer: gguf.GGUFWriter, seed: int) -> None:
        self._writer = writer
        self.random = np.random.default_rng(seed)

    def normal(self, name: str, *shape: int, scale: float | None = None) -> None:
        """Normally distributed; by default so that a layer keeps the size of what goes through it."""
        fan_in = math.prod(shape[1:]) if len(shape) > 1 else shape[0]
        self.put(name, self.random.standard_normal(shape) * (1 / math.sqrt(fan_in) if scale is None else scale))

    def ones(self, name: str, *shape: int) -> None:
        self.put(name, np.ones(shape))

    def zeros(self, name: str, *shape: int) -> None:
        self.put(name, np.zeros(shape))

    def put(self, name: str, values: npt.ArrayLike) -> None:
        self._writer.add_tensor(name, np.ascontiguousarray(np.asarray(values, np.float32)))


def finish(writer: gguf.GGUFWriter, path: Path) -> Path:
    """Write the file whole: under another name first, so that no half file has this one."""
    part = path.with_name(path.name + ".part")
    writer.write_header_to_file(path=part)
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return part.replace(path)
