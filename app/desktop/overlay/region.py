"""Which pixels a window keeps where nothing blends."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

from fingerpost.engine.values import Box

OPAQUE = 128  # alpha from which on a pixel is kept


def opaque(picture: QImage) -> npt.NDArray[np.bool_]:
    """Shape (height, width): the opaque pixels of an ARGB32 picture."""
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine())
    return rows[:, 3 : 4 * picture.width() : 4] >= OPAQUE


def boxes(mask: npt.NDArray[np.bool_]) -> list[Box]:
    """The true pixels of a mask of shape (height, width) as boxes that do not overlap."""
    edges = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    found: list[Box] = []
    open_runs: dict[tuple[int, int], int] = {}  # run → the row where it began
    for y, row in enumerate([*edges, np.zeros_like(edges[0])]) if len(edges) else ():
        starts, ends = np.flatnonzero(row == 1).tolist(), np.flatnonzero(row == -1).tolist()
        runs = dict.fromkeys(zip(starts, ends, strict=True), y)
        for run, since in open_runs.items():
            if run not in runs:
                found.append(Box(run[0], since, run[1] - run[0], y - since))
        open_runs = {run: open_runs.get(run, y) for run in runs}
    return found
