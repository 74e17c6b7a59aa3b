"""Calls with a deadline: the result, the error, or `TimeoutError` while the call goes on by itself."""

from __future__ import annotations

import threading

import pytest

from fingerpost.engine.deadline import within


def test_the_result_is_returned_also_when_it_is_none() -> None:
    assert within(30, lambda: 7) == 7
    assert within(30, lambda: None) is None


@pytest.mark.parametrize("error", [ValueError("no"), TimeoutError("its own"), SystemExit(3)])
def test_what_the_call_raises_reaches_the_caller(error: BaseException) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        within(30, fail)
    assert caught.value is error


def test_a_call_that_does_not_return_is_left_behind_as_a_daemon() -> None:
    release = threading.Event()
    running: list[threading.Thread] = []

    def hang() -> None:
        running.append(threading.current_thread())
        release.wait()

    with pytest.raises(TimeoutError, match=r"no answer within 0\.05 seconds"):
        within(0.05, hang)
    assert running[0].is_alive()
    assert running[0].daemon
    release.set()
    running[0].join()
