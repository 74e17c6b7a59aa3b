"""Icons drawn here, in two themes and several sizes, read by the icon model as shipped."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from fingerpost.engine.lite.icon_crops import SIDE, crop_icon
from fingerpost.engine.lite.icons import CONFIDENT, IconReader
from fingerpost.engine.values import Box, Frame

Ink = tuple[int, int, int]
Square = tuple[float, float, float]  # left, top, side
Draw = Callable[[ImageDraw.ImageDraw, Square, int, Ink], None]

THEMES = {"light": ((246, 245, 244), (46, 52, 54)), "dark": ((40, 40, 44), (238, 238, 236))}
SIZES = (16, 24, 32, 48)
OVERSAMPLING = 4


def _lines(*points: tuple[float, float]) -> Draw:
    """A stroke through points given in 0..1 of the icon."""

    def draw(pen: ImageDraw.ImageDraw, square: Square, width: int, ink: Ink) -> None:
        x, y, size = square
        pen.line([(x + px * size, y + py * size) for px, py in points], fill=ink, width=width, joint="curve")

    return draw


def _circle(left: float, top: float, right: float, bottom: float) -> Draw:
    def draw(pen: ImageDraw.ImageDraw, square: Square, width: int, ink: Ink) -> None:
        x, y, size = square
        pen.ellipse([x + left * size, y + top * size, x + right * size, y + bottom * size], outline=ink, width=width)

    return draw


ICONS: dict[str, tuple[Draw, ...]] = {
    "search": (_circle(0.08, 0.08, 0.68, 0.68), _lines((0.58, 0.58), (0.92, 0.92))),
    "add": (_lines((0.5, 0.08), (0.5, 0.92)), _lines((0.08, 0.5), (0.92, 0.5))),
    "close": (_lines((0.12, 0.12), (0.88, 0.88)), _lines((0.88, 0.12), (0.12, 0.88))),
    "back": (_lines((0.92, 0.5), (0.1, 0.5)), _lines((0.45, 0.12), (0.08, 0.5), (0.45, 0.88))),
    "forward": (_lines((0.08, 0.5), (0.9, 0.5)), _lines((0.55, 0.12), (0.92, 0.5), (0.55, 0.88))),
    "menu": tuple(_lines((0.06, y), (0.94, y)) for y in (0.2, 0.5, 0.8)),
}
NAMES = tuple(ICONS)


def _toolbar(size: int, theme: str, margin: int = 8) -> tuple[Frame, list[Box]]:
    """All icons side by side on a bar, and the box of each button."""
    ground, ink = THEMES[theme]
    side, scale = size + 2 * margin, OVERSAMPLING
    picture = Image.new("RGB", (side * len(ICONS) * scale, side * scale), ground)
    pen = ImageDraw.Draw(picture)
    for i, strokes in enumerate(ICONS.values()):
        for stroke in strokes:
            x = (i * side + margin) * scale
            stroke(pen, (x, margin * scale, size * scale), max(scale, round(size * scale / 9)), ink)
    small = np.asarray(picture.resize((side * len(ICONS), side), Image.Resampling.BOX))
    pixels = np.zeros((*small.shape[:2], 4), np.uint8)
    pixels[..., :3] = small[..., ::-1]
    return Frame(pixels), [Box(i * side, 0, side, side) for i in range(len(ICONS))]


@pytest.fixture(scope="module")
def reader() -> IconReader:
    return IconReader()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_picks_its_icon(reader: IconReader, name: str, size: int, theme: str) -> None:
    frame, boxes = _toolbar(size, theme)
    ranked = reader.rank(name, reader.describe(frame, boxes))
    assert ranked.known
    assert int(ranked.scores.argmax()) == NAMES.index(name)
    assert ranked.scores.max() >= CONFIDENT
    assert ranked.margin > 0


@pytest.mark.parametrize("name", ["print", "the gear icon", "volume", "Drucken", "bold", "calendar"])
@pytest.mark.parametrize("theme", THEMES)
def test_an_icon_that_is_not_there_gets_no_confidence(reader: IconReader, name: str, theme: str) -> None:
    frame, boxes = _toolbar(24, theme)
    ranked = reader.rank(name, reader.describe(frame, boxes))
    assert ranked.known
    assert ranked.scores.max() < CONFIDENT


@pytest.mark.parametrize("name", ["Zurück", "atrás", "voltar", "go back", 'the "Back" button'])
def test_other_words_and_languages_pick_the_same_icon(reader: IconReader, name: str) -> None:
    frame, boxes = _toolbar(24, "light")
    assert int(reader.rank(name, reader.describe(frame, boxes)).scores.argmax()) == NAMES.index("back")


def test_unknown_words_give_no_opinion(reader: IconReader) -> None:
    frame, boxes = _toolbar(24, "light")
    ranked = reader.rank("qwrtz frobnicate", reader.describe(frame, boxes))
    assert not ranked.known
    assert not ranked.scores.any()


def test_no_boxes_give_no_scores(reader: IconReader) -> None:
    frame, _ = _toolbar(16, "dark")
    vectors = reader.describe(frame, [])
    assert vectors.shape[0] == 0
    ranked = reader.rank("search", vectors)
    assert ranked.known
    assert ranked.scores.shape == (0,)
    assert ranked.margin == 0.0


def test_boxes_over_the_edge_of_the_frame_are_read_from_what_is_inside(reader: IconReader) -> None:
    frame, boxes = _toolbar(24, "light")
    first = boxes[0]
    vectors = reader.describe(frame, [Box(-6, -6, first.width + 6, first.height + 12), *boxes[1:]])
    assert int(reader.rank("search", vectors).scores.argmax()) == 0


def test_boxes_outside_the_frame_are_never_chosen(reader: IconReader) -> None:
    frame, boxes = _toolbar(24, "light")
    outside = Box(frame.width + 50, 10, 30, 30)
    vectors = reader.describe(frame, [outside, *boxes])
    assert not vectors[0].any()
    assert int(reader.rank("close", vectors).scores.argmax()) == 1 + NAMES.index("close")
    assert reader.rank("close", vectors).scores[0] == 0


def test_the_likeliest_concepts_come_first(reader: IconReader) -> None:
    frame, boxes = _toolbar(32, "dark")
    likely = reader.concepts(reader.describe(frame, boxes)[NAMES.index("search")], k=3)
    assert likely[0][0] == "search"
    assert len(likely) == 3
    assert [score for _, score in likely] == sorted((score for _, score in likely), reverse=True)


def test_an_icon_seen_before_has_the_same_vector(reader: IconReader) -> None:
    frame, boxes = _toolbar(24, "dark")
    assert np.array_equal(reader.describe(frame, boxes), reader.describe(frame, boxes[::-1])[::-1])


def test_a_split_buttons_arrow_does_not_matter() -> None:
    plain, boxes = _toolbar(24, "light")
    wide = np.full((40, 60, 4), plain.pixels[0, 0], np.uint8)
    wide[:, :40] = plain.pixels[:, : boxes[0].width][:40]
    with_arrow = wide.copy()
    for row in range(4):
        with_arrow[18 + row, 44 + row : 52 - row, :3] = 50
    difference = np.abs(crop_icon(with_arrow).astype(int) - crop_icon(wide))
    assert difference.max() <= 1


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_any_pixels_give_a_crop(height: int, width: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 4), dtype=np.uint8)
    assert crop_icon(pixels).shape == (SIDE, SIDE, 3)


@given(st.integers(0, 255), st.integers(0, 255))
@settings(max_examples=20, deadline=None)
def test_an_even_surface_stays_even(red: int, blue: int) -> None:
    pixels = np.zeros((20, 30, 4), np.uint8)
    pixels[..., 0], pixels[..., 2] = blue, red
    assert np.all(crop_icon(pixels) == (red, 0, blue))
