"""The whole lite engine on a screenshot of real applications."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fingerpost.engine import pictures
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.values import Answer, Box, Frame, Query

RIGHT = (
    ("Wrap around", Box(535, 440, 105, 26)),
    ("the Document menu in the menu bar", Box(215, 64, 68, 24)),
    ("the Replace with field", Box(449, 398, 287, 34)),
    ("the field below Search for", Box(449, 398, 287, 34)),
    ("the check box Match whole word", Box(339, 502, 140, 22)),
    ("press the 7 button", Box(901, 202, 43, 29)),
    ("the button “Replace”", Box(568, 596, 85, 33)),
    ("Regular expresion", Box(339, 530, 145, 22)),
    ("preferences", Box(960, 62, 56, 20)),
    ("der Knopf Close", Box(657, 596, 85, 33)),
    ("la casilla Match case", Box(339, 476, 95, 22)),
    ("o botão Find", Box(479, 596, 85, 33)),
    ("the list entry Network", Box(843, 606, 147, 18)),
    ("Beenden", None),
    ("the reload icon", None),
    ("the Export tab", None),
    ("Xyzzy", None),
)

DRAWN = frozenset({"button", "check box", "radio button", "field", "combo", "spin", "menu", "tab"})
"""Kinds whose boxes are drawn ones, and not those of a text."""


@pytest.fixture(scope="module")
def frame(screenshot: Path) -> Frame:
    return pictures.load(screenshot)


def ask(lite: LiteEngine, frame: Frame, text: str) -> Answer:
    return lite.find(frame, Query(text))


@pytest.mark.parametrize(("text", "box"), RIGHT)
def test_what_is_there_is_found_and_what_is_not_is_not(
    lite: LiteEngine, frame: Frame, text: str, box: Box | None
) -> None:
    answer = ask(lite, frame, text)
    assert answer.found == (box is not None)
    if box is not None:
        target = answer.targets[0]
        assert box.contains(target.x, target.y), target
        assert target.box.contains(target.x, target.y)
        assert 0 < target.confidence <= 1
    else:
        assert not answer.targets
        assert answer.reason.endswith(".")


def test_equal_places_are_ambiguous_and_a_number_decides(lite: LiteEngine, frame: Frame) -> None:
    every = ask(lite, frame, "the Edit menu")
    assert every.ambiguous
    assert len(every.targets) >= 3
    assert every.reason
    chosen = [ask(lite, frame, f"the {number} Edit menu from the left") for number in ("first", "second", "third")]
    assert not any(answer.ambiguous for answer in chosen)
    xs = [answer.targets[0].x for answer in chosen]
    assert xs == sorted(set(xs))
    assert ask(lite, frame, "the last Edit menu from the left").targets[0].x == max(t.x for t in every.targets[:3])
    assert not ask(lite, frame, "the ninth Edit menu").found


def test_the_same_frame_is_not_read_again(lite: LiteEngine, frame: Frame) -> None:
    copy = Frame(frame.pixels.copy())
    assert lite.see(frame) is lite.see(copy)


def test_a_changed_screen_gives_the_answer_of_a_fresh_engine(frame: Frame) -> None:
    changed = frame.pixels.copy()
    changed[400:430, 340:440] = changed[366:396, 340:440]  # the label "Replace with:" becomes "Search for:"
    used = LiteEngine()
    used.see(frame)
    after, fresh = used.see(Frame(changed)), LiteEngine().see(Frame(changed))
    assert sorted(line.text for line in after.lines) == sorted(line.text for line in fresh.lines)
    assert {(e.kind, e.box) for e in after.elements if e.kind in DRAWN} == {
        (e.kind, e.box) for e in fresh.elements if e.kind in DRAWN
    }
    assert not ask(used, Frame(changed), "the Replace with field").found


@pytest.mark.parametrize("shape", [(1, 1), (1, 400), (400, 1), (200, 20000)])
def test_pictures_of_any_shape_are_answered(lite: LiteEngine, shape: tuple[int, int]) -> None:
    answer = ask(lite, Frame(np.full((*shape, 4), 200, np.uint8)), "Save")
    assert not answer.found
    assert (answer.frame.height, answer.frame.width) == shape


def test_the_screen_at_twice_the_size_gives_the_same_answers(lite: LiteEngine, frame: Frame) -> None:
    double = Frame(np.ascontiguousarray(frame.pixels.repeat(2, axis=0).repeat(2, axis=1)))
    assert lite.see(double).ui_scale == 2.0
    for text, box in (RIGHT[0], RIGHT[2], RIGHT[6]):
        assert box is not None
        target = ask(lite, double, text).targets[0]
        assert box.contains(target.x // 2, target.y // 2), text


def test_a_view_into_a_larger_picture_is_read_like_its_copy(lite: LiteEngine, frame: Frame) -> None:
    view = frame.pixels[::-1, 100:1100][::-1]
    assert not view.flags.c_contiguous
    assert LiteEngine().see(Frame(view)) == lite.see(Frame(view.copy()))
