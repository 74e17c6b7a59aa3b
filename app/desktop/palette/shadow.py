"""A soft shadow around a rounded card, computed once and stretched."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

STRENGTH = 0.26
DROP = 8  # logical pixels that the light comes from above


def paint_shadow(painter: QPainter, card: QRectF, radius: int, reach: int, ratio: float) -> None:
    """Around `card`, `reach` logical pixels wide; `ratio` is the screen's scale."""
    corner = radius + reach
    picture = _picture(radius, reach, ratio)
    whole = card.adjusted(-reach, -reach, reach, reach)
    side = corner * ratio
    middle = picture.width() - 2 * side
    from_x = ((0.0, side), (side, middle), (side + middle, side))
    xs = ((whole.left(), corner), (whole.left() + corner, whole.width() - 2 * corner), (whole.right() - corner, corner))
    ys = ((whole.top(), corner), (whole.top() + corner, whole.height() - 2 * corner), (whole.bottom() - corner, corner))
    for column in range(3):
        for row in range(3):
            target = QRectF(xs[column][0], ys[row][0], xs[column][1], ys[row][1])
            source = QRectF(from_x[column][0], from_x[row][0], from_x[column][1], from_x[row][1])
            painter.drawImage(target, picture, source)


@lru_cache(maxsize=4)
def _picture(radius: int, reach: int, ratio: float) -> QImage:
    """Four corners and a stretch of two pixels between them: black, its alpha falling with the distance."""
    corner = (radius + reach) * ratio
    side = round(2 * corner) + 2
    place = np.abs(np.arange(side) + 0.5 - side / 2) - 1  # from the middle
    inner = np.maximum(place, 0.0)
    distance = np.hypot(inner[:, None], inner[None, :]) - radius * ratio
    fade = np.clip(1 - distance / (reach * ratio), 0.0, 1.0)
    alpha = np.round(255 * STRENGTH * fade**2.6 * (3 - 2 * fade)).clip(0, 255).astype(np.uint8)
    pixels = np.zeros((side, side, 4), np.uint8)
    pixels[..., 3] = alpha
    return QImage(pixels.tobytes(), side, side, side * 4, QImage.Format.Format_ARGB32_Premultiplied).copy()
