"""The Python API: find what a query describes on a picture or on the screen.

from fingerpost import Finder

answer = Finder().find("screenshot.png", "the Save button")
if answer.found:
    print(answer.targets[0].x, answer.targets[0].y)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, TypeAlias

from fingerpost.engine.capture import Desktop, Region, Screen, Window, capture
from fingerpost.engine.errors import EngineError, ModelError, UsageError
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.pictures import Picture, as_frame
from fingerpost.engine.values import Answer, Engine, Frame, Query
from fingerpost.models import miniature
from fingerpost.models.errors import ModelFileError

ENGINES = ("auto", "lite", "holotron")
"""The engines that can be asked for; "auto" is "lite", with a large model for what reading does not find if one is
given."""

Source: TypeAlias = "Picture | Desktop | Screen | Window | Region"
"""A picture (path, bytes, Pillow image, numpy array, frame) or a part of the screen."""


class Finder:
    """Finds what you describe. Keep it: it reads again only what changed since the last call.

    engine   one of `ENGINES`; with a model's file behind a colon, or "miniature" for the one that ships:
             "auto:models/holotron.gguf", "holotron:miniature". Raises `EngineError` for another, `ModelError` when
             the model cannot be loaded
    threads  CPU threads of the networks, at most; more than there are processors are not started
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


class SeeingEngine(Engine, Protocol):
    """An engine that also tells all it sees."""

    def see(self, frame: Frame) -> Scene: ...


def make_engine(
    name: str = "auto", threads: int = 1, device: str = "auto", progress: Callable[[float], bool] | None = None
) -> SeeingEngine:
    """An engine by its name, see `Finder`.

    progress  called with the share of a large model that is loaded, 0..1; return False to stop

    Raises `EngineError` for a name nobody knows, `UsageError` for such a device or less than one thread, `ModelError`
    for an unfit model.
    """
    if threads < 1:
        raise UsageError(f"{threads} threads cannot find anything.", "Give 1 or more.")
    threads = min(threads, os.cpu_count() or 1)
    kind, colon, model = name.partition(":")
    if kind not in ENGINES:
        raise EngineError(f"There is no engine called {kind!r}.", f"Choose one of: {', '.join(ENGINES)}.")
    if kind == "holotron" and not model:
        raise EngineError(
            "The engine holotron needs the file of a model.", "Name it: holotron:FILE.gguf, or holotron:miniature."
        )
    if kind == "lite" and colon:
        raise EngineError("The engine lite takes no model.", "Name it: lite, or auto:FILE.gguf.")
    lite = LiteEngine(threads, device)
    return lite if kind == "lite" or not model else _with_model(kind, lite, model, threads, device, progress)


def _with_model(
    kind: str, lite: LiteEngine, model: str, threads: int, device: str, progress: Callable[[float], bool] | None
) -> SeeingEngine:
    require_llama()
    from fingerpost.engine.auto import AutoEngine
    from fingerpost.engine.holotron.loading import load

    loaded = load(model_file(model), threads, device != "cpu", lite, progress)
    return AutoEngine(lite, loaded) if kind == "auto" else loaded


def model_file(model: str) -> Path:
    """The file of a model that is named by its path, with `~` for the home folder, or as the one that ships.

    Raises `ModelError` when that one is missing or damaged.
    """
    if model != miniature.NAME:
        return _in_home(Path(model))
    try:
        return miniature.weights()
    except ModelFileError as error:
        raise ModelError(error.message, error.hint) from error


def _in_home(path: Path) -> Path:
    """The path with the home folder it speaks of; of nobody's that is known, the path itself: no file is there."""
    try:
        return path.expanduser()
    except (RuntimeError, ValueError):
        return path


def require_llama() -> None:
    """Raises `EngineError` when the libraries that run a large model are not installed."""
    if not all(find_spec(library) for library in ("llama_cpp", "gguf")):
        raise EngineError(
            "A large model needs llama.cpp, which is not installed.", 'Run: pip install "fingerpost[holotron]".'
        )


def look(source: Source) -> Frame:
    """The frame of a picture or of a part of the screen."""
    if isinstance(source, Desktop | Screen | Window | Region):
        return capture(source)
    return as_frame(source)
