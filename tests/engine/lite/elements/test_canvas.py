"""Elements and containers found by what is known of the frames before are those of a first look, to the pixel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine import pictures
from fingerpost.engine.lite.changes import ChangeDetector
from fingerpost.engine.lite.elements import find_containers, find_elements
from fingerpost.engine.lite.elements.canvas import Canvas
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Frame, Pixels

Lines = tuple[TextLine, ...]
COPIES = st.tuples(*[st.integers(0, 1200)] * 4, st.integers(1, 500), st.integers(1, 300))
"""From x, y to x, y, width and height."""


class Watcher:
    """Looks at one frame after the other, and each time compares with somebody who sees only that one."""

    def __init__(self) -> None:
        self._changes, self._canvas = ChangeDetector(), Canvas()

    def check(self, pixels: Pixels, lines: Lines, scale: float = 1.0) -> None:
        frame = Frame(pixels)
        self._canvas.show(frame, self._changes.update(frame))
        elements = find_elements(frame, lines, scale, self._canvas)
        assert elements == find_elements(frame, lines, scale)
        containers = find_containers(frame, lines, elements, scale, self._canvas)
        assert containers == find_containers(frame, lines, elements, scale)


@pytest.fixture(scope="module")
def pixels(screenshot: Path) -> Pixels:
    return pictures.load(screenshot).pixels


@pytest.fixture(scope="module")
def lines(lite: LiteEngine, pixels: Pixels) -> Lines:
    return lite.see(Frame(pixels)).lines


def copied(pixels: Pixels, source: Box, x: int, y: int) -> Pixels:
    changed = pixels.copy()
    part = pixels[source.y : source.bottom, source.x : source.right]
    part = part[: max(0, len(changed) - y), : max(0, changed.shape[1] - x)]
    changed[y : y + part.shape[0], x : x + part.shape[1]] = part
    return changed


@settings(max_examples=4, deadline=None)
@given(st.lists(COPIES, min_size=1, max_size=3))
def test_random_parts_change(pixels: Pixels, lines: Lines, copies: list[tuple[int, ...]]) -> None:
    watcher, screen = Watcher(), pixels
    watcher.check(screen, lines)
    for from_x, from_y, x, y, width, height in copies:
        screen = copied(screen, Box(from_x, from_y % 800, width, height), x, y % 800)
        watcher.check(screen, tuple(line for line in lines if line.box.y % 3) if x % 2 else lines)


def test_single_pixels_change(pixels: Pixels, lines: Lines) -> None:
    watcher, screen, rng = Watcher(), pixels.copy(), np.random.default_rng(0)
    watcher.check(screen, lines)
    for _ in range(3):
        screen = screen.copy()
        for y, x in zip(rng.integers(0, 800, 40), rng.integers(0, 1280, 40), strict=True):
            screen[y, x, :3] ^= 255
        watcher.check(screen, lines)


def test_a_list_scrolls(pixels: Pixels, lines: Lines) -> None:
    watcher = Watcher()
    for offset in (0, 7, 120, 0):
        screen = pixels.copy()
        screen[100:700, 40:800] = np.roll(pixels[100:700, 40:800], -offset, axis=0)
        watcher.check(screen, lines)


def test_a_dialog_opens_and_closes(pixels: Pixels, lines: Lines) -> None:
    watcher = Watcher()
    for screen in (pixels, copied(pixels, Box(330, 340, 420, 300), 500, 60), pixels):
        watcher.check(screen, lines)


def test_the_theme_turns_dark_and_the_scale_doubles(pixels: Pixels, lines: Lines) -> None:
    watcher = Watcher()
    watcher.check(pixels, lines)
    watcher.check(255 - pixels, lines)
    watcher.check(255 - pixels, lines, 2.0)
    watcher.check(np.ascontiguousarray(pixels[:600, :1000]), lines)
