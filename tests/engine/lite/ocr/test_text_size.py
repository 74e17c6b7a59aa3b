from __future__ import annotations

from collections.abc import Callable

import pytest

from fingerpost.engine.lite.changes import block_digests
from fingerpost.engine.lite.ocr.text_size import TextSize
from fingerpost.engine.values import Frame

Draw = Callable[..., Frame]

LARGE = (2000, 1300)


def shrink(frame: Frame) -> int:
    return TextSize().shrink(frame.pixels, block_digests(frame.pixels))


@pytest.mark.parametrize(("font", "expected"), [(12, 1), (14, 1), (26, 2), (30, 2)])
def test_the_letters_decide_not_the_resolution(draw: Draw, font: int, expected: int) -> None:
    labels = [("Open recent documents", 20 + 400 * column, 20 + 60 * row) for row in range(20) for column in range(4)]
    assert shrink(draw(*labels, size=LARGE, font=font)) == expected


def test_a_small_screen_is_always_looked_at_in_full(draw: Draw) -> None:
    assert shrink(draw(*[("Large letters", 20, 20 + 60 * row) for row in range(10)], size=(1280, 800), font=40)) == 1


def test_without_text_nothing_is_assumed(draw: Draw) -> None:
    assert shrink(draw(size=LARGE)) == 1
