"""The Python API: find what a query describes on a picture or on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingerpost.engine import capture, pictures
from fingerpost.engine.errors import EngineError
from fingerpost.engine.values import Answer, Engine, Frame, Query

if TYPE_CHECKING:
    from fingerpost.engine.lite.scene import Scene

ENGINES = ("auto", "lite")
"""The engines that can be asked for; "auto" is the best one that works on this machine."""


def make_engine(name: str = "auto", threads: int = 1) -> Engine:
    """An engine by its name. Raises `EngineError` for a name nobody knows."""
    if name not in ENGINES:
        raise EngineError(f"There is no engine called {name!r}.", f"Choose one of: {', '.join(ENGINES)}.")
    from fingerpost.engine.lite.engine import LiteEngine  # noqa: PLC0415  loading it takes half a second

    return LiteEngine(threads=threads)
