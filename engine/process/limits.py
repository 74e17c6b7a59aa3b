"""When the engine's process counts as hung, and when it has crashed too often. Pure: time is given, not asked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """All in seconds but `crashes`.

    start_s    loading the engine may take this long
    hang_s     one step of work (reading a frame, answering a query) may take this long
    silence_s  a process that has work may be silent this long; it beats `beat_s` apart
    crashes    so many ends within `window_s` are too many: it is not started again by itself
    """

    start_s: float = 120.0
    hang_s: float = 30.0
    silence_s: float = 10.0
    beat_s: float = 1.0
    crashes: int = 3
    window_s: float = 60.0

    @property
    def tick_s(self) -> float:
        """How often to look whether the process hangs, while it works."""
        return min(self.hang_s, self.silence_s, self.start_s, 2.0) / 4


PATIENT = Limits(start_s=600.0, hang_s=300.0)
"""For a large model: it is read from a slow disk for minutes, and one batch may take a processor minutes, too."""


def limits_for(engine: str) -> Limits:
    """Of an engine, by its name as `finder.make_engine` takes it."""
    return PATIENT if ":" in engine else Limits()


class Watch:
    """Measures how long the process has been silent and how long it has been at one step.

    Only time in which this program itself ran is counted: after the computer slept, nothing hangs.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._last: float | None = None
        self._silent = 0.0
        self._step = 0.0
        self._loading = True

    def heard(self) -> None:
        """The process said anything at all."""
        self._silent = 0.0

    def progressed(self, loading: bool = False) -> None:
        """The process began something new."""
        self._silent = self._step = 0.0
        self._loading = loading

    def rest(self) -> None:
        """There is nothing to do: silence is right."""
        self._last = None
        self.progressed()

    def problem(self, now: float) -> str | None:
        """What is wrong, to be put after "The engine"; None while all is well. Call it every `Limits.tick_s`."""
        passed = 0.0 if self._last is None else min(now - self._last, 2 * self._limits.tick_s)
        self._last = now
        self._silent += passed
        self._step += passed
        if self._loading:
            return "did not start in time" if self._step > self._limits.start_s else None
        if self._step > self._limits.hang_s:
            return f"was not done after {self._limits.hang_s:g} seconds"
        if self._silent > self._limits.silence_s:
            return "did not respond any more"
        return None


class CrashLog:
    """Tells a storm of crashes from single ones."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._times: list[float] = []

    def record(self, now: float) -> bool:
        """Notes a crash; whether it is one too many."""
        self._times = [time for time in self._times if now - time < self._limits.window_s] + [now]
        return len(self._times) >= self._limits.crashes
