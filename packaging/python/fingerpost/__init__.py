"""Fingerpost finds on the screen what you say you want to click.

    from fingerpost import Finder

    answer = Finder().find("screenshot.png", "the Save button")

The names below are the public API; they are loaded when first used, so that `import fingerpost` costs nothing.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fingerpost.engine.capture import Desktop, Region, Screen, Window
    from fingerpost.engine.errors import FingerpostError
    from fingerpost.engine.finder import Finder
    from fingerpost.engine.values import Answer, Box, Frame, Query, Target

_HOME = {
    "Answer": "values",
    "Box": "values",
    "Desktop": "capture",
    "Finder": "finder",
    "FingerpostError": "errors",
    "Frame": "values",
    "Query": "values",
    "Region": "capture",
    "Screen": "capture",
    "Target": "values",
    "Window": "capture",
}

# ONNX Runtime reports to its maker from version 1.29 on; it looks at this once, when it is loaded. Set here since
# nothing of Fingerpost can be imported before, and processes that it starts inherit it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__all__ = [
    "Answer",
    "Box",
    "Desktop",
    "Finder",
    "FingerpostError",
    "Frame",
    "Query",
    "Region",
    "Screen",
    "Target",
    "Window",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"fingerpost.engine.{_HOME[name]}"), name)
