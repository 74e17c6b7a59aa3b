from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from fingerpost.engine.lite import heap


def resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1])


@pytest.mark.skipif(sys.platform != "linux", reason="only the GNU C library keeps what was freed")
def test_what_was_freed_between_used_pieces_goes_back_to_the_system() -> None:
    kept = []
    freed = []
    for _ in range(2000):  # too small for pages of their own
        freed.append(np.ones(60_000, np.uint8))
        kept.append(np.ones(200, np.uint8))
    before = resident_pages()
    freed.clear()
    heap.release()
    assert resident_pages() < before - 20_000  # of 30,000
    assert len(kept) == 2000


def test_other_systems_have_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    heap._trim.cache_clear()
    heap.release()
    heap._trim.cache_clear()
