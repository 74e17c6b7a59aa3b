"""A look that is broken off leaves nothing behind: the next one sees what is there."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

import numpy as np
import pytest
from PIL import Image

from fingerpost.engine.lite.sight import Sight
from fingerpost.engine.pictures import as_frame
from fingerpost.engine.values import Frame


def interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def half(frame: Frame) -> Frame:
    """The same size, with another half: the left one is where the right one was."""
    return Frame(np.roll(frame.pixels, frame.width // 2, axis=1))


@pytest.mark.skipif(sys.platform == "win32", reason="no timer signals there")
@pytest.mark.parametrize("after_ms", [5, 40, 120, 250, 400])
def test_a_look_broken_off_at_any_moment_does_not_spoil_the_next(after_ms: int, screenshot: Path) -> None:
    first = as_frame(Image.open(screenshot).crop((0, 0, 640, 400)))
    second = half(first)
    sight = Sight()
    sight.see(first)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with suppress(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, after_ms / 1000)
            sight.see(second)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    texts = sorted(line.text for line in sight.see(second).lines)
    assert texts == sorted(line.text for line in Sight().see(second).lines)
