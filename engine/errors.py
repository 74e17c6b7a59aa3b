"""Errors a user can meet: one sentence saying what happened, one saying what to do.

The command line prints both and leaves with `exit_code`; a program that uses the library catches
`FingerpostError`. "Not found" is an answer, never an error.
"""

from __future__ import annotations


class FingerpostError(Exception):
    """What happened (`message`) and what to do about it (`hint`), each one sentence."""

    exit_code = 3  # cannot run

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message} {hint}")
        self.message = message
        self.hint = hint


class UsageError(FingerpostError):
    """The request itself makes no sense: an empty query, a region outside the screen."""

    exit_code = 2


class ImageError(FingerpostError):
    """A picture file cannot be read."""


class CaptureError(FingerpostError):
    """The screen cannot be captured, or the capture shows nothing."""


class ModelError(FingerpostError):
    """A model file is missing, damaged or refused by its runtime."""


class EngineError(FingerpostError):
    """The engine that was asked for is not available on this machine."""


class BenchError(FingerpostError):
    """A benchmark's case file or an earlier run cannot be read."""


class WindowError(FingerpostError):
    """This desktop does not tell which windows are open."""


class InputError(FingerpostError):
    """The pointer or the keyboard cannot be used, or the pointer did not go where it was sent."""


class OutputError(FingerpostError):
    """What was asked for cannot be written to where the output goes."""
