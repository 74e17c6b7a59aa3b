from __future__ import annotations

import numpy as np

from fingerpost.engine.lite.changes import block_digests
from fingerpost.engine.lite.network import Network, Tensor
from fingerpost.engine.lite.ocr.detector import MODEL, Detector, lines_of
from fingerpost.engine.values import Box, Pixels


class Counted(Network):
    """The detector's network, counting its calls and the largest picture."""

    def __init__(self) -> None:
        super().__init__(MODEL)
        self.calls = 0
        self.largest = 0

    def __call__(self, batch: Tensor) -> Tensor:
        self.calls += 1
        self.largest = max(self.largest, batch.size)
        return super().__call__(batch)


def noise(width: int, height: int) -> Pixels:
    return np.random.default_rng(0).integers(0, 256, (height, width, 4), np.uint8)


def test_a_lines_core_is_grown_to_the_whole_line() -> None:
    probabilities = np.zeros((60, 200), np.uint8)
    probabilities[20:28, 40:140] = 230
    (box,) = lines_of(probabilities)
    assert box == Box(34, 14, 112, 20)


def test_weak_and_tiny_marks_are_no_lines() -> None:
    probabilities = np.zeros((60, 200), np.uint8)
    probabilities[20:28, 40:140] = 90
    probabilities[50, 50] = 255
    assert lines_of(probabilities) == []


def test_only_what_changed_is_looked_at_again() -> None:
    network = Counted()
    detector = Detector(network)
    pixels = noise(1000, 500)
    first = detector.detect(pixels, block_digests(pixels), 1)
    whole = network.calls
    changed = pixels.copy()
    changed[130:140, 130:140] = 128
    network.largest = 0
    detector.detect(changed, block_digests(changed), 1)
    assert whole == 8
    assert network.calls == whole + 1
    assert network.largest == 3 * 96 * 96
    assert detector.detect(pixels, block_digests(pixels), 1) == first
    assert network.calls == whole + 1


def test_a_large_picture_is_looked_at_in_small_parts() -> None:
    network = Counted()
    pixels = noise(2000, 600)
    Detector(network).detect(pixels, block_digests(pixels), 1)
    assert network.largest == 3 * 320 * 320


def test_flat_tiles_need_no_network() -> None:
    network = Counted()
    pixels = np.full((600, 2000, 4), 90, np.uint8)
    assert Detector(network).detect(pixels, block_digests(pixels), 1) == []
    assert network.calls == 0


def test_of_a_tile_only_what_is_drawn_is_looked_at() -> None:
    network = Counted()
    pixels = np.full((256, 256, 4), 90, np.uint8)
    pixels[70:90, 70:90] = noise(20, 20)
    Detector(network).detect(pixels, block_digests(pixels), 1)
    assert network.largest == 3 * 224 * 224
