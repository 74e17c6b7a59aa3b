"""Where a Wayland desktop's pixels are: its layout in logical units, and ours in physical pixels.

A compositor places outputs in logical units, each drawn with a scale of its own, and knows no common physical space.
Ours: the origin of each output is its logical origin times the greatest scale of all. So outputs keep their order
and never overlap, and with one scale nothing is between them; beside an output of a lesser scale there is a gap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fingerpost.engine.geometry import DesktopPoint, GeometryError, Layout, Monitor
from fingerpost.engine.values import Box, FrameSize

HINT = "Look again: the monitors may have changed."


@dataclass(frozen=True)
class Output:
    """A monitor as the compositor tells.

    logical    its place in the compositor's layout, logical units
    pixels     what it shows, in its physical pixels, as people see it: rotated already
    transform  wl_output's number: quarter turns counter-clockwise, 4 to 7 are mirrored first
    """

    name: str
    logical: Box
    pixels: FrameSize
    transform: int = 0

    @property
    def scale(self) -> Fraction:
        """Physical pixels per logical unit. Logical sizes are rounded: the axes may differ slightly."""
        return max(Fraction(self.pixels.width, self.logical.width), Fraction(self.pixels.height, self.logical.height))


@dataclass(frozen=True)
class Place:
    """A monitor in both spaces: `monitor.box` in desktop physical pixels, `logical` in the compositor's units."""

    monitor: Monitor
    logical: Box


@dataclass(frozen=True)
class Space:
    """All monitors in both spaces. A point on no monitor raises `GeometryError`."""

    places: tuple[Place, ...]

    @property
    def layout(self) -> Layout:
        return Layout(tuple(place.monitor for place in self.places))

    @property
    def logical_bounds(self) -> Box:
        """The smallest box around all monitors, logical units; (0, 0, 0, 0) when there is none."""
        if not self.places:
            return Box(0, 0, 0, 0)
        bounds = self.places[0].logical
        for place in self.places[1:]:
            bounds = bounds.union(place.logical)
        return bounds

    def to_compositor(self, point: DesktopPoint) -> tuple[float, float]:
        """The middle of a desktop pixel, in the compositor's logical units."""
        place = next((place for place in self.places if place.monitor.box.contains(point.x, point.y)), None)
        if place is None:
            raise GeometryError(f"The point {point.x},{point.y} is on no monitor.", HINT)
        physical, logical = place.monitor.box, place.logical
        return (
            logical.x + (point.x - physical.x + 0.5) * logical.width / physical.width,
            logical.y + (point.y - physical.y + 0.5) * logical.height / physical.height,
        )

    def to_desktop(self, x: float, y: float) -> DesktopPoint:
        """The desktop pixel that shows a place of the compositor's layout."""
        place = next((place for place in self.places if place.logical.contains(x, y)), None)
        if place is None:
            raise GeometryError(f"The place {x:g},{y:g} is on no monitor.", HINT)
        physical, logical = place.monitor.box, place.logical
        return DesktopPoint(
            physical.x + math.floor((x - logical.x) * physical.width / logical.width),
            physical.y + math.floor((y - logical.y) * physical.height / logical.height),
        )

    def box_to_desktop(self, box: Box) -> Box:
        """The desktop pixels that a box of the layout covers, on the monitor that shows most of it."""
        place = max(self.places, key=lambda place: place.logical.intersection(box).area, default=None)
        if place is None or not place.logical.intersection(box).area:
            raise GeometryError("The window is on no monitor.", HINT)
        physical, logical = place.monitor.box, place.logical
        across, down = physical.width / logical.width, physical.height / logical.height
        left = physical.x + round((box.x - logical.x) * across)
        top = physical.y + round((box.y - logical.y) * down)
        return Box(left, top, round(box.width * across), round(box.height * down))


def native(outputs: Sequence[Output]) -> Space:
    """Each monitor in its own pixels: for compositors that copy one output at a time."""
    return _space(outputs, [output.pixels for output in outputs])


def uniform(outputs: Sequence[Output]) -> Space:
    """All monitors in the greatest scale: for pictures of the whole desktop, as portals give them."""
    scale = greatest_scale(outputs)
    sizes = [FrameSize(int(output.logical.width * scale), int(output.logical.height * scale)) for output in outputs]
    return _space(outputs, sizes)


def greatest_scale(outputs: Sequence[Output]) -> Fraction:
    return max((output.scale for output in outputs), default=Fraction(1))


def _space(outputs: Sequence[Output], sizes: Sequence[FrameSize]) -> Space:
    scale = greatest_scale(outputs)
    places = []
    for number, (output, size) in enumerate(zip(outputs, sizes, strict=True), start=1):
        box = Box(math.floor(output.logical.x * scale), math.floor(output.logical.y * scale), size.width, size.height)
        own = size.width / output.logical.width
        places.append(Place(Monitor(number, output.name, box, own, primary=number == 1), output.logical))
    return Space(tuple(places))
