"""What the model is sent of a frame, and that its answers come back to the pixel they mean."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.geometry import FramePoint
from fingerpost.engine.holotron.views import Viewer, fitting
from fingerpost.engine.values import Frame, FrameSize
from fingerpost.models.profiles import Pictures

SIDE = 16
VIEWER = Viewer(Pictures("grid", crop_tiles=2, max_tiles=1), SIDE, 2)


def frame(width: int, height: int) -> Frame:
    """Every pixel tells its own place."""
    y, x = np.mgrid[0:height, 0:width].astype(np.uint8)
    return Frame(np.dstack([x, y, x ^ y, x * 0]))


@settings(deadline=None)
@given(st.integers(33, 200), st.integers(17, 200), st.data())
def test_a_nearer_look_shows_the_frames_own_pixels_and_a_place_on_it_is_that_pixel(
    width: int, height: int, data: st.DataObject
) -> None:
    shown = frame(width, height)
    point = FramePoint(data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1)))
    view = VIEWER.near(shown, point)
    assert view is not None
    assert view.box.contains(point.x, point.y)
    assert shown.box.intersection(view.box) == view.box
    assert view.scale == 1
    column, row = data.draw(st.integers(0, 2 * SIDE - 1)), data.draw(st.integers(0, SIDE - 1))
    there = view.to_frame((column + 0.5) / (2 * SIDE), (row + 0.5) / SIDE)
    pixel = view.tiles[column // SIDE][row, column % SIDE]
    assert tuple(pixel[::-1]) == tuple(shown.pixels[there.y, there.x, :3])


@settings(deadline=None, max_examples=40)
@given(st.integers(200, 2000), st.integers(200, 2000), st.integers(0, 199), st.integers(0, 199))
def test_a_nearer_look_is_no_more_times_nearer_than_allowed(width: int, height: int, x: int, y: int) -> None:
    shown = Frame(np.broadcast_to(np.zeros(4, np.uint8), (height, width, 4)))
    viewer = Viewer(Pictures("grid", crop_tiles=2, max_tiles=1, nearer=2.0), SIDE, 2)
    view = viewer.near(shown, FramePoint(x, y))
    first = min(SIDE / width, SIDE / height)
    if view is None:
        assert SIDE / first > width - 1 or SIDE / (2 * first) > height - 1 or min(width, height) <= 2 * SIDE
        return
    assert view.box.contains(x, y)
    assert shown.box.intersection(view.box) == view.box
    assert abs(view.scale - 2 * first) < 0.05 * first


def test_a_frame_no_larger_than_a_nearer_look_gets_none() -> None:
    for width, height in ((32, 16), (31, 100), (100, 15)):
        assert VIEWER.near(frame(width, height), FramePoint(0, 0)) is None


@settings(deadline=None)
@given(st.integers(1, 500), st.integers(1, 500), st.floats(0, 1), st.floats(0, 1))
def test_every_answer_about_the_whole_frame_is_a_pixel_of_it(width: int, height: int, x: float, y: float) -> None:
    pixels = np.broadcast_to(np.zeros(4, np.uint8), (height, width, 4))
    shown = Frame(pixels)
    view = VIEWER.whole(shown)
    point = view.to_frame(x, y)
    assert shown.box.contains(point.x, point.y)
    assert abs(point.x - x * width) <= 1
    assert abs(point.y - y * height) <= 1


def test_a_place_at_the_cut_is_told_from_one_at_the_frames_own_edge() -> None:
    shown = frame(200, 200)
    view = Viewer(Pictures("grid", crop_tiles=2), 64, 4).near(shown, FramePoint(0, 0))
    assert view is not None
    assert not view.is_at_edge(FramePoint(0, 0), shown.box)
    assert view.is_at_edge(FramePoint(view.box.right - 1, 5), shown.box)
    assert not view.is_at_edge(FramePoint(20, 20), shown.box)


@settings(deadline=None, max_examples=20)
@given(st.floats(0.25, 1.0))
def test_half_a_unit_of_the_picture_is_the_edge_however_large_it_is_shown(nearer: float) -> None:
    shown = Frame(np.broadcast_to(np.zeros(4, np.uint8), (1000, 1000, 4)))
    viewer = Viewer(Pictures("grid", crop_tiles=2, max_tiles=1, nearer=nearer * 1000 / 64), 64, 8)
    view = viewer.near(shown, FramePoint(500, 500))
    assert view is not None
    sent = [(view.box.right - 1 - x) * view.scale for x in range(view.box.x, view.box.right)]
    edge = [view.is_at_edge(FramePoint(x, 500), shown.box) for x in range(view.box.x, view.box.right)]
    assert all(edge[i] for i, away in enumerate(sent) if away < 3)
    assert not any(edge[i] for i, away in enumerate(sent) if 6 < away < 100)


@given(st.integers(1, 8000), st.integers(1, 8000))
def test_a_whole_picture_has_about_the_frames_shape_and_as_many_tokens_as_allowed(width: int, height: int) -> None:
    size = fitting(FrameSize(width, height), 32, 64, 1024)
    assert (size.width % 32, size.height % 32) == (0, 0)
    tokens = size.width * size.height // 1024
    assert 1 <= tokens <= 1024
    if 1 / 3 < width / height < 3:
        assert tokens >= 50
        assert abs(size.width / size.height - width / height) < 0.25 * width / height


def test_a_frame_of_an_allowed_size_is_sent_pixel_for_pixel() -> None:
    assert fitting(FrameSize(1024, 512), 32, 64, 1024) == FrameSize(1024, 512)
    view = Viewer(Pictures("whole", crop_tiles=2, least_tokens=1, most_tokens=10000), SIDE, 2).whole(frame(64, 48))
    assert len(view.tiles) == 1
    assert (view.tiles[0][..., ::-1] == frame(64, 48).pixels[..., :3]).all()
