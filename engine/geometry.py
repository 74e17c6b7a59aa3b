"""The one place where coordinates are converted.

Spaces, each with a type of its own so that none is taken for another:

    FramePoint    pixels of a captured picture, origin at its top left pixel
    DesktopPoint  physical pixels of the desktop; monitors left of or above the first have negative ones. On macOS, and
                  where a Wayland compositor tells no pixels: the points in which it places windows and the pointer
    LogicalPoint  the units of a toolkit (Qt): on each monitor the origin is in physical pixels, distances are not
    ModelPoint    what a model answers: 0..extent of the image it was shown, whatever its real size

A point that lies nowhere raises `GeometryError`; nothing is ever moved to the nearest valid place. 0 is a coordinate
like any other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fingerpost.engine.errors import FingerpostError
from fingerpost.engine.values import Box, Frame, FrameSize

FLOAT_NOISE = 1e-6
"""Pixels. More than dividing and multiplying again can lose, far less than anyone can point at."""


class GeometryError(FingerpostError):
    """A point outside of what it should lie in."""


@dataclass(frozen=True)
class FramePoint:
    x: int
    y: int


@dataclass(frozen=True)
class DesktopPoint:
    x: int
    y: int


@dataclass(frozen=True)
class ModelPoint:
    """`extent` is the largest value of both axes: 1000 for 0..1000, 1 for 0..1."""

    x: float
    y: float
    extent: float


@dataclass(frozen=True)
class Monitor:
    """A monitor as the capture sees it.

    number  1 for the first
    box     desktop physical pixels
    scale   physical pixels per logical unit, measured: captured pixels / logical size of this monitor
    """

    number: int
    name: str
    box: Box
    scale: float = 1.0
    primary: bool = False

    def __post_init__(self) -> None:
        if self.box.area <= 0 or not self.scale > 0:
            raise GeometryError(
                f"Monitor {self.number} reports an impossible size or scale.", "Unplug it and plug it in again."
            )


@dataclass(frozen=True)
class LogicalPoint:
    """Toolkit units on a monitor; see `to_logical`."""

    x: float
    y: float
    monitor: Monitor


@dataclass(frozen=True)
class Layout:
    """All monitors of a desktop. There may be gaps between them, and none need stand at the origin."""

    monitors: tuple[Monitor, ...]

    @property
    def bounds(self) -> Box:
        """The smallest box around all monitors, desktop physical pixels. Raises `GeometryError` when there is none."""
        if not self.monitors:
            raise GeometryError("This desktop has no monitor.", "Connect one, or use --image with a picture.")
        bounds = self.monitors[0].box
        for monitor in self.monitors[1:]:
            bounds = bounds.union(monitor.box)
        return bounds

    def monitor_at(self, point: DesktopPoint) -> Monitor:
        """The monitor that shows a point; the first of mirrored ones. Raises `GeometryError` in a gap or outside."""
        for monitor in self.monitors:
            if monitor.box.contains(point.x, point.y):
                return monitor
        raise GeometryError(
            f"The point {point.x},{point.y} is on no monitor.", "Look again: the monitors may have changed."
        )

    def to_logical(self, point: DesktopPoint) -> LogicalPoint:
        """logical = origin + (physical - origin) / scale, on the point's own monitor (Qt's rule on X11 and Windows)."""
        monitor = self.monitor_at(point)
        left, top = monitor.box.x, monitor.box.y
        return LogicalPoint(left + (point.x - left) / monitor.scale, top + (point.y - top) / monitor.scale, monitor)


def to_desktop(point: LogicalPoint) -> DesktopPoint:
    """The pixel under origin + (logical - origin) * scale. Raises `GeometryError` outside of the point's monitor."""
    box, scale = point.monitor.box, point.monitor.scale
    right, down = (point.x - box.x) * scale, (point.y - box.y) * scale
    if not (math.isfinite(right) and math.isfinite(down)):
        raise GeometryError("The point is not a number.", "Look again: the monitors may have changed.")
    x, y = box.x + math.floor(right + FLOAT_NOISE), box.y + math.floor(down + FLOAT_NOISE)
    if not box.contains(x, y):
        raise GeometryError(
            f"The point {point.x:g},{point.y:g} is outside of monitor {point.monitor.number}.",
            "Look again: the monitors may have changed.",
        )
    return DesktopPoint(x, y)


def frame_to_desktop(frame: Frame, point: FramePoint) -> DesktopPoint:
    """The desktop unit that shows the middle of the pixel. Raises `GeometryError` when it is not on the frame."""
    _check_inside(frame.size, point.x, point.y)
    left, top = frame.origin
    if frame.pixels_per_unit == 1:
        return DesktopPoint(left + point.x, top + point.y)
    density = frame.pixels_per_unit
    return DesktopPoint(left + math.floor((point.x + 0.5) / density), top + math.floor((point.y + 0.5) / density))


def frame_box_to_desktop(frame: Frame, box: Box) -> Box:
    """The desktop units that a box of the frame covers, also in part; empty where the box is."""
    left, top = frame.origin
    density = frame.pixels_per_unit
    x, y = math.floor(box.x / density + FLOAT_NOISE), math.floor(box.y / density + FLOAT_NOISE)
    right, bottom = math.ceil(box.right / density - FLOAT_NOISE), math.ceil(box.bottom / density - FLOAT_NOISE)
    return Box(left + x, top + y, right - x if box.width else 0, bottom - y if box.height else 0)


def desktop_to_frame(frame: Frame, point: DesktopPoint) -> FramePoint:
    """The pixel in the middle of the desktop unit. Raises `GeometryError` when the frame does not show the point."""
    right, down = point.x - frame.origin[0], point.y - frame.origin[1]
    if frame.pixels_per_unit != 1:
        right = math.floor((right + 0.5) * frame.pixels_per_unit)
        down = math.floor((down + 0.5) * frame.pixels_per_unit)
    _check_inside(frame.size, right, down)
    return FramePoint(right, down)


def frame_to_model(size: FrameSize, point: FramePoint, extent: float) -> ModelPoint:
    """The middle of the pixel, in 0..extent. Raises `GeometryError` when the point is not on the frame."""
    _check_inside(size, point.x, point.y)
    return ModelPoint((point.x + 0.5) / size.width * extent, (point.y + 0.5) / size.height * extent, extent)


def model_to_frame(size: FrameSize, point: ModelPoint) -> FramePoint:
    """The pixel a model means; the end of the range is the last pixel. Raises `GeometryError` outside 0..extent."""
    if not (0 <= point.x <= point.extent and 0 <= point.y <= point.extent):
        raise GeometryError(
            f"The model answered {point.x:g},{point.y:g}, outside of 0 to {point.extent:g}.",
            "Ask again in other words, or calibrate the model.",
        )
    x = min(math.floor(point.x / point.extent * size.width), size.width - 1)
    y = min(math.floor(point.y / point.extent * size.height), size.height - 1)
    return FramePoint(x, y)


def _check_inside(size: FrameSize, x: int, y: int) -> None:
    if not (0 <= x < size.width and 0 <= y < size.height):
        raise GeometryError(
            f"The point {x},{y} is outside of the picture of {size.width} × {size.height} pixels.", "Look again."
        )
