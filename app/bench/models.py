"""The model that a measurement runs on: the one given, or a tiny random one in Holotron-12B's architecture."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def tiny_or(model: Path | None) -> Iterator[Path]:
    """The file of a language model, its vision file beside it; a tiny one lives as long as the context."""
    if model is not None:
        yield model
        return
    from fingerpost.models.gguf.pair import write_pair

    with tempfile.TemporaryDirectory(prefix="fingerpost-") as folder:
        yield write_pair("tiny", Path(folder)).model
