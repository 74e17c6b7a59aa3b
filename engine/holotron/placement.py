"""Where the model really is: read from what llama.cpp logs while it loads, not from what was asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

MIB = 1024 * 1024
ON_PROCESSOR = ("CPU", "BLAS", "Host", "_Host", "AMX")
_LAYER = re.compile(r"load_tensors: layer\s+(\d+) assigned to device ([^\s,]+)")
_BUFFER = re.compile(r"\s(\S+)\s+(?:model|KV|RS|compute|output) buffer size\s*=\s*([\d.]+) MiB")
_VISION = re.compile(r"CLIP using (\S+) backend")
_VISION_SIZE = re.compile(r"load_hparams: model size:\s+([\d.]+) MiB")


@dataclass(frozen=True)
class Placement:
    """Devices by llama.cpp's names, "CPU" or "CUDA0".

    layers  how many of the layers each device has; the output counts as one, as in llama.cpp
    bytes   what each device holds: weights, states, room to compute
    vision  where the vision projector is
    """

    layers: dict[str, int]
    bytes: dict[str, int]
    vision: str = "CPU"

    @property
    def layers_on_gpu(self) -> int:
        return sum(count for device, count in self.layers.items() if is_gpu(device))

    @property
    def all_layers(self) -> int:
        return sum(self.layers.values())

    @property
    def gpu_bytes(self) -> int:
        """Taken on graphics cards, all together."""
        return sum(count for device, count in self.bytes.items() if is_gpu(device))

    @property
    def warning(self) -> str:
        """One sentence when the model is slower than it need be, else ""."""
        on_gpu, total = self.layers_on_gpu, self.all_layers
        if on_gpu == total:
            return ""
        return f"{on_gpu} of {total} layers of the model are on the GPU: answers take longer than they could."

    def __str__(self) -> str:
        parts = [f"{self.layers_on_gpu} of {self.all_layers} layers on the GPU, vision on {self.vision}"]
        parts += [f"{device} {count / MIB:,.0f} MiB" for device, count in sorted(self.bytes.items())]
        return "; ".join(parts)


def is_gpu(device: str) -> bool:
    return not device.startswith(ON_PROCESSOR) and not device.endswith("_Host")


def read_placement(lines: Iterable[str]) -> Placement:
    """From the lines logged while model, context and vision projector were loaded."""
    devices: dict[str, str] = {}
    held: Counter[str] = Counter()
    vision, vision_size = "CPU", 0.0
    for line in lines:
        if found := _LAYER.search(line):
            devices[found[1]] = found[2]
        elif found := _BUFFER.search(line):
            held[found[1].removesuffix("_Mapped").removesuffix("_REPACK")] += round(float(found[2]) * MIB)
        elif found := _VISION.search(line):
            vision = found[1]
        elif found := _VISION_SIZE.search(line):
            vision_size = float(found[1])
    held[vision] += round(vision_size * MIB)
    return Placement(dict(Counter(devices.values())), dict(held), vision)
