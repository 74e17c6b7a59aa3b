"""How a picture becomes tiles: NVIDIA's rule for Nemotron-VL, whose weights Holotron-12B has.

The picture is stretched to a grid of square tiles, cut row by row; when there is more than one tile, the whole
picture stretched to one tile comes last (the thumbnail). Source: NVIDIA's image processor of
NVIDIA-Nemotron-Nano-12B-v2-VL, as vLLM has it in `nano_nemotron_vl.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from fingerpost.engine.values import FrameSize, Pixels

TILE = 512
"""Side of a tile in pixels, of the 12B; other projectors say their own."""
MAX_TILES = 12

Tile = npt.NDArray[np.uint8]
"""Shape (side, side, 3), dtype uint8, channels red, green, blue."""


@dataclass(frozen=True)
class Grid:
    """`columns` × `rows` tiles of `side` pixels each."""

    columns: int
    rows: int
    side: int = TILE

    @property
    def count(self) -> int:
        """How many pictures the model sees: the tiles, and the thumbnail when there are several."""
        tiles = self.columns * self.rows
        return tiles + 1 if tiles > 1 else 1

    @property
    def size(self) -> FrameSize:
        """The stretched picture, in its own pixels."""
        return FrameSize(self.columns * self.side, self.rows * self.side)


def choose_grid(size: FrameSize, max_tiles: int = MAX_TILES, side: int = TILE) -> Grid:
    """The grid of at most `max_tiles` tiles whose shape is nearest to the picture's.

    Nearest by |width / height - columns / rows|. Of equally near grids, taken by their number of tiles, a larger one
    wins only when the picture has more than half of its pixels.
    """
    shape = size.width / size.height
    best, nearest = Grid(1, 1, side), float("inf")
    for columns, rows in _candidates(max_tiles):
        distance = abs(shape - columns / rows)
        if distance < nearest:
            best, nearest = Grid(columns, rows, side), distance
        elif distance == nearest and size.width * size.height > 0.5 * side * side * columns * rows:
            best = Grid(columns, rows, side)
    return best


def _candidates(max_tiles: int) -> list[tuple[int, int]]:
    """All grids, by their number of tiles; of one number the order does not matter: their shapes differ."""
    counts = range(1, max_tiles + 1)
    grids = [(columns, rows) for columns in counts for rows in counts if columns * rows <= max_tiles]
    return sorted(grids, key=lambda grid: (grid[0] * grid[1], grid))


def stretched(pixels: Pixels, size: FrameSize) -> Tile:
    """A frame's pixels, stretched to another size."""
    picture = Image.fromarray(np.ascontiguousarray(pixels[..., 2::-1]))
    return np.asarray(picture.resize((size.width, size.height), Image.Resampling.BICUBIC))


def cut(pixels: Pixels, grid: Grid) -> tuple[Tile, ...]:
    """The tiles of a frame, row by row, the thumbnail last."""
    whole = stretched(pixels, grid.size)
    side = grid.side
    tiles = [
        np.ascontiguousarray(whole[row * side : (row + 1) * side, column * side : (column + 1) * side])
        for row in range(grid.rows)
        for column in range(grid.columns)
    ]
    if len(tiles) > 1:
        tiles.append(stretched(pixels, FrameSize(side, side)))
    return tuple(tiles)
