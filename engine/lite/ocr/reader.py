"""Reads all text on a frame, and again only what changed since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2

from fingerpost.engine.lite.cache import WhileUnchanged
from fingerpost.engine.lite.changes import ChangeDetector, Changes
from fingerpost.engine.lite.network import Network
from fingerpost.engine.lite.ocr import detector, ink, labels, recognizer
from fingerpost.engine.lite.ocr.text_size import TextSize
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box, Frame

LETTER = 16  # logical pixels from the top of a high letter to the bottom of a low one, at the usual sizes
NOISE = 0.3  # a line read with less confidence is a picture, not text


class Reader:
    """The text recogniser of the lite engine.

    What it answers depends on the frame alone: whatever it keeps between calls only saves work. Where only a part of
    the frame changed, though, the detector looks through other windows than at a whole frame, see `windows`: a line's
    box may then be a pixel or two larger or smaller, and what can hardly be read be read otherwise.
    One instance serves one thread. Raises `ModelError` when a model file is missing or damaged.
    """

    def __init__(self, threads: int = 1) -> None:
        cv2.setNumThreads(threads)
        self._changes = ChangeDetector()
        self._text_size = TextSize()
        self._detector = detector.Detector(Network(detector.MODEL, threads))
        self._recognizer = recognizer.Recognizer(Network(recognizer.MODEL, threads))
        self._gaps: WhileUnchanged[Box, list[ink.Gap]] = WhileUnchanged()
        self._columns: WhileUnchanged[Box, list[Box]] = WhileUnchanged()
        self._parts: WhileUnchanged[TextLine, list[Box]] = WhileUnchanged()
        self._corrected: WhileUnchanged[TextLine, TextLine] = WhileUnchanged()
        self._lines: tuple[TextLine, ...] = ()

    def read(self, frame: Frame) -> tuple[TextLine, ...]:
        """The lines of text on the frame, from top to bottom, then left to right."""
        return self.read_changed(frame, self._changes.update(frame))

    def read_changed(self, frame: Frame, changes: Changes) -> tuple[TextLine, ...]:
        """As `read`, for who knows what differs from the frame read before."""
        if changes.unchanged:
            return self._lines
        for memory in (self._gaps, self._columns, self._parts, self._corrected):
            memory.begin(changes.touch)
        shrink = self._text_size.shrink(frame.pixels, changes.digests)
        found = self._detector.detect(frame.pixels, changes.digests, shrink)
        lines = self._read(frame, [part for box in found for part in self._columns_of(frame, box)])
        # Labels read one by one come out better than all in one line. Those not parted are known already.
        lines = self._read(frame, [part for line in lines for part in self._parts_of(frame, line)])
        self._lines = tuple(self._correct(frame, line) for line in lines)
        return self._lines

    def read_inside(self, frame: Frame, boxes: Iterable[Box], ui_scale: float = 1.0) -> list[TextLine]:
        """What stands in the middle of each element, in the same order; its text is "" where nothing can be read.

        For buttons that `read` found no text on: the detector often misses a single character.
        A line's box is the text's, not the element's.
        """
        whole = [box.intersection(frame.box) for box in boxes]
        return self._recognizer.read(frame, [ink.line_inside(frame.pixels, box, LETTER * ui_scale) for box in whole])

    def _read(self, frame: Frame, boxes: Sequence[Box]) -> list[TextLine]:
        lines = self._recognizer.read(frame, boxes, lambda box: self._gaps_of(frame, box))
        return [line for line in lines if line.text and line.score >= NOISE]

    def _gaps_of(self, frame: Frame, box: Box) -> list[ink.Gap]:
        return self._gaps.get(box, box, lambda: ink.gaps(frame.pixels, box))

    def _columns_of(self, frame: Frame, box: Box) -> list[Box]:
        return self._columns.get(box, box, lambda: labels.columns(self._gaps_of(frame, box), box))

    def _parts_of(self, frame: Frame, line: TextLine) -> list[Box]:
        return self._parts.get(line, line.box, lambda: labels.parts(self._gaps_of(frame, line.box), line))

    def _correct(self, frame: Frame, line: TextLine) -> TextLine:
        return self._corrected.get(
            line, line.box, lambda: labels.correct(frame.pixels, self._gaps_of(frame, line.box), line)
        )
