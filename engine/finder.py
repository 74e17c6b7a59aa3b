"""The Python API: find what a query describes on a picture or on the screen.

from fingerpost import Finder

answer = Finder().find("screenshot.png", "the Save button")
if answer.found:
    print(answer.targets[0].x, answer.targets[0].y)
"""

from __future__ import annotations

from typing import TypeAlias

from fingerpost.engine.capture import Desktop, Region, Screen, Window, capture
from fingerpost.engine.errors import EngineError
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.pictures import Picture, as_frame
from fingerpost.engine.values import Answer, Frame, Query

ENGINES = ("auto", "lite")
"""The engines that can be asked for; "auto" is the best one that works on this machine."""

Source: TypeAlias = "Picture | Desktop | Screen | Window | Region"
"""A picture (path, bytes, Pillow image, numpy array, frame) or a part of the screen."""


class Finder:
    """Finds what you describe. Keep it: it reads again only what changed since the last call.

    engine   "auto" or "lite"; raises `EngineError` for another
    threads  CPU threads of the networks
    device   "auto", "cpu" or "cuda": where the networks run, see `engine.lite.devices`; "auto" is the processor

    One instance serves one thread.
    """

    def __init__(self, engine: str = "auto", threads: int = 1, device: str = "auto") -> None:
        self._engine = make_engine(engine, threads, device)

    def find(self, source: Source, query: str | Query) -> Answer:
        """The places on the source that fit the query, best first, in frame pixels.

        Raises `ImageError`, `CaptureError` or `UsageError` when there is nothing to look at or to look for;
        "not found" is an answer.
        """
        wanted = query if isinstance(query, Query) else Query(query)
        return self._engine.find(look(source), wanted)

    def read(self, source: Source) -> Scene:
        """Everything seen on the source: lines of text, elements and containers, in frame pixels."""
        return self._engine.see(look(source))


def make_engine(name: str = "auto", threads: int = 1, device: str = "auto") -> LiteEngine:
    """An engine by its name. Raises `EngineError` for a name nobody knows, `UsageError` for such a device."""
    if name not in ENGINES:
        raise EngineError(f"There is no engine called {name!r}.", f"Choose one of: {', '.join(ENGINES)}.")
    return LiteEngine(threads, device)


def look(source: Source) -> Frame:
    """The frame of a picture or of a part of the screen."""
    if isinstance(source, Desktop | Screen | Window | Region):
        return capture(source)
    return as_frame(source)
