from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fingerpost.engine.lite.elements import find_containers, find_elements
from fingerpost.engine.lite.scene import Container
from fingerpost.engine.values import Box, Frame


def containers_of(screen: Any) -> tuple[Container, ...]:
    scale = float(screen.scale)
    return find_containers(screen.frame, screen.lines, find_elements(screen.frame, screen.lines, scale), scale)


def draw_window(screen: Any, at: tuple[int, int], size: tuple[int, int], title: str) -> Box:
    """A window with a title bar 22 px high and three buttons at its right end."""
    (x, y), (width, height) = at, size
    box = screen.outlined(x, y, width, height, screen.theme.window)
    bar = screen.box(x + 1, y + 1, width - 2, 22)
    screen.fill(bar, screen.theme.accent)
    screen.text(title, x + width // 2 - 4 * len(title), y + 12)
    for i in range(3):
        screen.outlined(x + width - 60 + 18 * i, y + 5, 14, 14)
    return box


def draw_menu_bar(screen: Any, x: int, y: int) -> list[Box]:
    return [screen.text(word, x + 60 * i, y).box for i, word in enumerate(("File", "Edit", "View", "Help"))]


def named(found: tuple[Container, ...], kind: str) -> list[Container]:
    return [c for c in found if c.kind == kind]


def test_a_window_without_a_menu_bar_is_a_dialog_with_its_title(screen: Any) -> None:
    box = draw_window(screen, (200, 150), (400, 260), "Print")
    (dialog,) = named(containers_of(screen), "dialog")
    assert dialog.name == "Print"
    assert dialog.box.iou(box) > 0.9


def test_the_row_of_menus_is_a_menu_bar_as_wide_as_its_window(screen: Any) -> None:
    box = draw_window(screen, (100, 80), (600, 460), "letter.txt")
    entries = draw_menu_bar(screen, 112, 116)
    found = containers_of(screen)
    (bar,) = named(found, "menu bar")
    assert all(bar.box.contains(*entry.centre) for entry in entries)
    assert bar.box.width >= 0.95 * box.width
    assert named(found, "dialog") == []


def test_a_menu_bar_that_was_read_as_one_line_is_found(plain: Any) -> None:
    plain.text("File Edit View Insert Help", 10, 20)
    assert len(named(containers_of(plain), "menu bar")) == 1


def test_a_sentence_is_no_menu_bar(plain: Any) -> None:
    plain.text("The file was saved before", 10, 20)
    assert named(containers_of(plain), "menu bar") == []


def test_an_open_menu_is_named_by_its_entry(screen: Any) -> None:
    draw_menu_bar(screen, 12, 16)
    menu = screen.outlined(66, 28, 180, 150)
    for i, word in enumerate(("Cut", "Copy", "Paste")):
        screen.text(word, 84, 46 + 26 * i)
    screen.fill(screen.box(67, 118, 178, 1), screen.theme.border)
    screen.text("Preferences", 84, 140)
    (found,) = named(containers_of(screen), "menu")
    assert found.name == "Edit"
    assert found.box.iou(menu) > 0.9


def test_pictures_below_the_menu_bar_are_a_toolbar(plain: Any) -> None:
    draw_menu_bar(plain, 12, 16)
    icons = [plain.disc(14 + 36 * i, 40, 18, plain.theme.text, plain.theme.window) for i in range(3)]
    toolbars = named(containers_of(plain), "toolbar")
    assert any(all(bar.box.contains(*icon.centre) for icon in icons) for bar in toolbars)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 200), (200, 1), (300, 300)])
def test_an_empty_picture_has_no_containers(width: int, height: int) -> None:
    assert find_containers(Frame(np.zeros((height, width, 4), np.uint8)), (), ()) == ()


def test_boxes_lie_inside_the_frame(plain: Any) -> None:
    draw_window(plain, (-40, 150), (400, 600), "Settings")
    draw_menu_bar(plain, 4, 4)
    found = containers_of(plain)
    assert found
    assert all(c.box.intersection(plain.frame.box) == c.box for c in found)
