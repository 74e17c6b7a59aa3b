"""A few megabytes that really point: Holotron's architecture, trained on drawn screens."""

from __future__ import annotations

from pathlib import Path

from fingerpost.models import files

NAME = "miniature"
"""What it is called where a model's file may be named, too."""


def weights() -> Path:
    """The language model's file, its vision file beside it, both checked. Raises `ModelFileError`."""
    files.path("miniature/miniature-mmproj.gguf")
    return files.path("miniature/miniature.gguf")
