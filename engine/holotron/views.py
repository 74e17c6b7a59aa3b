"""What the model is sent of a frame, and where its answers lie on it."""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.engine.geometry import FramePoint, ModelPoint, model_to_frame
from fingerpost.engine.holotron.tiles import Grid, Tile, choose_grid, cut, stretched
from fingerpost.engine.values import Box, Frame, FrameSize
from fingerpost.models.profiles import Pictures


@dataclass(frozen=True)
class View:
    """A part of a frame as the model is sent it.

    box    what is shown, frame pixels
    sent   the picture the model is sent, in its own pixels; of a grid without the thumbnail
    unit   pixels that become one embedding
    """

    box: Box
    sent: FrameSize
    unit: int
    tiles: tuple[Tile, ...]

    @property
    def scale(self) -> float:
        """Pixels sent for each pixel of the frame, on the axis that has fewer."""
        return min(self.sent.width / self.box.width, self.sent.height / self.box.height)

    def to_frame(self, x: float, y: float) -> FramePoint:
        """The pixel of the frame that an answer means; x and y as shares of what is shown, 0..1.

        Raises `GeometryError` for a place outside.
        """
        point = model_to_frame(FrameSize(self.box.width, self.box.height), ModelPoint(x, y, 1))
        return FramePoint(self.box.x + point.x, self.box.y + point.y)

    def is_at_edge(self, point: FramePoint, frame: Box) -> bool:
        """Whether a point lies where this view was cut off: what is there may be half outside."""
        margin = round(self.unit / 2 / self.scale)
        inner_left = self.box.x + (margin if self.box.x > frame.x else 0)
        inner_top = self.box.y + (margin if self.box.y > frame.y else 0)
        inner_right = self.box.right - (margin if self.box.right < frame.right else 0)
        inner_bottom = self.box.bottom - (margin if self.box.bottom < frame.bottom else 0)
        return not (inner_left <= point.x < inner_right and inner_top <= point.y < inner_bottom)


@dataclass(frozen=True)
class Viewer:
    """Shows frames as a model wants to see them.

    side  of a tile, pixels
    unit  pixels that become one embedding
    """

    pictures: Pictures
    side: int
    unit: int

    def whole(self, frame: Frame, max_tiles: int | None = None) -> View:
        """The whole frame: stretched to the grid of its shape, or to one picture of about its own size."""
        if self.pictures.scheme == "grid":
            grid = self._grid(frame.size, max_tiles)
            return View(frame.box, grid.size, self.unit, cut(frame.pixels, grid))
        size = self.sent(frame.size)
        return View(frame.box, size, self.unit, (stretched(frame.pixels, size),))

    def sent(self, size: FrameSize, max_tiles: int | None = None) -> FrameSize:
        """The size that a whole frame is sent in."""
        if self.pictures.scheme == "grid":
            return self._grid(size, max_tiles).size
        return fitting(size, self.unit, self.pictures.least_tokens, self.pictures.most_tokens)

    def near(self, frame: Frame, point: FramePoint) -> View | None:
        """The surroundings of a point, pixel for pixel, moved to lie within the frame.

        Smaller where that would be more than `Pictures.nearer` times as large as the whole frame showed it. None when
        the frame is not larger than that.
        """
        size = FrameSize(self.pictures.crop_tiles * self.side, self.side)
        shown = self._surroundings(frame.size, size)
        if shown.width > frame.width or shown.height > frame.height or shown == frame.size:
            return None
        left = min(max(point.x - shown.width // 2, 0), frame.width - shown.width)
        top = min(max(point.y - shown.height // 2, 0), frame.height - shown.height)
        box = Box(left, top, shown.width, shown.height)
        pixels = frame.pixels[box.y : box.bottom, box.x : box.right]
        if self.pictures.scheme == "grid":
            return View(box, size, self.unit, cut(pixels, Grid(self.pictures.crop_tiles, 1, self.side)))
        return View(box, size, self.unit, (stretched(pixels, size),))

    def _surroundings(self, frame: FrameSize, size: FrameSize) -> FrameSize:
        """How much of a frame a picture of `size` shows from near."""
        whole = self.sent(frame)
        scale = self.pictures.nearer * min(whole.width / frame.width, whole.height / frame.height)
        if scale >= 1:
            return size
        return FrameSize(round(size.width / scale), round(size.height / scale))

    def _grid(self, size: FrameSize, max_tiles: int | None = None) -> Grid:
        return choose_grid(size, max_tiles or self.pictures.max_tiles, self.side)


def fitting(size: FrameSize, unit: int, least: int, most: int) -> FrameSize:
    """The size nearest to a frame's that has sides in steps of `unit` and `least` to `most` embeddings."""
    share = size.width * size.height / unit**2
    factor = 1.0 if least <= share <= most else (least / share if share < least else most / share) ** 0.5
    columns, rows = (max(1, round(side * factor / unit)) for side in (size.width, size.height))
    while columns * rows > most:
        columns, rows = (columns - 1, rows) if columns >= rows else (columns, rows - 1)
    return FrameSize(columns * unit, rows * unit)
