"""What the engine sees on a frame: text, elements, containers. An unchanged frame is not looked at again."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import numpy as np

from fingerpost.engine.lite import heap
from fingerpost.engine.lite.changes import ChangeDetector, Changes
from fingerpost.engine.lite.elements import find_containers, find_elements
from fingerpost.engine.lite.elements.canvas import Canvas
from fingerpost.engine.lite.ocr.reader import Reader
from fingerpost.engine.lite.scene import Element, Scene, TextLine
from fingerpost.engine.values import Box, Frame

LINE_HEIGHT = 20  # frame pixels of a usual line of text at scale 1, with its margin
MUCH = 0.5  # of the frame: what looking at so much of it took is worth giving back
KEY_KINDS = frozenset({"button", "box", "tab", "icon"})


class Sight:
    """Sees frames one after the other. One instance serves one thread."""

    def __init__(self, threads: int = 1) -> None:
        self._changes = ChangeDetector()
        self._reader = Reader(threads)
        self._canvas = Canvas()
        self._scene: Scene | None = None

    def see(self, frame: Frame) -> Scene:
        """The scene on the frame; the same object as before when no pixel changed."""
        if not frame.pixels.flags.c_contiguous:  # a crop or a flipped view: OpenCV draws only into plain arrays
            frame = replace(frame, pixels=np.ascontiguousarray(frame.pixels))
        changes = self._changes.update(frame)
        if changes.unchanged and self._scene is not None:
            return self._scene
        try:
            self._scene = self._look(frame, changes)
        except BaseException:  # also a Ctrl-C: half of what is kept belongs to this frame now, half to the one before
            self._changes, self._canvas, self._scene = ChangeDetector(), Canvas(), None
            raise
        if changes.blocks.mean() > MUCH:
            heap.release()
        return self._scene

    def _look(self, frame: Frame, changes: Changes) -> Scene:
        lines = self._reader.read_changed(frame, changes)
        scale = ui_scale(lines)
        self._canvas.show(frame, changes)
        elements = find_elements(frame, lines, scale, self._canvas)
        lines = _not_in_switches(lines, elements)
        lines = (*lines, *self._read_keys(frame, lines, elements, scale))
        containers = find_containers(frame, lines, elements, scale, self._canvas)
        return Scene(frame.size, lines, elements, containers, scale)

    def _read_keys(
        self, frame: Frame, lines: tuple[TextLine, ...], elements: tuple[Element, ...], scale: float
    ) -> list[TextLine]:
        """Texts on buttons that the reader passed over, such as a single digit."""
        boxes = [
            e.box for e in elements if e.kind in KEY_KINDS and _is_key(e.box, scale) and not _has_text(e.box, lines)
        ]
        return [line for line in self._reader.read_inside(frame, boxes, scale) if line.text and line.score > 0.5]


def ui_scale(lines: tuple[TextLine, ...]) -> float:
    """1 on an ordinary screen, 2 where everything is drawn twice as large; told from the median height of the text."""
    if not lines:
        return 1.0
    return 2.0 if median(line.box.height for line in lines) > 1.45 * LINE_HEIGHT else 1.0


def _not_in_switches(lines: tuple[TextLine, ...], elements: tuple[Element, ...]) -> tuple[TextLine, ...]:
    """Nothing is written in a switch: its knob is read as a zero."""
    switches = [e.box for e in elements if e.kind == "switch"]
    return tuple(line for line in lines if not any(box.contains(*line.box.centre) for box in switches))


def _is_key(box: Box, scale: float) -> bool:
    return 18 * scale <= box.width <= 260 * scale and 18 * scale <= box.height <= 130 * scale


def _has_text(box: Box, lines: tuple[TextLine, ...]) -> bool:
    return any(box.contains(*line.box.centre) for line in lines)
