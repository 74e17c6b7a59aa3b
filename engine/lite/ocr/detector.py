"""Finds lines of text: PP-OCRv6's detector (DB, "Real-time Scene Text Detection with Differentiable Binarization").

The frame is cut into tiles of a fixed grid. Each tile sees a margin around it, so the seams do not show. A tile's
result depends on its own pixels only and is kept, so a picture seen before costs nothing, and a picture of any size
needs no more memory at a time than one tile. Where only a little of a tile changed, a window around the change is
looked at instead: see `plan`.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import xxhash

from fingerpost.engine.lite.cache import LeastRecentlyUsed
from fingerpost.engine.lite.changes import BLOCK, Digests
from fingerpost.engine.lite.network import Network
from fingerpost.engine.lite.ocr.windows import changed_windows, grid, seen_area, work
from fingerpost.engine.values import Box, Pixels

MODEL = "ocr/det.onnx"

STRIDE = 32  # detector pixels: the network halves its input five times
TEXT = 0.3  # probability from which on a pixel belongs to text
SCORE = 0.45  # mean probability of a line's pixels
GROWTH = 1.5  # how far a line is grown, DB calls it the unclip ratio: the network marks only its core
SMALLEST = 2  # detector pixels, both sides of a line's core
FLAT = 10  # grey levels: a square that varies less shows nothing that anybody can read
AROUND = 4  # strides that are seen around a drawing: on a tighter picture icons are taken for text
CACHE_BYTES = 32 << 20

Map = npt.NDArray[np.uint8]
"""Shape (height, width): the probability of text times 255, one for each detector pixel."""


class Detector:
    """Keeps the map of the last frame and the tiles seen lately. One instance serves one thread."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._tiles: LeastRecentlyUsed[bytes, Map] = LeastRecentlyUsed(CACHE_BYTES)
        self._map: Map = np.zeros((0, 0), np.uint8)
        self._digests: Digests = np.zeros((0, 0), np.uint64)
        self._shrink = 1

    def detect(self, pixels: Pixels, digests: Digests, shrink: int) -> list[Box]:
        """The boxes of all text lines, frame pixels.

        digests  of the frame's blocks, see `changes.block_digests`
        shrink   frame pixels a detector pixel, 1 or 2: 2 saves three quarters of the work on large text
        """
        height, width = pixels.shape[:2]
        size = -(-height // shrink), -(-width // shrink)
        if self._map.shape != size or self._shrink != shrink or self._digests.shape != digests.shape:
            self._map, self._digests = np.zeros(size, np.uint8), np.zeros_like(digests)
        self._update(pixels, digests, shrink)
        self._digests, self._shrink = digests, shrink
        return [_to_frame(box, shrink, width, height) for box in lines_of(self._map)]

    def _update(self, pixels: Pixels, digests: Digests, shrink: int) -> None:
        """Brings the map up to date, by whole tiles or by windows, whichever is less work."""
        changed, size = digests != self._digests, self._map.shape
        tiles = [core for core in grid(size) if changed[_blocks(seen_area(core, size), shrink)].any()]
        keys = {core: _key(digests, core, size, shrink) for core in tiles}
        unknown = [core for core in tiles if self._tiles.get(keys[core]) is None]
        windows = changed_windows(changed, BLOCK // shrink, size)
        if windows is not None and work(windows, size) < work(unknown, size):
            for core in windows:
                self._map[_area(core)] = self._look(pixels, core, shrink)
            return
        for core in tiles:
            found = self._tiles.get(keys[core])
            if found is None:
                found = self._look(pixels, core, shrink)
                self._tiles.put(keys[core], found, found.nbytes)
            self._map[_area(core)] = found

    def _look(self, pixels: Pixels, core: Box, shrink: int) -> Map:
        """The map of `core`, detector pixels."""
        found = np.zeros((core.height, core.width), np.uint8)
        size = -(-pixels.shape[0] // shrink), -(-pixels.shape[1] // shrink)
        seen = seen_area(core, size)
        seen_pixels = pixels[seen.y * shrink : seen.bottom * shrink, seen.x * shrink : seen.right * shrink]
        drawn = _drawn(seen_pixels, STRIDE * shrink)
        if drawn is not None:
            part = Box(*(value * STRIDE for value in drawn)).moved(seen.x, seen.y).intersection(seen)
            told = part.intersection(core)
            found[_area(told.moved(-core.x, -core.y))] = self._probabilities(pixels, part, shrink)[
                _area(told.moved(-part.x, -part.y))
            ]
        return found

    def _probabilities(self, pixels: Pixels, part: Box, shrink: int) -> Map:
        """What the network says of `part`, detector pixels."""
        y, x, bottom, right = (value * shrink for value in (part.y, part.x, part.bottom, part.right))
        picture = cv2.cvtColor(pixels[y:bottom, x:right], cv2.COLOR_BGRA2BGR)
        step = STRIDE * shrink
        height, width = picture.shape[:2]
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


def _drawn(pixels: Pixels, side: int) -> Box | None:
    """The squares of `side` pixels, counted from the top left, around all that are not flat, and `AROUND` beyond."""
    height, width = pixels.shape[:2]
    filled = cv2.copyMakeBorder(pixels, 0, -height % side, 0, -width % side, cv2.BORDER_REPLICATE)
    rows = filled.reshape(-1, side, filled.shape[1] * 4)  # numpy is slow along short axes
    shape = len(rows), filled.shape[1] // side, side, 4
    varies = rows.max(axis=1).reshape(shape).max(axis=2) - rows.min(axis=1).reshape(shape).min(axis=2)
    full = (varies[:, :, :3].max(axis=2) >= FLAT).astype(np.uint8)
    x, y, columns, lines = cv2.boundingRect(full)
    return Box(x - AROUND, y - AROUND, columns + 2 * AROUND, lines + 2 * AROUND) if columns else None


def _key(digests: Digests, core: Box, size: tuple[int, ...], shrink: int) -> bytes:
    """Tells a tile by what it sees and where its core lies in that."""
    seen = seen_area(core, size)
    blocks = digests[_blocks(seen, shrink)]
    place = *blocks.shape, core.x - seen.x, core.y - seen.y, core.width, core.height, shrink
    return xxhash.xxh3_128_digest(np.array(place).tobytes() + blocks.tobytes())


def _blocks(area: Box, shrink: int) -> tuple[slice, slice]:
    """The blocks that an area of detector pixels lies on, rows and columns."""
    y, x = area.y * shrink // BLOCK, area.x * shrink // BLOCK
    return np.s_[y : -(-area.bottom * shrink // BLOCK), x : -(-area.right * shrink // BLOCK)]


def _area(box: Box) -> tuple[slice, slice]:
    return np.s_[box.y : box.bottom, box.x : box.right]


def _to_frame(box: Box, shrink: int, width: int, height: int) -> Box:
    scaled = Box(box.x * shrink, box.y * shrink, box.width * shrink, box.height * shrink)
    return scaled.intersection(Box(0, 0, width, height))
