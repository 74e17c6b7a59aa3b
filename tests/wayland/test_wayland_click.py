"""Clicks and typed text reach a real program on a real compositor, at the very pixel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fingerpost.app.input.wlroots import Wlroots
from fingerpost.app.windowing.sway import Sway
from fingerpost.engine.errors import InputError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box

GREEN = (0, 192, 0)
Start = Callable[..., Any]

CONTROL = "4"


def test_a_click_arrives_at_the_asked_pixel(desktop: Start, card: Start, devices: Start) -> None:
    desktop()
    devices()
    program, pointer = card(), Wlroots()
    for (x, y), output, place in (
        ((0, 0), "HEADLESS-1", "0,0"),
        ((639, 479), "HEADLESS-1", "639,479"),
        ((300, 77), "HEADLESS-1", "300,77"),
        ((1280, 0), "HEADLESS-2", "0,0"),
        ((1280 + 501, 333), "HEADLESS-2", "501,333"),
        ((1280 + 799, 599), "HEADLESS-2", "799,599"),
    ):
        pointer.click(DesktopPoint(x, y))
        assert program.wait_for("press") == f"press {output} LeftButton {place} NoModifier"
        assert program.wait_for("release") == f"release {output} LeftButton {place} NoModifier"


def test_a_click_arrives_on_a_seat_without_a_mouse(desktop: Start, card: Start) -> None:
    desktop()
    program, pointer = card(), Wlroots()
    for x in range(10, 60, 10):
        pointer.click(DesktopPoint(1280 + x, 44))
        assert program.wait_for("press") == f"press HEADLESS-2 LeftButton {x},44 NoModifier"


def test_every_button_and_a_double_click(desktop: Start, card: Start) -> None:
    desktop()
    program, pointer = card(), Wlroots()
    for button, name in (("right", "RightButton"), ("middle", "MiddleButton")):
        pointer.click(DesktopPoint(50, 60), button)
        assert program.wait_for("press") == f"press HEADLESS-1 {name} 50,60 NoModifier"
        program.wait_for("release")
    pointer.click(DesktopPoint(90, 40), count=2)
    assert program.wait_for("press") == "press HEADLESS-1 LeftButton 90,40 NoModifier"
    assert program.wait_for("double") == "double HEADLESS-1 LeftButton 90,40 NoModifier"
    program.wait_for("release")


def test_a_move_presses_nothing(desktop: Start, card: Start) -> None:
    desktop()
    program, pointer = card(), Wlroots()
    pointer.move(DesktopPoint(1280 + 31, 41))
    assert program.wait_for("move HEADLESS-2") == "move HEADLESS-2 NoButton 31,41 NoModifier"
    assert pointer.position() is None
    assert not [line for line in program.waiting() if line.startswith("press")]


def test_a_click_on_a_turned_monitor(desktop: Start, card: Start) -> None:
    sway = desktop("HEADLESS-1 resolution 640x480 position 0,0 scale 1")
    program = card()
    for x, turned in enumerate(("90", "180", "flipped-270")):
        sway.ask("output", "HEADLESS-1", "transform", turned)
        sway.wait_for_colour(479 if "0" in turned and turned != "180" else 639, 100, GREEN)
        Wlroots().click(DesktopPoint(50 * x, 401))
        assert program.wait_for("press") == f"press HEADLESS-1 LeftButton {50 * x},401 NoModifier"


def test_a_point_between_the_monitors_is_refused_and_nothing_is_pressed(desktop: Start, card: Start) -> None:
    desktop()
    program = card()
    with pytest.raises(InputError, match="700,10 is on no monitor"):
        Wlroots().click(DesktopPoint(700, 10))
    Wlroots().click(DesktopPoint(5, 6))
    assert program.wait_for("press") == "press HEADLESS-1 LeftButton 5,6 NoModifier"


def test_a_modifier_that_is_held_does_not_change_the_click(desktop: Start, card: Start, devices: Start) -> None:
    desktop()
    program, keyboard = card(), devices()
    keyboard.tell(CONTROL)
    keyboard.wait_for("held")
    Wlroots().click(DesktopPoint(200, 50))
    assert program.wait_for("press") == "press HEADLESS-1 LeftButton 200,50 NoModifier"


def test_any_text_is_typed_into_the_field_that_was_clicked(desktop: Start, card: Start) -> None:
    desktop()
    program, keyboard = card(), Wlroots()
    keyboard.click(DesktopPoint(60, 165))
    text = "Grüße, Мир: 10 € 漢字 {a}"
    keyboard.type_text(text + "\t")
    assert program.wait_for(f"text {text!a}")


def test_more_different_characters_than_a_keyboard_has_keys_are_typed(desktop: Start, card: Start) -> None:
    desktop()
    program, keyboard = card(), Wlroots()
    keyboard.click(DesktopPoint(60, 165))
    text = "".join(chr(0x4E00 + number) for number in range(300))
    keyboard.type_text(text)
    assert program.wait_for(f"text {text!a}")


def test_typing_stops_when_it_is_told_to(desktop: Start, card: Start) -> None:
    desktop()
    program, keyboard = card(), Wlroots()
    keyboard.click(DesktopPoint(60, 165))
    answers = iter([False, True])
    keyboard.type_text("abcdefghijklmnop", stopped=lambda: next(answers))
    assert program.wait_for("text 'abcdefgh'")
    keyboard.type_text("!")
    assert program.wait_for("text") == "text 'abcdefgh!'"


def test_windows_are_told_with_their_places_in_physical_pixels(desktop: Start, card: Start) -> None:
    sway = desktop()
    card()
    windows = Sway()
    assert windows.problem() is None
    shown = {window.title: window for window in windows.visible_windows()}
    assert shown["Test card HEADLESS-2"].box == Box(1280, 0, 800, 600)
    found = windows.window_at(DesktopPoint(1290, 10))
    assert found is not None
    assert found.title == "Test card HEADLESS-2"
    assert any(name.startswith("python") for name in found.names)
    assert windows.window_at(DesktopPoint(1290, 10), ignore=[found.id]) is None
    assert windows.window_at(DesktopPoint(700, 10)) is None
    sway.ask("[title=HEADLESS-1]", "focus")
    active = windows.active_window()
    assert active is not None
    assert active.title == "Test card HEADLESS-1"
