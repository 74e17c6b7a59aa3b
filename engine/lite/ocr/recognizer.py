"""Reads the text in boxes: PP-OCRv6's recogniser, a line at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import xxhash

from fingerpost.engine.lite.cache import LeastRecentlyUsed
from fingerpost.engine.lite.network import Network, read_model
from fingerpost.engine.lite.ocr import ctc, ink
from fingerpost.engine.lite.ocr.picture import HEIGHT, LinePicture, prepare
from fingerpost.engine.lite.ocr.pieces import Piece, pieces
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Frame, Pixels

MODEL = "ocr/rec.onnx"
CHARACTERS = "ocr/characters.txt"

STEP = 8  # network pixels: the network answers once every so many
STRIDE = 32  # network pixels: widths are filled up to a multiple, so that lines share a batch
BATCH = 8  # lines
BATCH_WIDTH = 4096  # network pixels, all lines of a batch together: bounds the memory
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

    def read(
        self, frame: Frame, boxes: Iterable[Box], gaps: Callable[[Box], Sequence[ink.Gap]] | None = None
    ) -> list[TextLine]:
        """The text in each box, frame pixels, in the same order; "" where none can be read.

        gaps  `ink.gaps` of a box on the frame, for who remembers some

        Ideographs are read only where most of the boxes' text is clearly Chinese.
        """
        gaps_of = gaps or (lambda box: ink.gaps(frame.pixels, box))
        wanted = [box.intersection(frame.box) for box in boxes]
        parts = [pieces(box, gaps_of) for box in wanted]
        known = self._readings(frame.pixels, [piece for line in parts for piece in line])
        chinese = is_chinese([reading.cjk for reading in known.values()])
        return [_line(box, line, known, chinese) for box, line in zip(wanted, parts, strict=True)]

    def _readings(self, pixels: Pixels, wanted: Sequence[Piece]) -> dict[Piece, _Readings]:
        """What each piece says, `x` in its box's pixels; empty ones are left out."""
        keys = {piece: _key(pixels, piece) for piece in wanted if piece.box.area}
        known = {key: self._known.get(key) for key in keys.values()}
        new = {key: piece for piece, key in keys.items() if known[key] is None}
        pictures = {key: prepare(_crop(pixels, piece.box), piece.prose) for key, piece in new.items()}
        for key, steps in self._read_pictures(pictures).items():
            placed = _moved(steps, pictures[key])
            known[key] = placed
            self._known.put(key, placed, _bytes(placed))
        return {piece: readings for piece, key in keys.items() if (readings := known[key]) is not None}

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
        best = seen.argmax(axis=1)
        cjk = ctc.decode(seen, self._characters, best)
        if self._is_latin[best].all():
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


def _crop(pixels: Pixels, box: Box) -> Pixels:
    return np.ascontiguousarray(pixels[box.y : box.bottom, box.x : box.right])


def _key(pixels: Pixels, piece: Piece) -> bytes:
    """Tells a crop by its pixels, its shape and how it is read."""
    shape = piece.box.height.to_bytes(4, "little") + bytes([piece.prose])
    return xxhash.xxh3_128_digest(_crop(pixels, piece.box).data) + shape


def _batches(pictures: dict[bytes, LinePicture]) -> Iterable[tuple[int, list[bytes]]]:
    """Groups of pictures of about the same width, and the width they are filled up to."""
    groups: dict[int, list[bytes]] = defaultdict(list)
    for key, picture in pictures.items():
        groups[-(-picture.pixels.shape[1] // STRIDE) * STRIDE].append(key)
    for width, keys in sorted(groups.items()):
        size = max(1, min(BATCH, BATCH_WIDTH // width))
        for start in range(0, len(keys), size):
            yield width, keys[start : start + size]


def _line(box: Box, parts: Sequence[Piece], known: dict[Piece, _Readings], chinese: bool) -> TextLine:
    text = ""
    char_x: list[float] = []
    scores: list[float] = []
    for piece in parts:
        readings = known.get(piece)
        reading = ctc.NOTHING if readings is None else readings.cjk if chinese else readings.latin
        if readings is None or not reading.text.strip():
            continue
        if text:
            text += " "
            char_x.append(piece.box.x)
        text += reading.text
        char_x += [piece.box.x + x for x in reading.x]
        scores += [reading.score]
    start = len(text) - len(text.lstrip())
    stop = len(text.rstrip())
    return TextLine(text[start:stop], box, sum(scores) / len(scores) if scores else 0.0, tuple(char_x[start:stop]))


def _characters() -> npt.NDArray[np.str_]:
    """The character of each class: the blank, the list, the space. Raises `ModelError`."""
    listed = read_model(CHARACTERS).decode("utf-8").removesuffix("\n").split("\n")
    return np.array(["", *listed, " "])
