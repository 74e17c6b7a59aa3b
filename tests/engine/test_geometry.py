"""Conversions between the spaces, over random monitor layouts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine import geometry
from fingerpost.engine.geometry import (
    DesktopPoint,
    FramePoint,
    GeometryError,
    Layout,
    LogicalPoint,
    ModelPoint,
    Monitor,
)
from fingerpost.engine.values import Box, Frame, FrameSize

SCALES = st.sampled_from((1.0, 1.25, 1.5, 1.75, 2.0, 3.0, 1366 / 911))
SIZES = st.sampled_from(((1366, 768), (1920, 1080), (2560, 1440), (3840, 2160), (1080, 1920), (1, 1)))


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Monitors in a row, with gaps, shifted up and down, the first anywhere; each with its own scale."""
    monitors = []
    x = draw(st.integers(-8000, 3000))
    for number in range(1, draw(st.integers(1, 4)) + 1):
        width, height = draw(SIZES)
        box = Box(x, draw(st.integers(-3000, 3000)), width, height)
        monitors.append(Monitor(number, f"M{number}", box, draw(SCALES), number == 1))
        x += width + draw(st.integers(0, 300))
    return Layout(tuple(monitors))


def point_on(data: st.DataObject, box: Box) -> DesktopPoint:
    return DesktopPoint(data.draw(st.integers(box.x, box.right - 1)), data.draw(st.integers(box.y, box.bottom - 1)))


@given(layouts(), st.data())
def test_physical_to_logical_and_back_is_exact_to_the_pixel(layout: Layout, data: st.DataObject) -> None:
    monitor = data.draw(st.sampled_from(layout.monitors))
    point = point_on(data, monitor.box)
    logical = layout.to_logical(point)
    assert logical.monitor == monitor
    assert geometry.to_desktop(logical) == point


@given(layouts(), st.integers(-12000, 20000), st.integers(-6000, 6000))
def test_a_point_is_on_a_monitor_that_contains_it_or_raises(layout: Layout, x: int, y: int) -> None:
    point = DesktopPoint(x, y)
    if any(m.box.contains(x, y) for m in layout.monitors):
        assert layout.monitor_at(point).box.contains(x, y)
        assert layout.bounds.contains(x, y)
    else:
        with pytest.raises(GeometryError):
            layout.to_logical(point)


@given(layouts(), st.data())
def test_a_logical_point_off_its_monitor_raises(layout: Layout, data: st.DataObject) -> None:
    monitor = data.draw(st.sampled_from(layout.monitors))
    beyond = monitor.box.width / monitor.scale + data.draw(st.integers(1, 500))
    with pytest.raises(GeometryError):
        geometry.to_desktop(LogicalPoint(monitor.box.x + beyond, monitor.box.y, monitor))


@given(layouts(), st.floats(0.001, 0.999), st.floats(0.001, 0.999), st.data())
def test_a_logical_point_anywhere_on_a_pixel_is_that_pixel(
    layout: Layout, right: float, down: float, data: st.DataObject
) -> None:
    monitor = data.draw(st.sampled_from(layout.monitors))
    pixel = point_on(data, monitor.box)
    left, top = monitor.box.x, monitor.box.y
    x = left + (pixel.x - left + right) / monitor.scale
    y = top + (pixel.y - top + down) / monitor.scale
    assert geometry.to_desktop(LogicalPoint(x, y, monitor)) == pixel


@pytest.mark.parametrize("x", [float("nan"), float("inf"), -0.1, 910.7])
def test_a_logical_point_that_is_no_position_on_a_1366_pixel_screen_raises(x: float) -> None:
    laptop = Monitor(1, "laptop", Box(0, 0, 1366, 768), 1.5)
    assert geometry.to_desktop(LogicalPoint(910.6, 0, laptop)) == DesktopPoint(1365, 0)
    with pytest.raises(GeometryError):
        geometry.to_desktop(LogicalPoint(x, 0, laptop))


def test_points_of_different_spaces_are_never_equal() -> None:
    assert FramePoint(1, 2) != DesktopPoint(1, 2)


@given(layouts(), st.data())
def test_frame_to_desktop_and_back_is_exact(layout: Layout, data: st.DataObject) -> None:
    box = data.draw(st.sampled_from(layout.monitors)).box
    frame = Frame(np.broadcast_to(np.zeros(4, np.uint8), (box.height, box.width, 4)), (box.x, box.y))
    point = point_on(data, box)
    inside = geometry.desktop_to_frame(frame, point)
    assert geometry.frame_to_desktop(frame, inside) == point
    with pytest.raises(GeometryError):
        geometry.frame_to_desktop(frame, FramePoint(box.width, 0))
    with pytest.raises(GeometryError):
        geometry.desktop_to_frame(frame, DesktopPoint(box.x - 1, box.y))


@given(layouts(), st.sampled_from((1.0, 1.25, 1.5, 2.0, 3.0)), st.data())
def test_a_capture_denser_than_the_desktop_comes_back_to_the_same_unit(
    layout: Layout, density: float, data: st.DataObject
) -> None:
    box = data.draw(st.sampled_from(layout.monitors)).box
    width, height = math.ceil(box.width * density), math.ceil(box.height * density)
    pixels = np.broadcast_to(np.zeros(4, np.uint8), (height, width, 4))
    frame = Frame(pixels, (box.x, box.y), pixels_per_unit=density)
    point = point_on(data, box)
    pixel = geometry.desktop_to_frame(frame, point)
    assert geometry.frame_to_desktop(frame, pixel) == point
    covered = geometry.frame_box_to_desktop(frame, Box(pixel.x, pixel.y, 1, 1))
    assert covered.contains(point.x, point.y)
    assert covered.width <= 2


def test_on_a_retina_screen_both_pixels_of_a_point_are_that_point() -> None:
    frame = Frame(np.zeros((20, 40, 4), np.uint8), (-100, 50), pixels_per_unit=2.0)
    for x, y in ((6, 8), (7, 9)):
        assert geometry.frame_to_desktop(frame, FramePoint(x, y)) == DesktopPoint(-97, 54)
    assert geometry.desktop_to_frame(frame, DesktopPoint(-97, 54)) == FramePoint(7, 9)
    assert geometry.frame_box_to_desktop(frame, Box(6, 8, 5, 4)) == Box(-97, 54, 3, 2)
    with pytest.raises(GeometryError):
        geometry.frame_to_desktop(frame, FramePoint(40, 0))
    with pytest.raises(GeometryError):
        geometry.desktop_to_frame(frame, DesktopPoint(-101, 54))


@given(layouts(), st.data())
def test_a_box_keeps_its_size_where_the_desktop_counts_pixels(layout: Layout, data: st.DataObject) -> None:
    monitor = data.draw(st.sampled_from(layout.monitors)).box
    frame = Frame(np.broadcast_to(np.zeros(4, np.uint8), (monitor.height, monitor.width, 4)), (monitor.x, monitor.y))
    box = Box(*(data.draw(st.integers(0, 5000)) for _ in range(4)))
    assert geometry.frame_box_to_desktop(frame, box)[2:] == box[2:]
    assert geometry.frame_box_to_desktop(frame, box) == box.moved(monitor.x, monitor.y)


@given(st.integers(1, 8000), st.integers(1, 5000), st.sampled_from((1.0, 999.0, 1000.0, 4096.0)), st.data())
def test_frame_to_model_and_back_is_exact(width: int, height: int, extent: float, data: st.DataObject) -> None:
    size = FrameSize(width, height)
    point = FramePoint(data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1)))
    assert geometry.model_to_frame(size, geometry.frame_to_model(size, point, extent)) == point


def test_both_ends_of_the_model_range_are_pixels() -> None:
    size = FrameSize(1920, 1080)
    assert geometry.model_to_frame(size, ModelPoint(0, 0, 1000)) == FramePoint(0, 0)
    assert geometry.model_to_frame(size, ModelPoint(1000, 1000, 1000)) == FramePoint(1919, 1079)


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, 1000.5), (float("nan"), 3), (1200, 400)])
def test_model_answers_out_of_range_are_refused(x: float, y: float) -> None:
    with pytest.raises(GeometryError):
        geometry.model_to_frame(FrameSize(1920, 1080), ModelPoint(x, y, 1000))


@pytest.mark.parametrize(("box", "scale"), [(Box(0, 0, 0, 100), 1.0), (Box(0, 0, 10, 10), 0.0), (Box(0, 0, 9, 9), -1)])
def test_a_monitor_without_area_or_scale_is_refused(box: Box, scale: float) -> None:
    with pytest.raises(GeometryError):
        Monitor(1, "broken", box, scale)


def test_a_desktop_without_monitors_has_no_bounds() -> None:
    with pytest.raises(GeometryError):
        _ = Layout(()).bounds
