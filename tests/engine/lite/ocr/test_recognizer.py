from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from fingerpost.engine.lite.network import Network, Tensor
from fingerpost.engine.lite.ocr import recognizer as recognizer_module
from fingerpost.engine.lite.ocr.ctc import Reading
from fingerpost.engine.lite.ocr.recognizer import MODEL, Recognizer, is_chinese
from fingerpost.engine.values import Box, Frame

Draw = Callable[..., Frame]

KEPT = 50


class Counted(Network):
    """The recogniser's network, counting the lines it read."""

    def __init__(self) -> None:
        super().__init__(MODEL)
        self.lines = 0

    def __call__(self, batch: Tensor) -> Tensor:
        self.lines += len(batch)
        return super().__call__(batch)


def test_lines_come_in_the_order_of_their_boxes(draw: Draw) -> None:
    frame = draw(("Undo", 10, 10), ("Reset to defaults", 10, 60), ("Redo", 10, 110))
    boxes = [Box(5, 105, 60, 24), Box(5, 55, 150, 24), Box(5, 5, 60, 24)]
    lines = Recognizer(Network(MODEL)).read(frame, boxes)
    assert [line.text for line in lines] == ["Redo", "Reset to defaults", "Undo"]
    assert [line.box for line in lines] == boxes


def test_equal_crops_are_read_once(draw: Draw) -> None:
    network = Counted()
    recognizer = Recognizer(network)
    frame = draw(("Undo", 10, 10), ("Undo", 210, 110))
    boxes = [Box(5, 5, 60, 24), Box(205, 105, 60, 24)]
    first = recognizer.read(frame, boxes)
    assert [line.text for line in first] == ["Undo", "Undo"]
    assert first[1].char_x == tuple(x + 200 for x in first[0].char_x)
    assert recognizer.read(frame, boxes) == first
    assert network.lines == 1


def test_memory_is_bounded_over_many_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognizer_module, "CACHE_BYTES", KEPT * recognizer_module.READING_BYTES)
    recognizer = Recognizer(Network(MODEL))
    pixels = np.random.default_rng(1).integers(0, 256, (16, 3 * KEPT, 4), np.uint8)
    for start in range(0, 2 * KEPT, 20):
        recognizer.read(Frame(pixels), [Box(x, 0, 8, 16) for x in range(start, start + 20)])
    assert KEPT / 2 <= len(recognizer._known) <= KEPT


def test_accents_are_among_what_is_read_and_ideographs_are_not() -> None:
    recognizer = Recognizer(Network(MODEL))
    characters = set(recognizer._characters[recognizer._latin])
    assert set("azAZ09 äöüßÄÖÜñáéíóúçãõàâêô¿€…–—•√×÷←→") <= characters
    assert not characters & set("文件回，Ａ")


def test_ideographs_are_left_out_unless_several_lines_are_clearly_chinese() -> None:
    latin, chinese, icon = Reading("File", (), 0.99), Reading("文件", (), 0.95), Reading("回", (), 0.99)
    assert is_chinese([latin] * 10 + [chinese] * 3)
    assert not is_chinese([latin] * 10 + [chinese] * 2)
    assert not is_chinese([latin] * 10 + [icon] * 9)
    assert not is_chinese([latin] * 100 + [chinese] * 3)
    assert not is_chinese([])
