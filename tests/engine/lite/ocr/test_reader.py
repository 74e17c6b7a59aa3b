from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.lite.ocr.reader import Reader
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Frame

Draw = Callable[..., Frame]

THEMES = {
    "light": ((250, 250, 250), (30, 30, 30)),
    "dark": ((45, 45, 48), (225, 225, 225)),
    "disabled": ((240, 240, 240), (150, 150, 150)),
    "disabled dark": ((60, 60, 60), (125, 125, 125)),
    "coloured button": ((228, 132, 53), (255, 255, 255)),
}


def texts(reader: Reader, frame: Frame) -> list[str]:
    return [line.text for line in reader.read(frame)]


@pytest.mark.parametrize("size", [11, 14, 18, 28])
@pytest.mark.parametrize("theme", THEMES)
def test_a_label_is_read_in_every_theme_and_size(reader: Reader, draw: Draw, theme: str, size: int) -> None:
    ground, ink = THEMES[theme]
    frame = draw(("Print Preview", 40, 40), ground=ground, ink=ink, font=size)
    assert texts(reader, frame) == ["Print Preview"]


def test_the_box_holds_the_text_and_each_character_has_its_place(reader: Reader, draw: Draw) -> None:
    (line,) = reader.read(draw(("Bookmarks", 100, 60)))
    assert line.box.contains(*Box(100, 62, 68, 14).centre)
    assert line.box.height < 40
    assert len(line.char_x) == len(line.text)
    assert all(left < right for left, right in pairwise(line.char_x))
    assert 100 <= line.char_x[0] < 112
    assert line.score > 0.9


def test_a_menu_bar_comes_apart(reader: Reader, draw: Draw) -> None:
    frame = draw(("File", 10, 20), ("Edit", 50, 20), ("Bookmarks", 92, 20), ("Help", 178, 20))
    assert sorted(texts(reader, frame)) == ["Bookmarks", "Edit", "File", "Help"]


def test_the_words_of_one_label_stay_together(reader: Reader, draw: Draw) -> None:
    assert texts(reader, draw(("Restore last session on startup", 10, 20))) == ["Restore last session on startup"]


def test_an_underlined_letter_is_read_as_without_the_line(reader: Reader, draw: Draw) -> None:
    frame = draw(("File", 10, 20), ("Tools", 110, 20), underlined=True)
    assert sorted(texts(reader, frame)) == ["File", "Tools"]


def test_three_dots_are_three_dots(reader: Reader, draw: Draw) -> None:
    assert texts(reader, draw(("Save As...", 10, 20))) == ["Save As..."]


def test_on_a_hidpi_screen_half_the_resolution_finds_the_text(reader: Reader, draw: Draw) -> None:
    labels = [("Preferences", 40 + 300 * column, 40 + 60 * row) for row in range(20) for column in range(6)]
    frame = draw(*labels, size=(2000, 1300), font=28)
    lines = reader.read(frame)
    assert [line.text for line in lines] == ["Preferences"] * 120


@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (3000, 1), (33, 65), (640, 400)])
def test_a_blank_picture_of_any_size_has_no_text(reader: Reader, size: tuple[int, int]) -> None:
    assert reader.read(Frame(np.full((size[1], size[0], 4), 200, np.uint8))) == ()


def test_a_very_wide_picture_is_read_to_its_end(reader: Reader, draw: Draw) -> None:
    found = texts(reader, draw(("Begin", 10, 30), ("End", 11_900, 30), size=(12_000, 100)))
    assert sorted(found) == ["Begin", "End"]


def test_a_line_longer_than_the_network_reads_at_once_is_whole(reader: Reader, draw: Draw) -> None:
    sentence = " ".join(["the quick brown fox jumps over the lazy dog"] * 8)
    (line,) = reader.read(draw((sentence, 10, 30), size=(3000, 80)))
    assert line.text == sentence
    assert len(line.char_x) == len(sentence)


def test_frames_are_not_written_to(reader: Reader, draw: Draw) -> None:
    frame = draw(("File", 10, 20), underlined=True)
    frame.pixels.setflags(write=False)
    assert texts(reader, frame) == ["File"]


def test_a_view_into_a_larger_picture_reads_like_a_copy(reader: Reader, draw: Draw) -> None:
    whole = draw(("Cancel", 60, 60)).pixels
    view = whole[30:120, 40:200]
    assert reader.read(Frame(view)) == Reader().read(Frame(view.copy()))


def test_single_characters_are_read_inside_buttons(reader: Reader, draw: Draw) -> None:
    signs = ["8", "5", "0", "+", "=", ")"]
    keys = [Box(20 + 60 * index, 30, 50, 44) for index in range(len(signs))]
    labels = [(sign, key.x + 20, key.y + 12) for sign, key in zip(signs, keys, strict=True)]
    frame = draw(*labels, font=16, ground=(225, 225, 225))
    lines = reader.read_inside(frame, keys)
    assert [line.text for line in lines] == signs
    assert all(key.contains(*line.box.centre) for key, line in zip(keys, lines, strict=True))


def test_nothing_is_read_inside_an_empty_or_outlying_element(reader: Reader, draw: Draw) -> None:
    boxes = [Box(10, 10, 40, 40), Box(0, 0, 0, 0), Box(470, 150, 100, 100), Box(2000, 2000, 10, 10), Box(5, 5, 1, 1)]
    assert [line.text for line in reader.read_inside(draw(), boxes)] == [""] * len(boxes)


ROWS = st.dictionaries(
    st.integers(0, 8), st.sampled_from(["Open", "Quit", "Preferences", "Print Preview", ""]), min_size=1, max_size=3
)
"""Rows of a list and what they now say."""


@settings(max_examples=5, deadline=None)
@given(changes=st.lists(ROWS, min_size=1, max_size=3))
def test_reading_what_changed_gives_the_lines_a_fresh_reader_gives(
    reader: Reader, draw: Draw, changes: list[dict[int, str]]
) -> None:
    rows = [f"Row {row} of the list" for row in range(9)]
    first = rows.copy()
    before = reader.read(_list_of(first, draw))
    for change in changes:
        rows = [change.get(number, text) for number, text in enumerate(rows)]
        assert _alike(reader.read(_list_of(rows, draw)), Reader().read(_list_of(rows, draw)))
    assert _alike(reader.read(_list_of(first, draw)), before)


def test_a_list_that_scrolls_a_dialog_and_a_theme_are_read_as_by_a_fresh_reader(reader: Reader, draw: Draw) -> None:
    rows = [f"Document number {row}" for row in range(20)]
    plain = _list_of(rows[:9], draw)
    dialog = plain.pixels.copy()
    dialog[50:200, 100:360] = draw(("Save changes?", 20, 40), ("Cancel", 150, 110), size=(260, 150)).pixels
    for frame in (plain, _list_of(rows[4:13], draw), plain, Frame(dialog), plain, Frame(255 - plain.pixels)):
        assert _alike(reader.read(frame), Reader().read(frame), border=Box(100, 50, 260, 150))


def _list_of(rows: list[str], draw: Draw) -> Frame:
    labels = [(text, 30 + 60 * (number % 2), 14 + 32 * number) for number, text in enumerate(rows)]
    return draw(*labels, size=(420, 310))


def _alike(lines: tuple[TextLine, ...], others: tuple[TextLine, ...], border: Box | None = None) -> bool:
    """The same texts, with middles within two pixels. Lines that the border cuts may be read either way."""
    kept = [[line for line in found if border is None or not _is_cut(line.box, border)] for found in (lines, others)]
    return len(kept[0]) == len(kept[1]) and all(
        one.text == other.text and max(abs(a - b) for a, b in zip(one.box.centre, other.box.centre, strict=True)) <= 2
        for one, other in zip(*(sorted(found, key=lambda line: line.box.centre[1]) for found in kept), strict=True)
    )


def _is_cut(box: Box, border: Box) -> bool:
    return 0 < box.intersection(border).area < box.area


def test_the_same_frame_again_is_not_read_again(draw: Draw) -> None:
    reader = Reader()
    frame = draw(("File", 10, 20), ("Edit", 110, 20))
    first = reader.read(frame)
    assert reader.read(Frame(frame.pixels.copy())) is first
