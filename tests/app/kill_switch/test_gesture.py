"""Two quick taps of Escape, and nothing else, are the kill switch."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.kill_switch.gesture import WITHIN_S, DoubleTap
from fingerpost.app.kill_switch.windows import DOWN_NOW, DOWN_SINCE, feed

GAPS = st.floats(min_value=0.01, max_value=2.0)


def taps(gesture: DoubleTap, times: list[float]) -> list[bool]:
    results = []
    for now in times:
        results.append(gesture.press(now))
        gesture.release()
    return results


@given(GAPS)
def test_the_second_tap_counts_when_it_comes_in_time(gap: float) -> None:
    assert taps(DoubleTap(), [10.0, 10.0 + gap]) == [False, 10.0 + gap - 10.0 <= WITHIN_S]


@given(st.integers(min_value=1, max_value=50))
def test_a_held_key_is_one_press_however_often_it_repeats(repeats: int) -> None:
    gesture = DoubleTap()
    assert not any(gesture.press(10.0 + i * 0.03) for i in range(repeats))


def test_another_key_between_begins_anew() -> None:
    gesture = DoubleTap()
    gesture.press(1.0)
    gesture.release()
    gesture.other()
    assert not gesture.press(1.1)
    gesture.release()
    assert gesture.press(1.2)


@given(st.lists(GAPS, min_size=2, max_size=12))
def test_every_press_belongs_to_one_gesture_only(gaps: list[float]) -> None:
    times = [sum(gaps[: i + 1]) for i in range(len(gaps))]
    results = taps(DoubleTap(), times)
    assert all(not (a and b) for a, b in pairwise(results))


def test_a_clock_that_jumps_back_completes_nothing() -> None:
    assert taps(DoubleTap(), [10.0, 9.9]) == [False, False]


def test_a_key_asked_for_now_and_then_is_heard_also_when_it_was_down_in_between_only() -> None:
    gesture = DoubleTap()
    assert not feed(gesture, DOWN_NOW | DOWN_SINCE, 1.00)
    assert not feed(gesture, DOWN_NOW, 1.02)
    assert not feed(gesture, 0, 1.04)
    assert feed(gesture, DOWN_SINCE, 1.10)
