"""Where the lite engine's networks run: on the processor, or on an NVIDIA graphics card through CUDA.

"auto" is the processor: these networks are so small that carrying the picture to a graphics card and back can take
longer than the card saves, so a card is used only by those who ask for it (and have measured that it helps).

Choose around whatever makes networks, as with `torch.device`:

    with on_device("cuda"):
        engine = LiteEngine()
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from dataclasses import dataclass

import onnxruntime

from fingerpost.engine.errors import UsageError

DEVICES = ("auto", "cpu", "cuda")
"""What can be asked for."""

CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"
"""ONNX Runtime's names of the two execution providers."""

CUDA_OPTIONS = {"cudnn_conv_algo_search": "HEURISTIC", "arena_extend_strategy": "kSameAsRequested"}
"""Screens and texts come in ever new sizes: an exhaustive search for the fastest algorithm would run for each."""


class DeviceWarning(UserWarning):
    """The device asked for cannot be used, and another one is; one sentence says why."""


@dataclass
class Placement:
    """Where networks made from now on are to run; `device` becomes "cpu" once the graphics card has failed."""

    device: str

    def fall_back(self, why: str) -> None:
        """From now on the processor; says so once."""
        if self.device != "cpu":
            self.device = "cpu"
            warnings.warn(f"The graphics card is not used, the processor is: {why}.", DeviceWarning, stacklevel=2)


_current: ContextVar[Placement | None] = ContextVar("placement", default=None)


def current() -> Placement:
    """The placement that `on_device` has set; the processor outside of it."""
    return _current.get() or Placement("cpu")


@contextmanager
def on_device(name: str) -> Iterator[Placement]:
    """Networks made inside run on this device of `DEVICES`. Raises `UsageError` for another name."""
    if name not in DEVICES:
        raise UsageError(f"There is no device called {name!r}.", f"Choose one of: {', '.join(DEVICES)}.")
    token = _current.set(Placement("cpu" if name == "auto" else name))
    try:
        yield current()
    finally:
        _current.reset(token)


def open_session(
    content: bytes, options: onnxruntime.SessionOptions, placement: Placement
) -> onnxruntime.InferenceSession:
    """A session on the placement's device, or on the processor where that fails. Raises what ONNX Runtime raises."""
    onnxruntime.disable_telemetry_events()  # on Windows, and where a program had loaded it before Fingerpost
    if placement.device == "cuda":
        session = _cuda_session(content, options, placement)
        if session is not None:
            return session
    return onnxruntime.InferenceSession(content, options, [CPU])


def _cuda_session(
    content: bytes, options: onnxruntime.SessionOptions, placement: Placement
) -> onnxruntime.InferenceSession | None:
    """A session that really runs on the graphics card.

    The list of available providers tells what was compiled in, not what works; a provider that cannot start is dropped
    from a session in silence. So a session is made and asked what it uses; `Network` tries it then.
    """
    if CUDA not in onnxruntime.get_available_providers():  # of that list, only what is missing can be believed
        placement.fall_back("this ONNX Runtime is built without CUDA")
        return None
    _load_libraries()
    try:
        session = onnxruntime.InferenceSession(content, options, [(CUDA, CUDA_OPTIONS), CPU])
    except Exception as error:  # ONNX Runtime's own errors share no other base class
        placement.fall_back(explain(error))
        return None
    if CUDA not in session.get_providers():
        placement.fall_back("CUDA, cuDNN or a fitting driver is missing")
        return None
    session.disable_fallback()  # else a call that fails is repeated on the processor without a word
    return session


def device_of(session: onnxruntime.InferenceSession) -> str:
    return "cuda" if CUDA in session.get_providers() else "cpu"


def explain(error: Exception) -> str:
    """What ONNX Runtime says about a failure, as the end of a sentence."""
    return str(error).strip().split("\n")[0].rstrip(".")[:200] or type(error).__name__


def _load_libraries() -> None:
    """Loads CUDA and cuDNN from Python packages where they were installed so; it prints what it does not find."""
    preload = getattr(onnxruntime, "preload_dlls", None)  # since ONNX Runtime 1.21
    if preload is not None:
        with redirect_stdout(io.StringIO()):
            preload()
