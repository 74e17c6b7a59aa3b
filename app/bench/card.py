"""What a graphics card can move: the speed of its own memory, and of its link to the main memory."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass

BANDWIDTHS = {
    "RTX 3060": 360e9, "RTX 3080": 760e9, "RTX 3090": 936e9, "RTX 3090 Ti": 1008e9, "RTX 4070": 504e9,
    "RTX 4070 SUPER": 504e9, "RTX 4070 Ti": 504e9, "RTX 4070 Ti SUPER": 672e9, "RTX 4080": 717e9,
    "RTX 4080 SUPER": 736e9, "RTX 4090": 1008e9, "RTX 5070": 672e9, "RTX 5070 Ti": 896e9, "RTX 5080": 960e9,
    "RTX 5090": 1792e9, "A100-PCIE-40GB": 1555e9, "A100-SXM4-40GB": 1555e9, "A100 80GB PCIe": 1935e9,
    "A100-SXM4-80GB": 2039e9, "H100 PCIe": 2039e9, "H100 80GB HBM3": 3350e9, "H100 NVL": 3900e9, "H200": 4800e9,
    "H200 NVL": 4800e9, "L4": 300e9, "L40": 864e9, "L40S": 864e9,
}  # fmt: skip
"""Bytes a second, from the maker's data sheets, by the whole name that the driver tells: a name that another one begins
with is often a card of another speed."""
LANE = {1: 0.25e9, 2: 0.5e9, 3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9}
"""Bytes a second of one lane, by the generation of PCI Express."""


@dataclass(frozen=True)
class Card:
    """Bytes a second; 0 when unknown.

    bandwidth  of the card's own memory
    link       to the computer's memory
    """

    name: str = ""
    bandwidth: float = 0.0
    link: float = 0.0


def read_card() -> Card:
    """The NVIDIA card of this computer; one without a name when nobody tells."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return Card()
    call = [program, "--query-gpu=name,pcie.link.gen.max,pcie.link.width.max", "--format=csv,noheader"]
    try:
        done = subprocess.run(call, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return Card()
    return parse_card(done.stdout)


def parse_card(told: str) -> Card:
    """From lines of name, generation and lanes, one a card. Of different cards no speed is known: a model may lie on
    any of them."""
    lines = list(dict.fromkeys(line.strip() for line in told.splitlines() if line.strip()))
    names = [line.partition(",")[0] for line in lines]
    if len(lines) != 1:
        return Card(" and ".join(names))
    name, generation, lanes = (*(part.strip() for part in lines[0].split(",")), "", "")[:3]
    bandwidth = BANDWIDTHS.get(name.removeprefix("NVIDIA ").removeprefix("GeForce "), 0.0)
    known = bandwidth and generation.isdecimal() and lanes.isdecimal()
    return Card(name, bandwidth, LANE.get(int(generation), 0.0) * int(lanes) if known else 0.0)
