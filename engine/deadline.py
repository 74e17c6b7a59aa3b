"""Calls that may never return: an X server that was stopped, a display on a host that is down, a driver that hangs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def within(seconds: float, action: Callable[[], Result]) -> Result:
    """What `action` returns or raises; `TimeoutError` when it is not done in time.

    It runs on a thread of its own, which is left behind when it is late. A thread inside native code cannot be
    ended, but as a daemon it does not keep the program from leaving; those of `concurrent.futures` would.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(action())
        except BaseException as error:  # a SystemExit, too, belongs to the caller
            errors.append(error)

    thread = threading.Thread(target=run, name="fingerpost-deadline", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError(f"no answer within {seconds:g} seconds")
    if errors:
        raise errors[0]
    return results[0]
