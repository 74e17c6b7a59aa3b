"""The Screenshot portal's picture of the whole desktop, cut to what was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dbus_fast import Variant
from PIL import Image

from fingerpost.engine.capture.wayland_portal import WaylandPortal
from fingerpost.engine.errors import CaptureError
from fingerpost.engine.values import Box, FrameSize
from fingerpost.engine.wayland import session
from fingerpost.engine.wayland.space import Output

OUTPUTS = [
    Output("left", Box(-64, 0, 64, 48), FrameSize(64, 48)),
    Output("right", Box(0, 0, 32, 24), FrameSize(64, 48)),
]
"""In the greatest scale, 2: the left monitor is 128 × 96 pixels at -128,0; the right one 64 × 48 at 0,0."""


@pytest.fixture(autouse=True)
def monitors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "outputs", lambda: OUTPUTS)


def shoot(portal: Any, folder: Path, scale: int) -> Path:
    """The desktop's picture: red on the left monitor, green on the right one, black below it."""
    pixels = np.zeros((48 * scale, 96 * scale, 3), np.uint8)
    pixels[:, : 64 * scale] = (255, 0, 0)
    pixels[: 24 * scale, 64 * scale :] = (0, 255, 0)
    Image.fromarray(pixels).save(folder / "shot.png")
    portal.answers["Screenshot"] = (0, {"uri": Variant("s", (folder / "shot.png").as_uri())})
    return folder / "shot.png"


def test_the_monitors_are_told_in_the_greatest_scale() -> None:
    boxes = [monitor.box for monitor in WaylandPortal().layout().monitors]
    assert boxes == [Box(-128, 0, 128, 96), Box(0, 0, 64, 48)]


@pytest.mark.parametrize("scale", [2, 1])
def test_a_part_is_cut_out_whatever_scale_the_desktop_draws_in(portal: Any, tmp_path: Path, scale: int) -> None:
    file = shoot(portal, tmp_path, scale)
    pixels = WaylandPortal().grab(Box(-20, 10, 40, 20))
    assert pixels.shape == (20, 40, 4)
    assert pixels[5, 18, :3].tolist() == [0, 0, 255]
    assert pixels[5, 21, :3].tolist() == [0, 255, 0]
    assert not file.exists()


def test_a_refused_picture_is_a_capture_error(portal: Any) -> None:
    portal.answers["Screenshot"] = (1, {})
    with pytest.raises(CaptureError, match="answered with no"):
        WaylandPortal().grab(Box(0, 0, 10, 10))
