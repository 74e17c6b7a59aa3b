"""How a screen becomes tiles in training. It must be what the engine does; a test holds the two together."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
from PIL import Image

MAX_TILES = 12


@cache
def grid_of(width: int, height: int, side: int) -> tuple[int, int]:
    """Columns and rows; NVIDIA's rule."""
    grids = [(i, j) for i in range(1, MAX_TILES + 1) for j in range(1, MAX_TILES + 1) if i * j <= MAX_TILES]
    best, nearest = (1, 1), float("inf")
    for i, j in sorted(grids, key=lambda grid: grid[0] * grid[1]):
        distance = abs(width / height - i / j)
        if distance < nearest or (distance == nearest and width * height > 0.5 * side * side * i * j):
            best, nearest = (i, j), distance
    return best


def cut(pixels: npt.NDArray[np.uint8], side: int) -> npt.NDArray[np.uint8]:
    """Tiles row by row, the thumbnail last: shape (tiles, side, side, 3), dtype uint8."""
    picture = Image.fromarray(pixels)
    columns, rows = grid_of(picture.width, picture.height, side)
    whole = np.asarray(picture.resize((columns * side, rows * side), Image.Resampling.BICUBIC))
    tiles = whole.reshape(rows, side, columns, side, 3).transpose(0, 2, 1, 3, 4).reshape(-1, side, side, 3)
    if columns * rows == 1:
        return tiles
    thumbnail = np.asarray(picture.resize((side, side), Image.Resampling.BICUBIC))
    return np.concatenate((tiles, thumbnail[None]))
