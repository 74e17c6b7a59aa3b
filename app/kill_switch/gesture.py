"""Two quick taps of one key among all other keys: the arithmetic of the kill switch, without any system."""

from __future__ import annotations

WITHIN_S = 0.5
"""From the first press to the second; a slow second press is a new first one."""


class DoubleTap:
    """Fed with every key event of the keyboard; `press` and `release` of the watched key, `other` for all others.

    Only two separate presses count: a held key repeats its press without a release between. Another key in between
    begins anew, so that Escape at the end of one word and the start of the next is nothing.
    """

    def __init__(self, within_s: float = WITHIN_S) -> None:
        self._within_s = within_s
        self._first: float | None = None
        self._down = False

    def press(self, now: float) -> bool:
        """The watched key went down at `now` (seconds of any clock that only goes up). True: this completes it."""
        if self._down:
            return False  # the keyboard repeats a held key
        self._down = True
        complete = self._first is not None and 0 <= now - self._first <= self._within_s
        self._first = None if complete else now
        return complete

    def release(self) -> None:
        """The watched key went up."""
        self._down = False

    def other(self) -> None:
        """Any other key went down."""
        self._first = None
