"""Numbers and labels stay on the screen, beside their target, and hide no other target."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from fingerpost.app.desktop.overlay import Mark, OverlayLook
from fingerpost.app.desktop.overlay.painting import signs
from fingerpost.app.desktop.overlay.placement import grown, place, ring
from fingerpost.engine.geometry import DesktopPoint, Monitor
from fingerpost.engine.values import Box

GAP, LINE = 2, 5


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> QApplication:
    """Fonts need one."""
    return qapp


@st.composite
def monitors(draw: st.DrawFn) -> Monitor:
    origin, side = st.integers(-4000, 4000), st.integers(600, 3000)
    box = Box(draw(origin), draw(origin), draw(side), draw(side))
    return Monitor(1, "one", box, draw(st.sampled_from([1.0, 1.25, 1.5, 2.0])))


@st.composite
def boxes_on(draw: st.DrawFn, monitor: Box) -> Box:
    width, height = draw(st.integers(6, 160)), draw(st.integers(6, 60))
    x = draw(st.integers(monitor.x, monitor.right - width))
    y = draw(st.integers(monitor.y, monitor.bottom - height))
    return Box(x, y, width, height)


def mark(box: Box, number: int, certain: bool = False) -> Mark:
    return Mark(box, DesktopPoint(*box.centre), number, certain, f"Target {number}", 0.5, 90.0)


def inside(box: Box, area: Box) -> bool:
    return box.intersection(area) == box


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_signs_are_on_the_screen_and_hide_no_other_target(data: st.DataObject) -> None:
    monitor = data.draw(monitors())
    boxes = data.draw(st.lists(boxes_on(monitor.box), min_size=1, max_size=9))
    marks = [mark(box, number) for number, box in enumerate(boxes, 1)]
    badges, label = signs(monitor, marks, OverlayLook(active=0))
    assert set(badges) == set(range(len(marks)))
    assert label is not None
    shown = [*((index, badge.box) for index, badge in badges.items()), (0, label.box)]
    for index, box in shown:
        assert inside(box, monitor.box)
        for other, target in enumerate(boxes):
            if other != index and target.intersection(boxes[index]) != boxes[index]:
                assert box.intersection(target).area == 0
    for one, (_, box) in enumerate(shown):
        assert [other for _, other in shown[one + 1 :] if box.intersection(other).area] == []


@given(st.data())
@settings(deadline=None, max_examples=25)
def test_numbers_stay_where_they_are_when_another_target_is_chosen(data: st.DataObject) -> None:
    monitor = data.draw(monitors())
    boxes = data.draw(st.lists(boxes_on(monitor.box), min_size=2, max_size=5))
    marks = [mark(box, number) for number, box in enumerate(boxes, 1)]
    places = [signs(monitor, marks, OverlayLook(active=active))[0] for active in range(len(marks))]
    assert all(found == places[0] for found in places)


@given(st.data())
@settings(deadline=None, max_examples=25)
def test_a_free_place_is_found_wherever_it_is(data: st.DataObject) -> None:
    """All of the screen is taken but one spot that is large enough."""
    screen = Box(0, 0, 800, 600)
    x, y = data.draw(st.integers(0, 720)), data.draw(st.integers(0, 560))
    taken = [Box(0, 0, 800, y), Box(0, y + 40, 800, 560 - y), Box(0, y, x, 40), Box(x + 80, y, 720 - x, 40)]
    found = place((20, 10), Box(400, 300, 10, 10), screen, taken)
    assert sum(found.intersection(box).area for box in taken) == 0


def test_a_full_screen_leaves_the_place_that_hides_least() -> None:
    screen = Box(0, 0, 400, 300)
    found = place((20, 20), Box(100, 100, 50, 20), screen, [screen])
    assert inside(found, screen)
    assert found.intersection(Box(100, 100, 50, 20)).area == 0


@given(st.data())
def test_a_ring_is_as_far_from_its_target_as_the_screen_allows(data: st.DataObject) -> None:
    screen = data.draw(monitors()).box
    box = data.draw(boxes_on(screen))
    found = ring(box, screen, GAP, LINE)
    assert inside(grown(found, LINE), screen)
    deep = grown(screen, -(GAP + LINE))
    if inside(box, deep):
        assert found == grown(box, GAP)


def test_a_ring_goes_on_beyond_the_edge_with_its_target() -> None:
    assert ring(Box(90, 10, 30, 20), Box(0, 0, 100, 100), GAP, LINE) == Box(88, 8, 34, 24)


def test_a_single_certain_target_needs_no_number_and_a_guess_has_a_question_mark() -> None:
    monitor = Monitor(1, "one", Box(0, 0, 800, 600))
    alone = signs(monitor, [mark(Box(100, 100, 40, 20), 1, certain=True)], OverlayLook())[0]
    guess = signs(monitor, [mark(Box(100, 100, 40, 20), 1)], OverlayLook())[0]
    two = signs(monitor, [mark(Box(100, 100, 40, 20), 1), mark(Box(300, 100, 40, 20), 2, certain=True)], OverlayLook())[
        0
    ]
    assert alone == {}
    assert [badge.words for badge in guess.values()] == ["?"]
    assert [badge.words for badge in two.values()] == ["1?", "2"]


def test_only_the_monitor_with_the_point_shows_number_and_label() -> None:
    left, right = Monitor(1, "l", Box(0, 0, 500, 500)), Monitor(2, "r", Box(500, 0, 500, 500))
    across = mark(Box(450, 100, 120, 30), 1)
    assert across.point == DesktopPoint(510, 115)
    assert signs(left, [across], OverlayLook()) == ({}, None)
    badges, label = signs(right, [across], OverlayLook())
    assert len(badges) == 1
    assert label is not None
