"""What is painted, looked at pixel by pixel in physical pixels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from fingerpost.app.desktop.overlay import Mark, OverlayLook, image
from fingerpost.app.desktop.overlay.painting import Sizes
from fingerpost.app.desktop.overlay.region import boxes, opaque
from fingerpost.app.desktop.theme import DARK, LIGHT, Theme
from fingerpost.engine.geometry import DesktopPoint, Monitor
from fingerpost.engine.values import Box

SCALES = (1.0, 1.25, 1.5, 2.0)


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> QApplication:
    """Fonts need one."""
    return qapp


def mark(box: Box, certain: bool = True, number: int = 1) -> Mark:
    return Mark(box, DesktopPoint(*box.centre), number, certain, "Save", 0.97, 120.0)


def argb(picture: QImage) -> npt.NDArray[np.uint8]:
    """Shape (height, width, 4): blue, green, red, alpha."""
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine() // 4, 4)
    return rows[:, : picture.width()].copy()  # the picture's memory goes with it


def ink(pixels: npt.NDArray[np.uint8], colour: str) -> npt.NDArray[np.bool_]:
    wanted = QColor(colour)
    channels = (wanted.blue(), wanted.green(), wanted.red(), 255)
    return np.all(pixels == np.array(channels, np.uint8), axis=-1)


@given(
    scale=st.sampled_from(SCALES),
    origin=st.tuples(st.integers(-5000, 5000), st.integers(-5000, 5000)),
    box=st.builds(Box, st.integers(20, 300), st.integers(20, 200), st.integers(8, 150), st.integers(8, 80)),
)
@settings(deadline=None, max_examples=60)
def test_the_ring_stands_exactly_around_its_target(scale: float, origin: tuple[int, int], box: Box) -> None:
    """The line's first pixels on all four sides, and nothing inside, at every scale and origin."""
    monitor = Monitor(1, "one", Box(*origin, 500, 320), scale)
    pixels = argb(image(monitor, [mark(box.moved(*origin))], OverlayLook(dim=False)))
    sizes = Sizes(scale)
    solid = ink(pixels, LIGHT.accent)
    column, row = box.centre
    row = min(row, box.bottom - 1)
    line = sizes.line(True)
    left, right = box.x - sizes.gap, box.right + sizes.gap
    top, bottom = box.y - sizes.gap, box.bottom + sizes.gap
    assert np.flatnonzero(solid[row, : box.x]).tolist() == list(range(left - line, left))
    assert np.flatnonzero(solid[: box.y, column]).tolist() == list(range(top - line, top))
    assert np.flatnonzero(solid[row, box.right : right + line + 5]).tolist() == list(range(sizes.gap, sizes.gap + line))
    assert np.flatnonzero(solid[box.bottom : bottom + line, column]).tolist() == list(
        range(sizes.gap, sizes.gap + line)
    )
    assert not pixels[box.y : box.bottom, box.x : box.right, 3].any()


def test_a_target_across_two_monitors_has_one_ring() -> None:
    box = Box(460, 100, 90, 30)
    left, right = Monitor(1, "l", Box(0, 0, 500, 300), 1.0), Monitor(2, "r", Box(500, 0, 500, 300), 1.0)
    look = OverlayLook(dim=False)
    seen = np.hstack([argb(image(monitor, [mark(box)], look)) for monitor in (left, right)])
    whole = argb(image(Monitor(1, "w", Box(0, 0, 1000, 300), 1.0), [mark(box)], look))
    around = (slice(92, 138), slice(450, 560))
    assert np.array_equal(ink(seen, LIGHT.accent)[around], ink(whole, LIGHT.accent)[around])


def test_certain_is_solid_and_a_guess_is_dashed() -> None:
    monitor = Monitor(1, "one", Box(0, 0, 400, 300), 1.0)
    box = Box(100, 100, 200, 60)
    row = box.y - Sizes(1.0).gap - 2
    middle = slice(box.x + 10, box.right - 10)
    solid = ink(argb(image(monitor, [mark(box)], OverlayLook(dim=False))), LIGHT.accent)[row, middle]
    dashed = ink(argb(image(monitor, [mark(box, certain=False)], OverlayLook(dim=False))), LIGHT.guess)[row, middle]
    assert solid.all()
    assert np.count_nonzero(np.diff(dashed.astype(int)) == 1) >= 4
    assert 0.4 < dashed.mean() < 0.8


def test_the_rest_is_dimmed_softly_and_targets_are_not() -> None:
    monitor = Monitor(1, "one", Box(0, 0, 600, 400), 1.0)
    box = Box(200, 150, 100, 40)
    alpha = argb(image(monitor, [mark(box)], OverlayLook()))[..., 3]
    assert not alpha[box.y : box.bottom, box.x : box.right].any()
    far = int(alpha[20, 20])
    assert 60 < far < 140
    edge = alpha[170, box.x - 40 : box.x - 9].astype(int)
    assert (np.diff(edge) <= 0).all()
    assert np.abs(np.diff(edge)).max() <= 20
    assert not argb(image(monitor, [mark(box)], OverlayLook(dim=False)))[20, 20].any()


def test_our_own_palette_is_neither_dimmed_nor_painted_on() -> None:
    """But for the ring of the chosen target, which must be seen wherever it is."""
    monitor = Monitor(1, "one", Box(0, 0, 600, 400), 1.0)
    palette = Box(100, 200, 400, 150)
    beside, below = mark(Box(200, 150, 100, 30), certain=False), mark(Box(300, 260, 40, 20), certain=False, number=2)
    inner = (slice(palette.y + 14, palette.bottom - 14), slice(palette.x, palette.right))
    first, second = (
        argb(image(monitor, [beside, below], OverlayLook(clear=(palette,), active=active)))[..., 3] for active in (0, 1)
    )
    assert not first[inner].any()
    assert first[380, 300] > 60
    assert second[inner].any()


def test_without_blending_nothing_is_dimmed_and_all_that_is_kept_is_opaque() -> None:
    monitor = Monitor(1, "one", Box(0, 0, 600, 400), 1.0)
    picture = image(monitor, [mark(Box(200, 150, 100, 40), certain=False)], OverlayLook(translucent=False))
    alpha = argb(picture)[..., 3]
    assert not alpha[20, 20]
    assert np.mean(alpha[opaque(picture)] == 255) > 0.9


def test_while_it_settles_the_ring_is_farther_out() -> None:
    monitor = Monitor(1, "one", Box(0, 0, 400, 300), 1.0)
    box = Box(150, 120, 60, 30)
    begin = ink(argb(image(monitor, [mark(box)], OverlayLook(dim=False, progress=0.0))), LIGHT.accent)
    end = ink(argb(image(monitor, [mark(box)], OverlayLook(dim=False, progress=1.0))), LIGHT.accent)
    assert np.flatnonzero(begin[135])[0] < np.flatnonzero(end[135])[0] - 8


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_the_chosen_target_stands_out_by_form(look: Theme) -> None:
    """Its line is thicker: no colour needed."""
    monitor = Monitor(1, "one", Box(0, 0, 600, 300), 1.0)
    marks = [mark(Box(100, 100, 60, 30)), mark(Box(300, 100, 60, 30), number=2)]
    shown = replace(OverlayLook(dim=False), theme=look)
    first, second = (argb(image(monitor, marks, replace(shown, active=active))) for active in (0, 1))
    colour = shown.theme.accent
    assert ink(first, colour)[115, 80:100].sum() == ink(second, colour)[115, 280:300].sum() == 3
    assert ink(first, colour)[115, 280:300].sum() == ink(second, colour)[115, 80:100].sum() == 2


@given(st.integers(0, 24), st.integers(1, 24), st.integers(0, 2**32 - 1))
def test_boxes_of_a_mask_are_its_pixels_once(height: int, width: int, seed: int) -> None:
    mask = np.random.default_rng(seed).random((height, width)) < 0.6
    again = np.zeros((height, width), int)
    for box in boxes(mask):
        again[box.y : box.bottom, box.x : box.right] += 1
    assert np.array_equal(again, mask.astype(int))
