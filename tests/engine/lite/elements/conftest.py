"""A screen drawn control by control, with the lines of text an OCR would read on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw, ImageFont

from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Frame

Colour = tuple[int, int, int]  # blue, green, red


@dataclass(frozen=True)
class Theme:
    window: Colour
    base: Colour
    border: Colour
    text: Colour
    accent: Colour


LIGHT = Theme((245, 246, 246), (255, 255, 255), (180, 185, 190), (40, 40, 40), (228, 132, 53))
LINKS = Theme(LIGHT.window, LIGHT.base, LIGHT.border, (187, 99, 40), LIGHT.accent)
DARK = Theme((56, 54, 53), (42, 40, 40), (95, 92, 90), (235, 235, 235), (228, 132, 53))


@dataclass
class DrawnScreen:
    """All positions and sizes of the methods are at scale 1; the picture is drawn at `scale`."""

    width: int = 800
    height: int = 600
    theme: Theme = LIGHT
    scale: int = 1
    lines: list[TextLine] = field(default_factory=list)

    def __post_init__(self) -> None:
        shape = (self.height * self.scale, self.width * self.scale, 4)
        self.pixels: npt.NDArray[np.uint8] = np.zeros(shape, np.uint8)
        self.pixels[:, :, :3] = self.theme.window

    @property
    def frame(self) -> Frame:
        return Frame(self.pixels)

    def box(self, x: int, y: int, width: int, height: int) -> Box:
        return Box(x * self.scale, y * self.scale, width * self.scale, height * self.scale)

    def fill(self, box: Box, colour: Colour) -> Box:
        self.pixels[box.y : box.bottom, box.x : box.right, :3] = colour
        return box

    def outlined(self, x: int, y: int, width: int, height: int, inside: Colour | None = None) -> Box:
        box = self.fill(self.box(x, y, width, height), self.theme.border)
        k = self.scale
        self.fill(Box(box.x + k, box.y + k, box.width - 2 * k, box.height - 2 * k), inside or self.theme.base)
        return box

    def text(self, words: str, x: int, y: int, size: int = 14) -> TextLine:
        """Draws `words` with the left end of their line at x and its middle at y."""
        font = ImageFont.load_default(size * self.scale)
        picture = Image.fromarray(np.ascontiguousarray(self.pixels[:, :, :3]))
        draw = ImageDraw.Draw(picture)
        left, middle = x * self.scale, y * self.scale
        draw.text((left, middle), words, fill=self.theme.text, font=font, anchor="lm")
        self.pixels[:, :, :3] = np.asarray(picture)
        ends = [draw.textlength(words[: i + 1], font=font) for i in range(len(words))]
        starts = [0.0, *ends[:-1]]
        high = round(1.4 * size * self.scale)
        box = Box(left, middle - high // 2, round(ends[-1]) + 2, high)
        centres = tuple(left + (a + b) / 2 for a, b in zip(starts, ends, strict=True))
        line = TextLine(words, box, 0.99, centres)
        self.lines.append(line)
        return line

    def button(self, words: str, x: int, y: int, width: int = 90, height: int = 30) -> Box:
        box = self.outlined(x, y, width, height)
        length = ImageFont.load_default(14).getlength(words)
        self.text(words, x + round((width - length) / 2), y + height // 2)
        return box

    def arrow(self, x: int, y: int, up: bool = False) -> None:
        """A filled triangle 9 px wide and 5 px high, its box's left upper corner at (x, y)."""
        s, tip = self.scale, (0, 5) if up else (5, 0)
        points = [(x * s, (y + tip[1]) * s), ((x + 8) * s, (y + tip[1]) * s), ((x + 4) * s, (y + tip[0]) * s)]
        colour = np.ascontiguousarray(self.pixels[:, :, :3])
        cv2.fillPoly(colour, [np.array(points, np.int32)], self.theme.text)
        self.pixels[:, :, :3] = colour

    def disc(self, x: int, y: int, diameter: int, colour: Colour, inside: Colour | None = None) -> Box:
        picture = np.ascontiguousarray(self.pixels[:, :, :3])
        s, radius = self.scale, diameter * self.scale // 2
        centre = (x * s + radius, y * s + radius)
        cv2.circle(picture, centre, radius, colour, cv2.FILLED, cv2.LINE_AA)
        if inside is not None:
            cv2.circle(picture, centre, radius - 2 * s, inside, cv2.FILLED, cv2.LINE_AA)
        self.pixels[:, :, :3] = picture
        return Box(x * s, y * s, 2 * radius + 1, 2 * radius + 1)


@pytest.fixture(params=[(LIGHT, 1), (DARK, 1), (LIGHT, 2), (DARK, 2)], ids=["light", "dark", "light2", "dark2"])
def screen(request: pytest.FixtureRequest) -> DrawnScreen:
    """An empty screen in each theme and scale."""
    theme, scale = request.param
    return DrawnScreen(theme=theme, scale=scale)


@pytest.fixture
def plain() -> DrawnScreen:
    """An empty light screen at scale 1."""
    return DrawnScreen()


@pytest.fixture(scope="session")
def new_screen() -> Callable[[], DrawnScreen]:
    """For properties, which draw several screens."""
    return DrawnScreen


@pytest.fixture
def links() -> DrawnScreen:
    """A light screen on which text is written in blue."""
    return DrawnScreen(theme=LINKS)
