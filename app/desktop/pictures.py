"""Pieces of a frame as pictures: for the palette's list and for the history."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QImageWriter

from fingerpost.engine.values import Box, Frame

AROUND = 12  # frame pixels of surroundings in a thumbnail
HISTORY_SIZE = (480, 240)  # frame pixels around a target that the history keeps


def thumbnail(frame: Frame, box: Box) -> QImage:
    """The box with a little of its surroundings, in frame pixels; a copy that outlives the frame."""
    wide = Box(box.x - AROUND, box.y - AROUND, box.width + 2 * AROUND, box.height + 2 * AROUND)
    x, y, width, height = wide.intersection(frame.box)
    piece = np.ascontiguousarray(frame.pixels[y : y + height, x : x + width])
    return QImage(piece.data, width, height, width * 4, QImage.Format.Format_RGB32).copy()


def for_history(frame: Frame, box: Box | None) -> bytes:
    """A PNG of the place with its surroundings; without a box a small picture of the whole frame."""
    around = frame.box if box is None else _around(frame, box)
    piece = np.ascontiguousarray(frame.pixels[around.y : around.bottom, around.x : around.right])
    image = QImage(piece.data, around.width, around.height, around.width * 4, QImage.Format.Format_RGB32)
    if box is None:
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        image = image.scaled(*HISTORY_SIZE, keep, smooth)
    file = QBuffer()
    file.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(file, QByteArray(b"png"))
    writer.write(image)
    return bytes(file.data().data())


def _around(frame: Frame, box: Box) -> Box:
    x, y = box.centre
    width, height = max(HISTORY_SIZE[0], box.width), max(HISTORY_SIZE[1], box.height)
    return Box(x - width // 2, y - height // 2, width, height).intersection(frame.box)
