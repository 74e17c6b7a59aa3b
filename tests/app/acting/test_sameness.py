"""Whether two pictures show the same thing to click, on drawn buttons, fields and lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from fingerpost.app.acting.sameness import core_box, patch_box, shows_the_same
from fingerpost.engine.values import Box, Pixels

SIZE = (520, 140)
BUTTON = Box(200, 55, 120, 30)
WORDS = (
    "Save",
    "Cancel",
    "Open file",
    "Delete all",
    "Settings",
    "Réglages",
    "Print",
    "Undo",
    "OK",
    "Help",
    "Item 1",
    "Item 4",
    "Saved",
)
FONT = ImageFont.load_default(13)


def picture(
    label: str = "Save",
    fill: tuple[int, int, int] = (230, 230, 230),
    ink: tuple[int, int, int] = (20, 20, 20),
    around: tuple[str, ...] = ("Name of the file", "Folder", "Encoding of the text", "Line ends", "Options"),
    video: int | None = None,
    caret: int | None = None,
    icon: int | None = None,
) -> Pixels:
    """A button with a label among other words; `video`: moving noise beside it, `caret`: its x in the button."""
    image = Image.new("RGB", SIZE, (250, 250, 250))
    draw = ImageDraw.Draw(image)
    for index, word in enumerate(around):
        draw.text((20 + 190 * (index % 3), 8 + 108 * (index // 3)), word, (0, 0, 0), FONT)
        draw.text((360, 12 + 26 * index), word[::-1], (0, 0, 0), FONT)
    if video is not None:
        noise = np.random.default_rng(video).integers(0, 255, (100, 130, 3), np.uint8)
        image.paste(Image.fromarray(noise), (40, 20))
    draw.rectangle((BUTTON.x, BUTTON.y, BUTTON.right - 1, BUTTON.bottom - 1), fill, (120, 120, 120))
    draw.text((BUTTON.x + 30, BUTTON.y + 7), label, ink, FONT)
    if icon is not None:
        draw.polygon([(208, 62), (222, 62 + icon), (208, 78)], ink)
    if caret is not None:
        draw.line((BUTTON.x + caret, BUTTON.y + 6, BUTTON.x + caret, BUTTON.bottom - 7), ink)
    pixels = np.zeros((SIZE[1], SIZE[0], 4), np.uint8)
    pixels[..., :3] = np.asarray(image)[..., ::-1]
    return pixels


@pytest.mark.parametrize("label", WORDS)
def test_the_same_picture_is_the_same_whatever_the_unused_channel_says(label: str) -> None:
    other = picture(label)
    other[..., 3] = 255
    assert shows_the_same(picture(label), other, BUTTON)


@given(st.sampled_from(WORDS), st.sampled_from(WORDS))
@settings(deadline=None, max_examples=60)
def test_another_label_is_another_target(one: str, two: str) -> None:
    assert shows_the_same(picture(one), picture(two), BUTTON) == (one == two)


@given(st.sampled_from(WORDS), st.tuples(*[st.integers(170, 255)] * 3))
@settings(deadline=None, max_examples=60)
def test_a_highlight_under_the_pointer_is_the_same_target(label: str, fill: tuple[int, int, int]) -> None:
    assert shows_the_same(picture(label), picture(label, fill=fill), BUTTON)


def test_a_selection_that_turns_the_colours_round_is_the_same_target() -> None:
    assert shows_the_same(picture(), picture(fill=(40, 90, 200), ink=(255, 255, 255)), BUTTON)


@given(st.integers(4, 115), st.sampled_from(("", "Save", "a longer text")))
@settings(deadline=None, max_examples=60)
def test_a_blinking_caret_is_the_same_field(caret: int, label: str) -> None:
    assert shows_the_same(picture(label), picture(label, caret=caret), BUTTON)


def test_an_empty_field_that_was_filled_in_is_another_target() -> None:
    assert not shows_the_same(picture(""), picture("Hello"), BUTTON)


def test_another_icon_is_another_target() -> None:
    assert not shows_the_same(picture("", icon=8), picture("", icon=0), BUTTON)


@given(st.integers(0, 1000), st.integers(0, 1000))
@settings(deadline=None, max_examples=20)
def test_a_video_beside_the_target_does_not_count(one: int, two: int) -> None:
    assert shows_the_same(picture(video=one), picture(video=two), BUTTON)


def rows(first: int) -> Pixels:
    """A list with a check box and words in each row, scrolled so that row number `first` is on top."""
    image = Image.new("RGB", SIZE, (255, 255, 255))
    draw = ImageDraw.Draw(image)
    names = [f"{WORDS[(7 * n) % 13]} {WORDS[(3 * n + 1) % 13]} number {n * n}" for n in range(30)]
    for row in range(6):
        draw.rectangle((200, 4 + 24 * row, 213, 17 + 24 * row), None, (90, 90, 90))
        draw.text((225, 3 + 24 * row), names[first + row], (0, 0, 0), FONT)
    pixels = np.zeros((SIZE[1], SIZE[0], 4), np.uint8)
    pixels[..., :3] = np.asarray(image)[..., ::-1]
    return pixels


@pytest.mark.parametrize("scrolled", [1, 2, 3, 5])
def test_a_check_box_in_a_list_that_scrolled_is_another_target(scrolled: int) -> None:
    box = Box(200, 52, 14, 14)
    assert shows_the_same(rows(0), rows(0), box)
    assert not shows_the_same(rows(0), rows(scrolled), box)


def test_pictures_of_different_sizes_are_different() -> None:
    assert not shows_the_same(picture(), picture()[:-1], BUTTON)


boxes = st.builds(Box, st.integers(0, 1900), st.integers(0, 1060), st.integers(1, 1900), st.integers(1, 1000))


@given(boxes, st.data())
def test_the_patch_holds_the_point_and_stays_on_the_frame(target: Box, data: st.DataObject) -> None:
    frame = Box(0, 0, 1920, 1080)
    visible = target.intersection(frame)
    x = data.draw(st.integers(visible.x, visible.right - 1))
    y = data.draw(st.integers(visible.y, visible.bottom - 1))
    patch = patch_box(visible, (x, y), frame)
    assert patch.contains(x, y)
    assert core_box(visible, (x, y)).contains(x, y)
    assert patch.intersection(frame) == patch
    assert patch.area <= 800 * 336
