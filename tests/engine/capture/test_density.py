"""Captures that hold more pixels than the desktop counts, as on a Retina screen."""

from __future__ import annotations

import numpy as np
import pytest

from fingerpost.engine import capture
from fingerpost.engine.capture import Region, Screen, WindowInfo
from fingerpost.engine.geometry import DesktopPoint, FramePoint, Layout, Monitor, frame_to_desktop
from fingerpost.engine.values import Box, Pixels


class DenseScreen:
    """A desktop of two monitors in points, each point two pixels wide and high."""

    name = "dense"
    hint = ""

    def problem(self) -> str | None:
        return None

    def layout(self) -> Layout:
        return Layout((Monitor(1, "Built-in", Box(0, 0, 100, 60)), Monitor(2, "Left", Box(-80, 10, 80, 40))))

    def grab(self, box: Box) -> Pixels:
        return np.random.default_rng(1).integers(0, 255, (2 * box.height, 2 * box.width, 4), np.uint8)

    def windows(self) -> tuple[WindowInfo, ...]:
        return ()


@pytest.fixture(autouse=True)
def dense(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "HANDLERS", (DenseScreen(),))


def test_a_pixel_of_a_dense_capture_leads_to_the_point_that_shows_it() -> None:
    frame = capture.capture(Screen(2))
    assert (frame.width, frame.height, frame.origin, frame.scale) == (160, 80, (-80, 10), 2.0)
    assert frame_to_desktop(frame, FramePoint(0, 0)) == DesktopPoint(-80, 10)
    assert frame_to_desktop(frame, FramePoint(159, 79)) == DesktopPoint(-1, 49)


def test_so_does_one_of_a_region() -> None:
    frame = capture.capture(Region(10, 20, 30, 30))
    assert frame_to_desktop(frame, FramePoint(31, 2)) == DesktopPoint(25, 21)
