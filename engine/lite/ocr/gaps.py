"""Takes apart what the detector found as one line: entries of a menu bar, tabs, cells of a table."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fingerpost.engine.values import Box, Pixels

INK = 14  # grey levels: a column of pixels that varies less is empty
MIDDLE = 0.7  # of the box's height: above and below may be a frame's border
WIDE = 0.6  # of the box's height: a wider gap parts two labels. A space between words is about a fifth
SIDE = 0.25  # of the box's height: what a part keeps of the gap at its side


def parts(pixels: Pixels, box: Box) -> list[Box]:
    """The line in `box` cut at its wide gaps, from left to right; the box itself when there are none."""
    ink = np.flatnonzero(ink_columns(pixels, box))
    if not len(ink):
        return [box]
    wide = np.flatnonzero(np.diff(ink) - 1 > WIDE * box.height)
    if not len(wide):
        return [box]
    side = round(SIDE * box.height)
    starts = ink[np.append(0, wide + 1)] - side
    stops = ink[np.append(wide, len(ink) - 1)] + 1 + side
    starts[0], stops[-1] = max(0, starts[0]), min(box.width, stops[-1])
    return [
        Box(box.x + int(start), box.y, int(stop - start), box.height) for start, stop in zip(starts, stops, strict=True)
    ]


def ink_columns(pixels: Pixels, box: Box) -> npt.NDArray[np.bool_]:
    """For each column of the box: whether anything but a plain colour is drawn in it."""
    cut = round(box.height * (1 - MIDDLE) / 2)
    rows = pixels[box.y + cut : box.bottom - cut, box.x : box.right, :3]
    if not rows.size:
        return np.ones(box.width, np.bool_)
    varies = rows.max(axis=0) - rows.min(axis=0)
    return np.asarray(varies.max(axis=1) >= INK)
