"""Which mark belongs to a caption, where programs have told some of them."""

from __future__ import annotations

from fingerpost.engine.lite.choice_marks import mark_of
from fingerpost.engine.lite.scene import Element, Scene, TextLine
from fingerpost.engine.values import Box, FrameSize

CAPTION = Box(325, 305, 70, 20)
CHECK_BOX = frozenset({"check box"})


def scene(*elements: Element) -> Scene:
    line = TextLine("Match case", CAPTION, 1.0, tuple(range(10)))
    return Scene(FrameSize(800, 600), (line,), elements, (), 1.0)


def test_a_told_choice_around_the_caption_is_its_own_whatever_else_is_in_the_row() -> None:
    told = Element(Box(300, 300, 100, 30), "check box", 1.0, "Match case")
    neighbour = Element(Box(400, 300, 150, 30), "check box", 1.0, "Regular expression")
    before = Element(Box(276, 303, 22, 22), "check box", 0.8)
    assert mark_of(scene(before, neighbour, told), CAPTION, CHECK_BOX) == told


def test_a_square_that_has_a_name_of_its_own_is_no_mark() -> None:
    square = Box(300, 305, 20, 20)
    assert mark_of(scene(Element(square, "button", 1.0, "Up")), CAPTION, CHECK_BOX) is None
    assert mark_of(scene(Element(square, "button", 0.7)), CAPTION, CHECK_BOX) == Element(square, "check box", 0.7)
