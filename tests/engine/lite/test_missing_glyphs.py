"""Frames with a character's number in them are told from icons, in any size, colour and number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from fingerpost.engine.lite.icons import CONFIDENT, IconReader
from fingerpost.engine.lite.missing_glyphs import shows_missing_glyphs
from fingerpost.engine.pictures import as_frame
from fingerpost.engine.values import Box, Pixels

SHAPES = {
    "0": "111101101101111", "1": "010110010010111", "2": "111001111100111", "3": "111001111001111",
    "4": "101101111001001", "5": "111100111001111", "6": "111100111101111", "7": "111001001010010",
    "8": "111101111101111", "9": "111101111001111", "A": "111101111101101", "B": "110101110101110",
    "C": "111100100100111", "D": "110101101101110", "E": "111100111100111", "F": "111100111100100",
}  # fmt: skip
"""Digits of three by five pixels, row by row."""

COLOURS = [((255, 255, 255), (0, 0, 0)), ((40, 40, 44), (230, 230, 230)), ((30, 90, 200), (255, 255, 255))]
CODES = st.text("0123456789ABCDEF", min_size=4, max_size=4) | st.text("0123456789ABCDEF", min_size=6, max_size=6)


def frame_of(code: str, scale: int, ground: tuple[int, int, int], ink: tuple[int, int, int]) -> Image.Image:
    """The frame around a number, with four pixels around it."""
    columns = len(code) // 2
    width, height = 4 * columns + 5, 17
    image = Image.new("RGB", (width + 8, height + 8), ground)
    ImageDraw.Draw(image).rectangle((4, 4, width + 3, height + 3), outline=ink)
    for place, digit in enumerate(code):
        row, column = divmod(place, columns)
        for pixel, filled in enumerate(SHAPES[digit]):
            if filled == "1":
                image.putpixel((7 + 4 * column + pixel % 3, 6 + 7 * row + pixel // 3), ink)
    return image.resize((scale * image.width, scale * image.height), Image.Resampling.NEAREST)


def pixels(image: Image.Image) -> Pixels:
    return as_frame(image).pixels


@settings(deadline=None)
@given(CODES, st.sampled_from([1, 2, 3]), st.sampled_from(COLOURS))
def test_a_frame_with_any_number_is_one(
    code: str, scale: int, colours: tuple[tuple[int, int, int], tuple[int, int, int]]
) -> None:
    assert shows_missing_glyphs(pixels(frame_of(code, scale, *colours)))


def test_several_side_by_side_are_too_and_one_beside_something_else_is_not() -> None:
    one = frame_of("E001", 1, *COLOURS[0])
    both = Image.new("RGB", (2 * one.width, one.height), "white")
    both.paste(one, (0, 0))
    both.paste(frame_of("E002", 1, *COLOURS[0]), (one.width - 3, 0))
    assert shows_missing_glyphs(pixels(both))
    ImageDraw.Draw(both).ellipse((both.width - 9, 5, both.width - 2, 12), fill="black")
    assert not shows_missing_glyphs(pixels(both))


def _floppy(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((4, 4, 23, 23), outline="black", width=2)
    pen.rectangle((9, 4, 18, 10), fill="black")
    pen.rectangle((8, 15, 19, 23), outline="black")


def _grid(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((4, 4, 23, 23), outline="black")
    for x, y in ((7, 7), (15, 7), (7, 15), (15, 15)):
        pen.rectangle((x, y, x + 5, y + 5), fill="black")


def _table(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((4, 4, 23, 23), outline="black")
    pen.line((4, 13, 23, 13), fill="black")
    pen.line((13, 4, 13, 23), fill="black")


def _calculator(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((4, 2, 23, 25), outline="black")
    pen.rectangle((7, 5, 20, 9), outline="black")
    for x in (7, 12, 17):
        for y in (12, 16, 20):
            pen.rectangle((x, y, x + 2, y + 2), fill="black")


@pytest.mark.parametrize("draw", [_floppy, _grid, _table, _calculator])
@pytest.mark.parametrize("scale", [1, 2])
def test_icons_with_a_frame_are_none(draw: Callable[[ImageDraw.ImageDraw], None], scale: int) -> None:
    image = Image.new("RGB", (28, 28), "white")
    draw(ImageDraw.Draw(image))
    assert not shows_missing_glyphs(pixels(image.resize((28 * scale, 28 * scale), Image.Resampling.NEAREST)))


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 1000))
def test_any_pixels_are_looked_at(height: int, width: int, seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)
    assert shows_missing_glyphs(noise) in {True, False}


def test_no_name_is_found_in_one(reader: IconReader) -> None:
    for code in ("E001", "01F4BE", "F0C7", "2B1A"):
        image = as_frame(frame_of(code, 1, *COLOURS[0]))
        vectors = reader.describe(image, [Box(0, 0, image.width, image.height)])
        assert max(reader.rank(name, vectors).scores.max() for name in ("save", "building", "calculator")) < CONFIDENT


@pytest.fixture(scope="module")
def reader() -> IconReader:
    return IconReader()
