"""The common way to click by text: OCR over the whole screen, then the line most like the text.

RapidOCR with its own settings but one thread, rapidfuzz for the likeness. The first find on a picture pays for the
OCR; what was read is kept for the next, which such tools do not all do.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from rapidfuzz import process, utils
from rapidocr import RapidOCR
from rapidocr.utils.output import RapidOCROutput

from fingerpost.engine.values import Answer, Box, Frame, Query, Target

ALIKE = 90
"""Likeness 0..100 under which a line is not the text. Lower, it answers much more often what is not there."""

QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")


@dataclass(frozen=True)
class Line:
    """One line as the OCR read it; the box in frame pixels."""

    text: str
    box: Box


class Baseline:
    """An `Engine`, to be run beside ours. One instance serves one thread."""

    name = "baseline"

    def __init__(self, threads: int = 1) -> None:
        cv2.setNumThreads(threads)
        threading = "EngineConfig.onnxruntime"
        self._ocr = RapidOCR(
            params={
                "Global.log_level": "critical",
                f"{threading}.intra_op_num_threads": threads,
                f"{threading}.inter_op_num_threads": threads,
            }
        )
        self._frame: Frame | None = None
        self._lines: tuple[Line, ...] = ()

    def read(self, frame: Frame) -> tuple[Line, ...]:
        """Every line of text on the frame, read anew."""
        result = self._ocr(np.ascontiguousarray(frame.pixels[..., :3]))
        if not isinstance(result, RapidOCROutput) or result.boxes is None or result.txts is None:
            return ()
        return tuple(Line(text, _bounds(corners)) for text, corners in zip(result.txts, result.boxes, strict=True))

    def find(self, frame: Frame, query: Query) -> Answer:
        """The line most like the quoted text, or like the whole query when nothing is quoted."""
        start = time.perf_counter()
        if frame is not self._frame:
            self._frame, self._lines = frame, self.read(frame)
        quoted = QUOTED.search(query.text)
        target = best_line(self._lines, quoted[1] if quoted else query.text)
        targets = (target,) if target else ()
        elapsed_ms = (time.perf_counter() - start) * 1000
        return Answer(bool(targets), False, self.name, elapsed_ms, frame.size, targets)


def best_line(lines: Sequence[Line], wanted: str) -> Target | None:
    """The line most like the text by rapidfuzz's usual measure, case and punctuation aside; of equals the first."""
    texts = [line.text for line in lines]
    best = process.extractOne(wanted, texts, processor=utils.default_process, score_cutoff=ALIKE)
    if best is None:
        return None
    text, score, index = best
    box = lines[index].box
    return Target(text, "text", *box.centre, box, score / 100, "text")


def _bounds(corners: npt.NDArray[np.float32]) -> Box:
    """The upright box around four corners, shape (4, 2), x and y."""
    left, top = np.floor(corners.min(axis=0)).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    return Box(int(left), int(top), int(right - left), int(bottom - top))
