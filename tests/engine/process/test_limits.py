"""When a process counts as hung or as crashed too often; time is made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.process.limits import CrashLog, Limits, Watch, limits_for

LIMITS = Limits(start_s=20.0, hang_s=6.0, silence_s=3.0, crashes=3, window_s=60.0)


def first_problem(watch: Watch, beats: bool, until_s: float) -> tuple[float, str] | None:
    """When something is wrong, in a process that beats or is silent but never gets further."""
    for tick in range(int(until_s / LIMITS.tick_s)):
        if beats:
            watch.heard()
        if problem := watch.problem(tick * LIMITS.tick_s):
            return tick * LIMITS.tick_s, problem
    return None


@pytest.mark.parametrize(
    ("loading", "beats", "seconds", "said"),
    [(False, True, 6.0, "6 seconds"), (False, False, 3.0, "respond"),
     (True, True, 20.0, "start"), (True, False, 20.0, "start")],
)  # fmt: skip
def test_each_limit_is_kept(loading: bool, beats: bool, seconds: float, said: str) -> None:
    watch = Watch(LIMITS)
    watch.progressed(loading)
    found = first_problem(watch, beats, 100.0)
    assert found is not None
    assert seconds < found[0] <= seconds + 2 * LIMITS.tick_s
    assert said in found[1]


def test_a_large_model_may_take_longer_to_load_and_to_work() -> None:
    assert limits_for("auto") == limits_for("lite") == Limits()
    large = limits_for("auto:model.gguf")
    assert large.start_s > Limits().start_s
    assert large.hang_s > Limits().hang_s
    assert large.silence_s == Limits().silence_s


def test_after_the_computer_slept_nothing_hangs() -> None:
    watch = Watch(LIMITS)
    watch.progressed()
    assert [watch.problem(now) for now in (0.0, 0.5, 9000.0, 9000.5)] == [None] * 4


def test_progress_and_rest_begin_anew() -> None:
    watch = Watch(LIMITS)
    for turn in range(10):
        watch.progressed() if turn % 2 else watch.rest()
        assert first_problem(watch, False, LIMITS.silence_s) is None


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=30).map(sorted))
def test_a_storm_is_as_many_crashes_as_allowed_within_the_window(times: list[float]) -> None:
    log = CrashLog(LIMITS)
    for i, now in enumerate(times):
        recent = [time for time in times[: i + 1] if now - time < LIMITS.window_s]
        assert log.record(now) == (len(recent) >= LIMITS.crashes)
