"""Screens of text, drawn with the font that comes with Pillow, and the reader with the models as shipped."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from fingerpost.engine.lite.ocr.reader import Reader
from fingerpost.engine.values import Frame, Pixels

Colour = tuple[int, int, int]  # blue, green, red
Label = tuple[str, int, int]  # text, left, top
Draw = Callable[..., Frame]


def draw_screen(
    *labels: Label,
    size: tuple[int, int] = (480, 160),
    font: int = 14,
    ground: Colour = (250, 250, 250),
    ink: Colour = (30, 30, 30),
    underlined: bool = False,
) -> Frame:
    """A frame with labels; `size` is width and height, `underlined` marks the first letter as menus do."""
    image = Image.new("RGB", size, ground)
    pen = ImageDraw.Draw(image)
    letters = ImageFont.load_default(font)
    for text, left, top in labels:
        pen.text((left, top), text, ink, letters)
        if underlined:
            bottom = pen.textbbox((left, top), text[0], letters)[3] + 2
            pen.line((left, bottom, left + int(pen.textlength(text[0], letters)) - 1, bottom), ink)
    pixels: Pixels = np.dstack([np.asarray(image), np.full((size[1], size[0]), 255, np.uint8)])
    return Frame(pixels)


@pytest.fixture(scope="session")
def draw() -> Draw:
    return draw_screen


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader()
