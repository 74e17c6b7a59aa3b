"""Finders are made as asked for, or say in a sentence why not."""

from __future__ import annotations

import numpy as np
import pytest

from fingerpost.engine.errors import EngineError, UsageError
from fingerpost.engine.finder import Finder
from fingerpost.engine.values import Frame


def test_threads_without_end_are_no_more_than_the_processors() -> None:
    blank = Frame(np.zeros((64, 64, 4), np.uint8))
    assert not Finder(threads=1_000_000).find(blank, "Save").found


@pytest.mark.parametrize("threads", [0, -1])
def test_less_than_one_thread_is_wrong_use(threads: int) -> None:
    with pytest.raises(UsageError):
        Finder(threads=threads)


@pytest.mark.parametrize("name", ["", "psychic", "lite:model.gguf", "lite:", ":model.gguf"])
def test_an_engine_that_cannot_be_had_is_said(name: str) -> None:
    with pytest.raises(EngineError):
        Finder(engine=name)
