"""The drawn icon sets on disk: built once, then read by training and evaluation.

Files in the working folder: `icons.json` (one entry an icon), `alpha.npy` (n, 64, 64) and, for icons that have
colours of their own, `colours.npy` (m, 64, 64, 3).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fingerpost.models.icons.training.render import glyph_icons, render
from fingerpost.models.icons.training.sets import HELD_OUT_SETS, read_all

_FEW_COLOURS = 24  # grey levels; a drawing with less spread between its pixels is a single-colour shape


@dataclass(frozen=True)
class Drawing:
    """One drawn icon; `colour` is its index in the colour array, -1 for a single-colour shape."""

    set: str
    name: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    colour: int

    @property
    def held_out(self) -> bool:
        return self.set in HELD_OUT_SETS


@dataclass(frozen=True)
class Dataset:
    drawings: tuple[Drawing, ...]
    alpha: npt.NDArray[np.uint8]
    colours: npt.NDArray[np.uint8]


def build(folder: Path, processes: int, fonts: Path) -> None:
    """Draws every icon of every set; a few minutes a core."""
    drawings, alpha = [], []
    colours: list[npt.NDArray[np.uint8]] = []
    for icon, rgba in chain(render(read_all(folder), processes), glyph_icons(fonts)):
        if rgba is None:
            continue
        coloured = _has_colours(rgba)
        drawings.append((icon.set, icon.name, icon.aliases, icon.tags, len(colours) if coloured else -1))
        alpha.append(rgba[..., 3].copy())
        if coloured:
            colours.append(rgba[..., :3].copy())
    (folder / "icons.json").write_text(json.dumps(drawings), encoding="utf-8")
    np.save(folder / "alpha.npy", np.stack(alpha))
    np.save(folder / "colours.npy", np.stack(colours))


def load(folder: Path) -> Dataset:
    rows = json.loads((folder / "icons.json").read_text(encoding="utf-8"))
    drawings = tuple(Drawing(row[0], row[1], tuple(row[2]), tuple(row[3]), row[4]) for row in rows)
    alpha, colours = (np.load(folder / name, mmap_mode="r") for name in ("alpha.npy", "colours.npy"))
    return Dataset(drawings, alpha, colours)


def _has_colours(rgba: npt.NDArray[np.uint8]) -> bool:
    solid = rgba[rgba[..., 3] > 128][:, :3].astype(np.int16)
    return bool(len(solid) and np.ptp(solid, axis=0).max() >= _FEW_COLOURS)
