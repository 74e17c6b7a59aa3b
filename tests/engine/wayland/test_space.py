"""From a compositor's layout to desktop pixels and back, for any monitors."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.geometry import DesktopPoint, GeometryError
from fingerpost.engine.values import Box, FrameSize
from fingerpost.engine.wayland.space import Output, Space, native, uniform

SCALES = (1, 1.25, 1.5, 2, 3)


@st.composite
def outputs(draw: st.DrawFn) -> list[Output]:
    """Monitors in a row, of any size and scale, each a little higher or lower, the row beginning anywhere."""
    left = draw(st.integers(-5000, 5000))
    found = []
    for number in range(draw(st.integers(1, 4))):
        width, height = draw(st.integers(64, 4000)), draw(st.integers(64, 3000))
        scale = draw(st.sampled_from(SCALES))
        logical = Box(left, draw(st.integers(-900, 900)), round(width / scale), round(height / scale))
        found.append(Output(f"M{number}", logical, FrameSize(width, height)))
        left = logical.right + draw(st.integers(0, 50))
    return found


def spaces() -> st.SearchStrategy[Space]:
    return st.tuples(outputs(), st.sampled_from((native, uniform))).map(lambda both: both[1](both[0]))


@given(spaces(), st.data())
def test_a_pixel_comes_back_from_the_compositor_s_units(space: Space, data: st.DataObject) -> None:
    box = data.draw(st.sampled_from(space.places)).monitor.box
    point = DesktopPoint(data.draw(st.integers(box.x, box.right - 1)), data.draw(st.integers(box.y, box.bottom - 1)))
    assert space.to_desktop(*space.to_compositor(point)) == point


@given(spaces())
def test_monitors_never_overlap_in_desktop_pixels(space: Space) -> None:
    for one, other in combinations(space.layout.monitors, 2):
        assert one.box.intersection(other.box).area == 0


@given(spaces())
def test_a_monitor_s_logical_box_is_its_whole_desktop_box(space: Space) -> None:
    for place in space.places:
        assert space.box_to_desktop(place.logical) == place.monitor.box


@given(outputs())
def test_a_native_monitor_has_its_own_pixels(found: list[Output]) -> None:
    boxes = [monitor.box for monitor in native(found).layout.monitors]
    assert [(box.width, box.height) for box in boxes] == [(one.pixels.width, one.pixels.height) for one in found]


@given(st.lists(st.integers(100, 4000), min_size=1, max_size=4), st.sampled_from((1, 2, 3)))
def test_monitors_of_one_whole_scale_touch_as_they_do_in_the_layout(widths: list[int], scale: int) -> None:
    found, left = [], 0
    for width in widths:
        found.append(Output("", Box(left, 0, width, 500), FrameSize(width * scale, 500 * scale)))
        left += width
    boxes = [monitor.box for monitor in native(found).layout.monitors]
    assert all(one.right == other.x for one, other in pairwise(boxes))
    assert native(found) == uniform(found)


def test_places_on_no_monitor_are_refused() -> None:
    space = native([Output("", Box(0, 0, 100, 100), FrameSize(100, 100))])
    for x, y in ((100, 0), (-1, 0), (0, 100)):
        with pytest.raises(GeometryError):
            space.to_compositor(DesktopPoint(x, y))
        with pytest.raises(GeometryError):
            space.to_desktop(x, y)
    with pytest.raises(GeometryError):
        space.box_to_desktop(Box(200, 0, 10, 10))
    assert native([]).logical_bounds == Box(0, 0, 0, 0)
