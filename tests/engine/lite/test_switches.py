"""A switch is one element, and no text: its knob is not read as a zero. What is written in other pills is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw, ImageFont

from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.lite.sight import Sight
from fingerpost.engine.pictures import as_frame
from fingerpost.engine.values import Box

SMOOTH = 4  # times drawn larger, then shrunk, as toolkits smooth what they draw
ACCENT = (53, 132, 228)
Pen = ImageDraw.ImageDraw
Corners = tuple[int, int, int, int]


def _flat(pen: Pen, pill: Corners, knob: Corners, on: bool, dark: bool) -> None:
    pen.rounded_rectangle(pill, (pill[3] - pill[1]) // 2, fill=ACCENT if on else (90,) * 3 if dark else (190,) * 3)
    pen.ellipse(_smaller(knob, 2), fill=(255, 255, 255))


def _bordered(pen: Pen, pill: Corners, knob: Corners, on: bool, dark: bool) -> None:
    grey = (170,) * 3 if dark else (100,) * 3
    pen.rounded_rectangle(
        pill, (pill[3] - pill[1]) // 2, fill=ACCENT if on else None, outline=ACCENT if on else grey, width=SMOOTH
    )
    pen.ellipse(_smaller(knob, 4), fill=(255, 255, 255) if on else grey)


@pytest.fixture(scope="module")
def sight() -> Sight:
    return Sight()


STYLES = {"flat": _flat, "bordered": _bordered}


def _smaller(corners: Corners, by: int) -> Corners:
    left, top, right, bottom = corners
    return left + by * SMOOTH, top + by * SMOOTH, right - by * SMOOTH, bottom - by * SMOOTH


def seen(sight: Sight, style: str, place: Box, on: bool, dark: bool) -> Scene:
    """A window with one switch and its caption."""
    ground, ink = ((40,) * 3, (230,) * 3) if dark else ((250,) * 3, (20,) * 3)
    large = Image.new("RGB", (320 * SMOOTH, 120 * SMOOTH), ground)
    pill = tuple(SMOOTH * value for value in (place.x, place.y, place.right - 1, place.bottom - 1))
    side = pill[3] - pill[1]
    x = pill[2] - side if on else pill[0]
    draw: Callable[..., None] = STYLES[style]
    draw(ImageDraw.Draw(large), pill, (x, pill[1], x + side, pill[3]), on, dark)
    image = large.resize((320, 120), Image.Resampling.LANCZOS)
    caption = (place.right + 14, place.centre[1] - 9)
    ImageDraw.Draw(image).text(caption, "Night light", ink, ImageFont.load_default(14))
    return sight.see(as_frame(image))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("on", [False, True], ids=["off", "on"])
@pytest.mark.parametrize("size", [(44, 22), (48, 24), (56, 28)], ids=str)
@pytest.mark.parametrize("style", STYLES)
def test_a_switch_is_seen_whole_and_not_read(
    sight: Sight, style: str, size: tuple[int, int], on: bool, dark: bool
) -> None:
    place = Box(60, 46, *size)
    scene = seen(sight, style, place, on, dark)
    assert [line.text for line in scene.lines] == ["Night light"]
    small = [e for e in scene.elements if e.box.area < 2 * place.area]
    (switch,) = [e for e in small if e.box.intersection(place).area > 0.3 * place.area]
    assert (switch.kind, switch.box.iou(place) > 0.75) == ("switch", True)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("behind", [False, True], ids=["before", "behind"])
@pytest.mark.parametrize("size", [(40, 22), (44, 24)], ids=str)
@pytest.mark.parametrize("label", ["2", "12", "OK"])
def test_a_pill_with_a_picture_and_a_short_text_is_no_switch(
    sight: Sight, label: str, size: tuple[int, int], behind: bool, dark: bool
) -> None:
    """Such as a reaction with how often it was given."""
    ground, fill, ink = ((40,) * 3, (70,) * 3, (230,) * 3) if dark else ((250,) * 3, (235,) * 3, (20,) * 3)
    place = Box(60, 46, *size)
    side = place.height - 8
    image = Image.new("RGB", (320 * SMOOTH, 120 * SMOOTH), ground)
    pen = ImageDraw.Draw(image)
    corners = place.x, place.y, place.right - 1, place.bottom - 1
    pen.rounded_rectangle([SMOOTH * c for c in corners], SMOOTH * place.height // 2, fill, (150,) * 3, SMOOTH)
    left = place.right - 5 - side if behind else place.x + 5
    pen.ellipse([SMOOTH * c for c in (left, place.y + 4, left + side, place.y + 4 + side)], fill=(220, 160, 30))
    start = SMOOTH * (place.x + 7 if behind else place.x + side + 10), SMOOTH * place.centre[1]
    pen.text(start, label, ink, ImageFont.load_default(13 * SMOOTH), anchor="lm")
    scene = sight.see(as_frame(image.resize((320, 120), Image.Resampling.LANCZOS)))
    assert not any(element.kind == "switch" for element in scene.elements)
