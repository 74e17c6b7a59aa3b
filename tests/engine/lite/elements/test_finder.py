from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.lite.elements import find_elements
from fingerpost.engine.lite.scene import KINDS, Element
from fingerpost.engine.values import Box, Frame


def elements_of(screen: Any) -> tuple[Element, ...]:
    return find_elements(screen.frame, screen.lines, float(screen.scale))


def best(elements: tuple[Element, ...], box: Box) -> Element:
    return max(elements, key=lambda e: e.box.iou(box))


def found(screen: Any, box: Box, tolerance: float = 0.85) -> str:
    """The kind of the element that has this box."""
    element = best(elements_of(screen), box)
    assert element.box.iou(box) >= tolerance, (element, box)
    return element.kind


def test_an_outlined_box_with_centred_text_is_a_button_with_an_exact_box(screen: Any) -> None:
    box = screen.button("Cancel", 100, 200)
    assert found(screen, box, 0.93) == "button"


def test_a_wide_empty_outlined_box_is_a_field(screen: Any) -> None:
    screen.text("Name:", 40, 115)
    box = screen.outlined(120, 100, 300, 30)
    assert found(screen, box, 0.93) == "field"


def test_a_box_with_text_at_its_left_end_is_a_field(screen: Any) -> None:
    box = screen.outlined(120, 100, 300, 30)
    screen.text("report.txt", 128, 115)
    assert found(screen, box) == "field"


def test_an_arrow_at_the_right_end_makes_a_combo_box(screen: Any) -> None:
    box = screen.outlined(120, 100, 180, 30)
    screen.text("Medium", 130, 115)
    screen.arrow(280, 112)
    assert found(screen, box) == "combo"


def test_an_arrow_button_beside_a_field_is_part_of_the_combo_box(screen: Any) -> None:
    left, right = screen.outlined(120, 100, 200, 30), screen.outlined(319, 100, 28, 30)
    screen.arrow(329, 113)
    assert found(screen, left.union(right)) == "combo"


def test_two_stacked_arrows_make_a_spin_box(screen: Any) -> None:
    box = screen.outlined(120, 100, 100, 32)
    screen.text("25", 130, 116)
    screen.arrow(202, 105, up=True)
    screen.arrow(202, 121)
    assert found(screen, box) == "spin"


def test_minus_and_plus_buttons_make_a_spin_box(screen: Any) -> None:
    box = screen.outlined(120, 100, 60, 32)
    for x in (179, 210):
        box = box.union(screen.outlined(x, 100, 32, 32))
        screen.fill(screen.box(x + 10, 115, 11, 2), screen.theme.text)
    screen.fill(screen.box(224, 111, 2, 11), screen.theme.text)
    assert found(screen, box) == "spin"


@pytest.mark.parametrize("ticked", [False, True])
def test_a_small_square_before_a_caption_is_a_check_box(screen: Any, ticked: bool) -> None:
    box = screen.outlined(100, 100, 16, 16, screen.theme.accent if ticked else None)
    screen.text("Match case", 124, 108)
    assert found(screen, box, 0.75) == "check box"


@pytest.mark.parametrize("chosen", [False, True])
def test_a_small_disc_before_a_caption_is_a_radio_button(screen: Any, chosen: bool) -> None:
    box = screen.disc(
        100, 100, 16, screen.theme.accent if chosen else screen.theme.border, None if chosen else screen.theme.base
    )
    screen.text("All pages", 124, 108)
    assert found(screen, box, 0.75) == "radio button"


def test_a_mark_that_the_ocr_read_as_a_letter_is_still_a_mark(plain: Any) -> None:
    box = plain.disc(100, 100, 16, plain.theme.border, plain.theme.base)
    caption = plain.text("All pages", 124, 108)
    whole = caption.box.union(box)
    plain.lines = [type(caption)("O" + caption.text, whole, 0.9, (108.0, *caption.char_x))]
    assert found(plain, box, 0.75) == "radio button"


def test_a_square_without_a_caption_is_not_called_a_check_box(plain: Any) -> None:
    plain.outlined(100, 100, 16, 16)
    assert not [e for e in elements_of(plain) if e.kind == "check box"]


def test_a_knob_on_a_trough_is_a_slider_of_the_whole_length(screen: Any) -> None:
    trough = screen.outlined(100, 106, 300, 5)
    screen.disc(180, 100, 17, screen.theme.border, screen.theme.base)
    element = best(elements_of(screen), Box(trough.x, 100 * screen.scale, trough.width, 17 * screen.scale))
    assert element.kind == "slider"
    assert abs(element.box.x - trough.x) <= 3 * screen.scale
    assert abs(element.box.right - trough.right) <= 3 * screen.scale


def test_a_standing_slider_is_found_too(plain: Any) -> None:
    trough = plain.outlined(106, 100, 5, 300)
    plain.outlined(101, 180, 15, 15)
    sliders = [e for e in elements_of(plain) if e.kind == "slider"]
    assert len(sliders) == 1
    assert sliders[0].box.height >= 0.95 * trough.height


def test_touching_boxes_with_centred_texts_on_a_page_border_are_tabs(screen: Any) -> None:
    screen.fill(screen.box(40, 129, 500, 1), screen.theme.border)
    boxes = [screen.button(words, 50 + 99 * i, 100, 100) for i, words in enumerate(("Video", "Audio", "Synchronise"))]
    assert [found(screen, box) for box in boxes] == ["tab"] * 3


def test_texts_of_which_one_is_underlined_by_a_bar_are_tabs(screen: Any) -> None:
    for i, words in enumerate(("General", "Layout", "Shortcuts")):
        screen.text(words, 60 + 110 * i, 100)
    width = round(screen.lines[1].box.width / screen.scale)
    screen.fill(screen.box(160, 114, width + 20, 3), screen.theme.accent)
    tabs = [e for e in elements_of(screen) if e.kind == "tab"]
    assert len(tabs) == 3
    assert all(tab.box.contains(*line.box.centre) for tab, line in zip(tabs, screen.lines, strict=True))


def test_touching_boxes_with_texts_at_the_left_are_column_headers(plain: Any) -> None:
    boxes = [plain.outlined(50 + 149 * i, 100, 150, 24) for i in range(3)]
    for i, words in enumerate(("Name", "Size", "Changed")):
        plain.text(words, 56 + 149 * i, 112)
    assert [found(plain, box) for box in boxes] == ["column header"] * 3


def test_the_boxes_of_a_table_are_cells(plain: Any) -> None:
    boxes = [plain.outlined(50 + 79 * i, 100 + 19 * j, 80, 20) for j in range(6) for i in range(5)]
    assert {found(plain, box) for box in boxes} == {"cell"}


def test_a_line_in_blue_is_a_link(links: Any) -> None:
    link = links.text("Download this manual", 60, 100)
    assert [(e.kind, e.box) for e in elements_of(links)] == [("link", link.box)]


def test_a_drawing_without_outline_is_an_icon(screen: Any) -> None:
    box = screen.disc(100, 100, 18, screen.theme.text, screen.theme.window)
    screen.fill(screen.box(107, 104, 4, 10), screen.theme.accent)
    assert found(screen, box, 0.7) == "icon"


def test_text_is_no_icon(plain: Any) -> None:
    plain.text("A sentence about nothing much", 60, 100)
    assert elements_of(plain) == ()


def test_without_lines_of_text_outlines_are_found_all_the_same(plain: Any) -> None:
    box = plain.button("Cancel", 100, 200)
    elements = find_elements(plain.frame, ())
    assert best(elements, box).box.iou(box) > 0.93


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 300), (300, 1), (2, 2), (20000, 200)])
def test_pictures_of_odd_sizes_hold_nothing(width: int, height: int) -> None:
    assert find_elements(Frame(np.full((height, width, 4), 90, np.uint8)), ()) == ()


def test_the_same_frame_gives_the_same_elements_and_stays_unchanged(plain: Any) -> None:
    plain.button("Cancel", 100, 200)
    before = plain.pixels.copy()
    assert elements_of(plain) == elements_of(plain)
    assert np.array_equal(before, plain.pixels)


@given(st.integers(0, 2**32 - 1), st.integers(1, 200), st.integers(1, 200))
@settings(max_examples=25, deadline=None)
def test_boxes_of_any_picture_lie_inside_it(seed: int, width: int, height: int) -> None:
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, 255, (height // 12 + 1, width // 12 + 1, 4), np.uint8)
    frame = Frame(np.ascontiguousarray(blocks.repeat(12, 0).repeat(12, 1)[:height, :width]))
    for element in find_elements(frame, ()):
        assert element.box.area > 0
        assert element.box.intersection(frame.box) == element.box
        assert element.kind in {*KINDS, "box"}
        assert 0 < element.score <= 1


@given(dx=st.integers(0, 300), dy=st.integers(0, 200))
@settings(max_examples=15, deadline=None)
def test_a_moved_screen_has_the_same_elements_moved(new_screen: Any, dx: int, dy: int) -> None:
    def draw(x: int, y: int) -> Any:
        screen = new_screen()
        screen.button("Cancel", 60 + x, 60 + y)
        screen.outlined(60 + x, 120 + y, 200, 30)
        screen.outlined(60 + x, 180 + y, 16, 16)
        screen.text("Match case", 84 + x, 188 + y)
        screen.disc(200 + x, 60 + y, 20, screen.theme.text, screen.theme.window)
        return screen

    still, moved = elements_of(draw(0, 0)), elements_of(draw(dx, dy))
    assert {(e.kind, e.box.moved(dx, dy)) for e in still} == {(e.kind, e.box) for e in moved}
