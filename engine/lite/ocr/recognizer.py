"""Reads the text in boxes: PP-OCRv6's recogniser, a line at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import xxhash

from fingerpost.engine.lite.cache import LeastRecentlyUsed
from fingerpost.engine.lite.network import Network, read_model
from fingerpost.engine.lite.ocr import ctc, ink
from fingerpost.engine.lite.ocr.picture import HEIGHT, LinePicture, prepare
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Frame, Pixels

MODEL = "ocr/rec.onnx"
CHARACTERS = "ocr/characters.txt"

STEP = 8  # network pixels: the network answers once every so many
STRIDE = 32  # network pixels: widths are filled up to a multiple, so that lines share a batch
BATCH = 8  # lines
BATCH_WIDTH = 4096  # network pixels, all lines of a batch together: bounds the memory
LONGEST = 2048  # network pixels: a longer line is read in pieces
CACHE_BYTES = 4 << 20
CHARACTER_BYTES, READING_BYTES = 64, 300  # about what a reading takes in memory: each character, and the rest

FIRST_IDEOGRAPH, LAST_FULLWIDTH = "⺀", "￿"
CJK_SCORE = 0.85  # of a line that counts as Chinese: icons are read as ideographs too, but with less confidence
CJK_LINES = 3
CJK_SHARE = 0.1  # of all lines


@dataclass(frozen=True)
class _Readings:
    """One picture read without and with the ideographs."""

    latin: ctc.Reading
    cjk: ctc.Reading


class Recognizer:
    """Keeps what it read lately. One instance serves one thread."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._characters = _characters()
        self._is_latin = (self._characters < FIRST_IDEOGRAPH) | (self._characters > LAST_FULLWIDTH)
        self._latin = np.flatnonzero(self._is_latin)
        self._known: LeastRecentlyUsed[bytes, _Readings] = LeastRecentlyUsed(CACHE_BYTES)
        self._pictures: LeastRecentlyUsed[bytes, _Readings] = LeastRecentlyUsed(CACHE_BYTES)

    def read(self, frame: Frame, boxes: Iterable[Box]) -> list[TextLine]:
        """The text in each box, frame pixels, in the same order; "" where none can be read.

        Ideographs are read only where most of the boxes' text is clearly Chinese.
        """
        wanted = [box.intersection(frame.box) for box in boxes]
        pieces = [_pieces(frame.pixels, box) for box in wanted]
        known = self._readings(frame.pixels, [piece for line in pieces for piece in line])
        chinese = is_chinese([reading.cjk for reading in known.values()])
        return [_line(box, line, known, chinese) for box, line in zip(wanted, pieces, strict=True)]

    def _readings(self, pixels: Pixels, boxes: Sequence[Box]) -> dict[Box, _Readings]:
        """What each box says, `x` in the box's pixels; empty boxes are left out."""
        keys = {box: _key(pixels, box) for box in boxes if box.area}
        known = {key: self._known.get(key) for key in keys.values()}
        pictures = {key: prepare(_crop(pixels, box)) for box, key in keys.items() if known[key] is None}
        for key, steps in self._read_pictures(pictures).items():
            placed = _moved(steps, pictures[key])
            known[key] = placed
            self._known.put(key, placed, _bytes(placed))
        return {box: readings for box, key in keys.items() if (readings := known[key]) is not None}

    def _read_pictures(self, pictures: dict[bytes, LinePicture]) -> dict[bytes, _Readings]:
        """What each picture says, `x` in the network's steps.

        A line whose box is drawn a little wider or higher than before still makes the same picture.
        """
        digests = {key: xxhash.xxh3_128_digest(picture.pixels.data) for key, picture in pictures.items()}
        read = {digest: self._pictures.get(digest) for digest in digests.values()}
        new = {digests[key]: picture for key, picture in pictures.items() if read[digests[key]] is None}
        for digest, fresh in self._recognise(new):
            read[digest] = fresh
            self._pictures.put(digest, fresh, _bytes(fresh))
        return {key: readings for key, digest in digests.items() if (readings := read[digest]) is not None}

    def _recognise(self, pictures: dict[bytes, LinePicture]) -> Iterable[tuple[bytes, _Readings]]:
        for width, keys in _batches(pictures):
            batch = np.zeros((len(keys), 3, HEIGHT, width), np.float32)
            for planes, key in zip(batch, keys, strict=True):
                pixels = pictures[key].pixels
                planes[:, :, : pixels.shape[1]] = pixels.transpose(2, 0, 1).astype(np.float32) / 127.5 - 1
            for key, probabilities in zip(keys, self._network(batch), strict=True):
                yield key, self._decode(probabilities, pictures[key])

    def _decode(self, probabilities: ctc.Probabilities, picture: LinePicture) -> _Readings:
        seen = probabilities[: -(-picture.pixels.shape[1] // STEP)]
        cjk = ctc.decode(seen, self._characters)
        if self._is_latin[seen.argmax(axis=1)].all():
            return _Readings(cjk, cjk)
        return _Readings(ctc.decode(seen[:, self._latin], self._characters[self._latin]), cjk)


def is_chinese(readings: Sequence[ctc.Reading]) -> bool:
    """Whether enough of the lines hold several ideographs that were read with confidence."""
    chinese = sum(
        reading.score >= CJK_SCORE and sum(character >= FIRST_IDEOGRAPH for character in reading.text) >= 2
        for reading in readings
    )
    return chinese >= max(CJK_LINES, CJK_SHARE * len(readings))


def _moved(readings: _Readings, picture: LinePicture) -> _Readings:
    latin = _placed(readings.latin, picture)
    return _Readings(latin, latin if readings.cjk is readings.latin else _placed(readings.cjk, picture))


def _bytes(readings: _Readings) -> int:
    return READING_BYTES + CHARACTER_BYTES * (len(readings.latin.text) + len(readings.cjk.text))


def _placed(reading: ctc.Reading, picture: LinePicture) -> ctc.Reading:
    """The reading with `x` in the crop's pixels instead of steps."""
    return replace(reading, x=tuple(picture.left + x * STEP / picture.scale for x in reading.x))


def _pieces(pixels: Pixels, box: Box) -> list[Box]:
    """The box, cut where its line is too long to be read at once: in a gap between words if there is one near."""
    longest = max(1, LONGEST * box.height // HEIGHT)
    if box.width <= longest:
        return [box]
    gaps = ink.gaps(pixels, box)
    cuts = [box.x]
    while box.right - cuts[-1] > longest:
        limit = cuts[-1] + longest
        near = [gap for gap in gaps if limit - longest // 4 < gap[0] and gap[1] <= limit]
        start, stop = max(near, key=lambda gap: gap[1] - gap[0], default=(limit, limit))
        cuts.append((start + stop) // 2)
    cuts.append(box.right)
    return [Box(start, box.y, stop - start, box.height) for start, stop in pairwise(cuts)]


def _crop(pixels: Pixels, box: Box) -> Pixels:
    return np.ascontiguousarray(pixels[box.y : box.bottom, box.x : box.right])


def _key(pixels: Pixels, box: Box) -> bytes:
    """Tells a crop by its pixels and its shape."""
    return xxhash.xxh3_128_digest(_crop(pixels, box).data) + box.height.to_bytes(4, "little")


def _batches(pictures: dict[bytes, LinePicture]) -> Iterable[tuple[int, list[bytes]]]:
    """Groups of pictures of about the same width, and the width they are filled up to."""
    groups: dict[int, list[bytes]] = defaultdict(list)
    for key, picture in pictures.items():
        groups[-(-picture.pixels.shape[1] // STRIDE) * STRIDE].append(key)
    for width, keys in sorted(groups.items()):
        size = max(1, min(BATCH, BATCH_WIDTH // width))
        for start in range(0, len(keys), size):
            yield width, keys[start : start + size]


def _line(box: Box, pieces: Sequence[Box], known: dict[Box, _Readings], chinese: bool) -> TextLine:
    text = ""
    char_x: list[float] = []
    scores: list[float] = []
    for piece in pieces:
        readings = known.get(piece)
        reading = ctc.NOTHING if readings is None else readings.cjk if chinese else readings.latin
        if readings is None or not reading.text.strip():
            continue
        if text:
            text += " "
            char_x.append(piece.x)
        text += reading.text
        char_x += [piece.x + x for x in reading.x]
        scores += [reading.score]
    start = len(text) - len(text.lstrip())
    stop = len(text.rstrip())
    return TextLine(text[start:stop], box, sum(scores) / len(scores) if scores else 0.0, tuple(char_x[start:stop]))


def _characters() -> npt.NDArray[np.str_]:
    """The character of each class: the blank, the list, the space. Raises `ModelError`."""
    listed = read_model(CHARACTERS).decode("utf-8").removesuffix("\n").split("\n")
    return np.array(["", *listed, " "])
