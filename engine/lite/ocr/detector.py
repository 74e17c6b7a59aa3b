"""Finds lines of text: PP-OCRv6's detector (DB, "Real-time Scene Text Detection with Differentiable Binarization").

The frame is cut into tiles of a fixed grid. Each tile sees a margin around it, so the seams do not show.
A tile's result depends on its own pixels only: it can be kept for as long as they stay the same, and a
picture of any size needs no more memory at a time than one tile.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import xxhash

from fingerpost.engine.lite.cache import LeastRecentlyUsed
from fingerpost.engine.lite.changes import BLOCK, Digests
from fingerpost.engine.lite.network import Network
from fingerpost.engine.values import Box, Pixels

MODEL = "ocr/det.onnx"

TILE = 256  # detector pixels
MARGIN = 32  # detector pixels
STRIDE = 32  # the network halves its input five times
TEXT = 0.3  # probability from which on a pixel belongs to text
SCORE = 0.45  # mean probability of a line's pixels
GROWTH = 1.5  # how far a line is grown, DB calls it the unclip ratio: the network marks only its core
SMALLEST = 2  # detector pixels, both sides of a line's core
FLAT = 10  # grey levels: a tile that varies less shows nothing that anybody can read
CACHE_BYTES = 32 << 20

Map = npt.NDArray[np.uint8]
"""Shape (height, width): the probability of text times 255, one for each detector pixel."""


class Detector:
    """Keeps the maps of the tiles seen lately. One instance serves one thread."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._tiles: LeastRecentlyUsed[bytes, Map] = LeastRecentlyUsed(CACHE_BYTES)

    def detect(self, pixels: Pixels, digests: Digests, shrink: int) -> list[Box]:
        """The boxes of all text lines, frame pixels.

        digests  of the frame's blocks, see `changes.block_digests`
        shrink   frame pixels a detector pixel, 1 or 2: 2 saves three quarters of the work on large text
        """
        height, width = pixels.shape[:2]
        whole = np.zeros((-(-height // shrink), -(-width // shrink)), np.uint8)
        for y in range(0, whole.shape[0], TILE):
            for x in range(0, whole.shape[1], TILE):
                core = whole[y : y + TILE, x : x + TILE]
                core[:] = self._tile(pixels, digests, Box(x, y, core.shape[1], core.shape[0]), shrink)
        return [_to_frame(box, shrink, width, height) for box in lines_of(whole)]

    def _tile(self, pixels: Pixels, digests: Digests, core: Box, shrink: int) -> Map:
        left, top = max(0, core.x - MARGIN), max(0, core.y - MARGIN)
        x, y = left * shrink, top * shrink
        right, bottom = (core.right + MARGIN) * shrink, (core.bottom + MARGIN) * shrink
        blocks = digests[y // BLOCK : -(-bottom // BLOCK), x // BLOCK : -(-right // BLOCK)]
        key = xxhash.xxh3_128_digest(
            np.array([*blocks.shape, core.x - left, core.y - top, shrink]).tobytes() + blocks.tobytes()
        )
        found = self._tiles.get(key)
        if found is None:
            seen = self._probabilities(pixels[y:bottom, x:right], shrink)
            found = seen[core.y - top :, core.x - left :][: core.height, : core.width].copy()
            self._tiles.put(key, found, found.nbytes)
        return found

    def _probabilities(self, pixels: Pixels, shrink: int) -> Map:
        """The map of one tile, its margin included."""
        picture = cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR)
        height, width = picture.shape[:2]
        step = STRIDE * shrink
        if _is_flat(pixels):
            return np.zeros((-(-height // shrink), -(-width // shrink)), np.uint8)
        picture = cv2.copyMakeBorder(picture, 0, -height % step, 0, -width % step, cv2.BORDER_REPLICATE)
        if shrink > 1:
            picture = cv2.resize(picture, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        blob = picture.transpose(2, 0, 1)[None].astype(np.float32, order="C") / 127.5 - 1
        return np.asarray(np.rint(self._network(blob)[0, 0] * 255), np.uint8)


def lines_of(probabilities: Map) -> list[Box]:
    """The text lines in a map, from top to bottom, in the map's own pixels; may reach beyond its edges."""
    mask = cv2.threshold(probabilities, TEXT * 255, 255, cv2.THRESH_BINARY)[1]
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = []
    for contour in contours:
        x, y, width, height = cv2.boundingRect(contour)
        if min(width, height) < SMALLEST:
            continue
        window = np.s_[y : y + height, x : x + width]
        if cv2.mean(probabilities[window], mask[window])[0] < SCORE * 255:
            continue
        grow = round(width * height * GROWTH / (2 * (width + height)))
        boxes.append(Box(x - grow, y - grow, width + 2 * grow, height + 2 * grow))
    return sorted(boxes, key=lambda box: (box.y, box.x))


def _is_flat(pixels: Pixels) -> bool:
    rows = np.ascontiguousarray(pixels).reshape(len(pixels), -1)  # numpy is slow along short axes
    low, high = rows.min(axis=0).reshape(-1, 4).min(axis=0), rows.max(axis=0).reshape(-1, 4).max(axis=0)
    return bool((high - low)[:3].max() < FLAT)


def _to_frame(box: Box, shrink: int, width: int, height: int) -> Box:
    scaled = Box(box.x * shrink, box.y * shrink, box.width * shrink, box.height * shrink)
    return scaled.intersection(Box(0, 0, width, height))
