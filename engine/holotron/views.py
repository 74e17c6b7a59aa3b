"""What the model is sent of a frame, and where its answers lie on it."""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.engine.geometry import FramePoint, ModelPoint, model_to_frame
from fingerpost.engine.holotron.tiles import Grid, Tile, choose_grid, cut
from fingerpost.engine.values import Box, Frame, FrameSize

SHRUNK = 0.75
"""A picture sent smaller than this, of its own size, is worth a second, nearer look."""


@dataclass(frozen=True)
class View:
    """A part of a frame as tiles.

    box   what is shown, frame pixels
    grid  its tiles; `grid.size` is the picture the model is sent
    """

    box: Box
    grid: Grid
    tiles: tuple[Tile, ...]

    @property
    def scale(self) -> float:
        """Pixels sent for each pixel of the frame, on the axis that has fewer."""
        sent = self.grid.size
        return min(sent.width / self.box.width, sent.height / self.box.height)

    def to_frame(self, x: float, y: float) -> FramePoint:
        """The pixel of the frame that an answer means; x and y as shares of what is shown, 0..1.

        Raises `GeometryError` for a place outside.
        """
        point = model_to_frame(FrameSize(self.box.width, self.box.height), ModelPoint(x, y, 1))
        return FramePoint(self.box.x + point.x, self.box.y + point.y)

    def is_at_edge(self, point: FramePoint, frame: Box) -> bool:
        """Whether a point lies where this view was cut off: what is there may be half outside."""
        margin = self.grid.side // 32
        inner_left = self.box.x + (margin if self.box.x > frame.x else 0)
        inner_top = self.box.y + (margin if self.box.y > frame.y else 0)
        inner_right = self.box.right - (margin if self.box.right < frame.right else 0)
        inner_bottom = self.box.bottom - (margin if self.box.bottom < frame.bottom else 0)
        return not (inner_left <= point.x < inner_right and inner_top <= point.y < inner_bottom)


def whole(frame: Frame, max_tiles: int, side: int) -> View:
    """The whole frame, stretched to the grid of its shape."""
    grid = choose_grid(frame.size, max_tiles, side)
    return View(frame.box, grid, cut(frame.pixels, grid))


def near(frame: Frame, point: FramePoint, max_tiles: int, side: int) -> View | None:
    """The surroundings of a point, pixel for pixel: `max_tiles` tiles side by side, moved to lie within the frame.

    None when the frame is not larger than that.
    """
    width, height = max_tiles * side, side
    if width > frame.width or height > frame.height or (width, height) == (frame.width, frame.height):
        return None
    left = min(max(point.x - width // 2, 0), frame.width - width)
    top = min(max(point.y - height // 2, 0), frame.height - height)
    box = Box(left, top, width, height)
    grid = Grid(max_tiles, 1, side)
    return View(box, grid, cut(frame.pixels[box.y : box.bottom, box.x : box.right], grid))
