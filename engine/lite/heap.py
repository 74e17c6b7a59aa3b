"""Gives memory back to the system that the networks no longer need.

The GNU C library keeps what was freed, in pieces between what is still used: after a hundred screens twice what is
used. Other systems' libraries give it back by themselves.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache


def release() -> None:
    """Returns all free pages. Takes some milliseconds; does nothing where there is nothing to do."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> ctypes._NamedFuncPointer | None:
    """The C library's malloc_trim; None on other systems, and with other C libraries for Linux."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
