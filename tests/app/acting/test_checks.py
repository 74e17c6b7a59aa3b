"""The decisions before a click, on values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.acting.checks import check_order, check_pointer, check_window
from fingerpost.app.acting.confirmation import needs_confirmation
from fingerpost.app.acting.corners import in_corner, outer_corners
from fingerpost.app.acting.order import Order, Outcome
from fingerpost.app.settings.values import Settings
from fingerpost.app.windowing import WindowAt
from fingerpost.engine.geometry import DesktopPoint, Layout, Monitor
from fingerpost.engine.values import Answer, Box, Frame, FrameSize, Target

ONE = Layout((Monitor(1, "one", Box(0, 0, 1000, 800)),))
TWO = Layout((Monitor(1, "left", Box(-1000, 0, 1000, 800)), Monitor(2, "right", Box(0, 0, 1000, 600))))
WINDOW = WindowAt(7, "Notes", "noter", 42, Box(100, 100, 300, 200), names=frozenset({"noter", "python3"}))
TARGET = Target("Save", "button", 150, 120, Box(140, 110, 40, 20), 0.97, "text")
FRAME = Frame(np.zeros((800, 1000, 4), np.uint8))
ORDER = Order("click", TARGET, FRAME, WINDOW, DesktopPoint(500, 500), confirmed=True)
coordinates = st.builds(DesktopPoint, st.integers(-1000, 999), st.integers(0, 799))


def reason(outcome: Outcome | None) -> str | None:
    return outcome.reason.removeprefix("acting.") if outcome else None


def test_an_order_that_nobody_confirmed_is_refused() -> None:
    assert check_order(ORDER, ONE) is None
    assert reason(check_order(replace(ORDER, confirmed=False), ONE)) == "unconfirmed"


def test_a_place_outside_of_the_picture_or_of_all_monitors_is_refused() -> None:
    assert reason(check_order(replace(ORDER, target=replace(TARGET, x=1000)), ONE)) == "outside"
    assert reason(check_order(replace(ORDER, target=replace(TARGET, y=-1)), ONE)) == "outside"
    below_the_lower_right = Frame(FRAME.pixels, origin=(0, 500))
    assert reason(check_order(replace(ORDER, frame=below_the_lower_right), TWO)) == "outside"


@given(coordinates, st.integers(-2, 2), st.integers(-2, 2))
def test_a_jitter_of_two_pixels_is_no_movement(before: DesktopPoint, dx: int, dy: int) -> None:
    outcome = check_pointer(before, DesktopPoint(before.x + dx, before.y + dy), TWO)
    assert outcome is None or outcome.reason == "acting.corner"


@given(coordinates, coordinates)
def test_any_real_movement_stops_or_refuses(before: DesktopPoint, now: DesktopPoint) -> None:
    far = max(abs(before.x - now.x), abs(before.y - now.y)) > 2
    assert (check_pointer(before, now, TWO) is not None) == far or in_corner(now, TWO)


def test_a_pointer_thrown_into_a_corner_stops_but_one_that_was_there_already_does_not() -> None:
    corner = DesktopPoint(0, 0)
    assert check_pointer(DesktopPoint(500, 500), corner, ONE) == Outcome("stopped", "acting.corner")
    assert check_pointer(corner, corner, ONE) is None
    assert reason(check_pointer(corner, DesktopPoint(40, 0), ONE)) == "pointer_moved"


def test_where_the_system_tells_no_pointer_nothing_is_refused_for_it() -> None:
    assert check_pointer(None, DesktopPoint(0, 0), ONE) is None
    assert check_pointer(DesktopPoint(0, 0), None, ONE) is None


def test_one_monitor_has_four_outer_corners_and_two_beside_each_other_have_no_inner_ones_at_the_top() -> None:
    assert outer_corners(ONE) == {DesktopPoint(x, y) for x in (0, 999) for y in (0, 799)}
    top = {point.x for point in outer_corners(TWO) if point.y == 0}
    assert top == {-1000, 999}
    assert DesktopPoint(-1, 799) in outer_corners(TWO), "the lower end of the step between them"


layouts = st.lists(
    st.builds(Box, st.integers(-3, 3), st.integers(-3, 3), st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=4
).map(
    lambda boxes: Layout(
        tuple(Monitor(n, "m", Box(b.x * 100, b.y * 100, b.width * 100, b.height * 100)) for n, b in enumerate(boxes, 1))
    )
)


@given(layouts)
def test_the_outermost_corners_of_any_desktop_are_outer_ones_and_all_lie_on_a_monitor(layout: Layout) -> None:
    corners = outer_corners(layout)
    assert all(layout.monitor_at(corner) for corner in corners)
    leftmost = min(monitor.box.x for monitor in layout.monitors)
    highest = min(monitor.box.y for monitor in layout.monitors if monitor.box.x == leftmost)
    assert any(corner.x == leftmost for corner in corners), "a pointer thrown left always ends in one, or slides"
    assert in_corner(DesktopPoint(leftmost, highest), layout)


def test_the_same_window_at_the_same_place_may_be_clicked_whatever_its_title() -> None:
    assert check_window(WINDOW, replace(WINDOW, title="*Notes (3)")) is None
    assert check_window(None, None) is None


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (WINDOW, replace(WINDOW, id=8), "window_changed"),
        (WINDOW, None, "window_changed"),
        (None, WINDOW, "window_changed"),
        (WINDOW, replace(WINDOW, box=WINDOW.box.moved(1, 0)), "window_moved"),
        (WINDOW, replace(WINDOW, box=Box(100, 100, 300, 201)), "window_moved"),
        (WINDOW, replace(WINDOW, elevated=True), "elevated"),
    ],
)
def test_another_moved_or_elevated_window_is_refused(
    before: WindowAt | None, now: WindowAt | None, expected: str
) -> None:
    assert reason(check_window(before, now)) == expected


def answer(confidence: float = 0.97, found: bool = True, ambiguous: bool = False, count: int = 1) -> Answer:
    targets = (replace(TARGET, confidence=confidence),) * count
    return Answer(found, ambiguous, "lite", 10.0, FrameSize(1000, 800), targets)


def test_by_default_every_click_is_confirmed() -> None:
    assert needs_confirmation(Settings(), WINDOW, answer())
    assert needs_confirmation(Settings(allowed_apps=("",)), replace(WINDOW, app=""), answer())


def test_in_an_allowed_program_only_a_certain_answer_needs_none() -> None:
    allowed = Settings(allowed_apps=(" Noter ",))
    assert not needs_confirmation(allowed, WINDOW, answer())
    assert needs_confirmation(allowed, WINDOW, answer(confidence=0.8))
    assert needs_confirmation(allowed, WINDOW, answer(ambiguous=True))
    assert needs_confirmation(allowed, WINDOW, answer(found=False))
    assert needs_confirmation(allowed, WINDOW, answer(count=0))
    assert needs_confirmation(allowed, None, answer())
    assert needs_confirmation(allowed, replace(WINDOW, app="other", names=frozenset()), answer())
