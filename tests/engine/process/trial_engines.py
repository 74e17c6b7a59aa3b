"""Engines that misbehave on demand, loaded by name in the engine's process. What they do is said in the query."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable

import numpy as np

from fingerpost.engine.errors import EngineError
from fingerpost.engine.values import Answer, Box, Frame, Query, Target

Progress = Callable[[float], bool]


class TrialEngine:
    """Answers with the frame's first pixel, its process and how often it looked; obeys the query's first word."""

    name = "trial"

    def __init__(self) -> None:
        self.looks = 0

    def see(self, frame: Frame) -> None:
        self.looks += 1

    def find(self, frame: Frame, query: Query, accessible: tuple[object, ...] = ()) -> Answer:
        verb, _, rest = query.text.partition(" ")
        misdeed = MISDEEDS.get(verb)
        if misdeed:
            misdeed(rest)
        blue = int(frame.pixels[0, 0, 0]) if frame.pixels.size else -1
        label = f"{query.text}|{blue}|{os.getpid()}|{self.looks}|{len(accessible)}"
        return Answer(
            True, False, self.name, 0.0, frame.size, (Target(label, "text", 1, 1, Box(0, 0, 2, 2), 1.0, "text"),)
        )


def abort(_: str) -> None:
    os.abort()


def leave(status: str) -> None:
    os._exit(int(status))


def kill(_: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stop(_: str) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def run_out_of_memory(_: str) -> None:
    raise MemoryError


def fail(_: str) -> None:
    raise ValueError("nothing there\nof any use")


def wait(seconds: str) -> None:
    time.sleep(float(seconds))


def block(_: str) -> None:
    """Native code that never lets other threads run."""
    ctypes.PyDLL(None).sleep(600)


def once(path_and_deed: str) -> None:
    """Does something only when nobody has left a file there yet."""
    path, _, deed = path_and_deed.partition(" ")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    verb, _, rest = deed.partition(" ")
    MISDEEDS[verb](rest)


MISDEEDS = {
    "abort": abort, "leave": leave, "kill": kill, "stop": stop, "memory": run_out_of_memory, "fail": fail,
    "wait": wait, "block": block, "once": once,
}  # fmt: skip


def trial(name: str, threads: int, progress: Progress) -> TrialEngine:
    return TrialEngine()


class Blind(TrialEngine):
    """Dies when it sees anything."""

    def see(self, frame: Frame) -> None:
        os._exit(9)


def blind(name: str, threads: int, progress: Progress) -> TrialEngine:
    return Blind()


class Slow(TrialEngine):
    """Takes its time to see."""

    def see(self, frame: Frame) -> None:
        super().see(frame)
        time.sleep(0.3)


def slow(name: str, threads: int, progress: Progress) -> TrialEngine:
    return Slow()


def stillborn(name: str, threads: int, progress: Progress) -> TrialEngine:
    os._exit(7)


def refusing(name: str, threads: int, progress: Progress) -> TrialEngine:
    raise EngineError(f"There is no engine called {name!r}.", "Choose another.")


def large(name: str, threads: int, progress: Progress) -> TrialEngine:
    """Loads as llama.cpp does: each little piece is told."""
    for piece in range(201):
        assert progress(piece / 200)
        time.sleep(0.005)
    return TrialEngine()


def broken(name: str, threads: int, progress: Progress) -> TrialEngine:
    raise ImportError("a library is missing")


def sleeping(name: str, threads: int, progress: Progress) -> TrialEngine:
    time.sleep(600)
    return TrialEngine()


class Telling(TrialEngine):
    """Answers with what it is made to tell."""

    def __init__(self, tell: Callable[[Frame], str]) -> None:
        super().__init__()
        self._tell = tell

    def find(self, frame: Frame, query: Query, accessible: tuple[object, ...] = ()) -> Answer:
        target = Target(self._tell(frame), "text", 1, 1, Box(0, 0, 2, 2), 1.0, "text")
        return Answer(True, False, self.name, 0.0, frame.size, (target,))


def geometry(name: str, threads: int, progress: Progress) -> TrialEngine:
    def tell(frame: Frame) -> str:
        total = int(frame.pixels.astype(np.int64).sum())
        return f"{total} {frame.origin} {frame.scale} {frame.title} {frame.pixels.flags.writeable}"

    return Telling(tell)


def loaded(name: str, threads: int, progress: Progress) -> TrialEngine:
    return Telling(lambda frame: str([name for name in ("PySide6", "cv2", "onnxruntime") if name in sys.modules]))


class Two(TrialEngine):
    """Finds two places that fit equally well."""

    def find(self, frame: Frame, query: Query, accessible: tuple[object, ...] = ()) -> Answer:
        boxes = (Box(0, 0, 4, 4), Box(10, 10, 4, 4))
        targets = tuple(Target(str(os.getpid()), "text", *box.centre, box, 0.5, "text") for box in boxes)
        return Answer(True, True, self.name, 0.0, frame.size, targets)


def two(name: str, threads: int, progress: Progress) -> TrialEngine:
    return Two()
