"""Sliders: a knob on a long thin trough, lying or standing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from fingerpost.engine.lite.elements.edges import CLEAR_EDGE, EdgeMaps, Mask, bounds, closed, opened
from fingerpost.engine.lite.scene import Element
from fingerpost.engine.values import Box

AT_ONCE = 64  # knobs compared with all troughs; bounds the memory

Table = npt.NDArray[np.int64]
"""Shape (n, 4): x, y, width and height of boxes."""


def find_sliders(edges: EdgeMaps, knobs: Sequence[Box], ui_scale: float) -> list[Element]:
    """Sliders with their whole trough, as high as their knob; at least 50 px long at scale 1.

    knobs  boxes of small drawings and areas; one that a trough runs into on the left or on the right is a knob
    """
    small = [k for k in knobs if _could_be_knob(k, ui_scale)]
    if not small:
        return []
    lying = _on_troughs(_troughs(edges.horizontal(CLEAR_EDGE), ui_scale), small, ui_scale)
    standing_mask = np.ascontiguousarray(edges.vertical(CLEAR_EDGE).T)
    standing = _on_troughs(_troughs(standing_mask, ui_scale), [_turned(k) for k in small], ui_scale)
    return [Element(box, "slider", 0.8) for box in [*lying, *(_turned(b) for b in standing)]]


def _could_be_knob(box: Box, ui_scale: float) -> bool:
    longest, shortest = max(box.width, box.height), min(box.width, box.height)
    return 8 * ui_scale <= longest <= 30 * ui_scale and shortest >= 0.3 * longest


def _troughs(level_edges: Mask, ui_scale: float) -> list[Box]:
    """Pairs of level lines 2..10 px apart at scale 1, each at least 12 px long."""
    lines = opened(level_edges, max(5, round(12 * ui_scale)), 1)
    found = bounds(closed(lines, 1, max(3, round(9 * ui_scale))))
    _, _, width, height = found.T
    good = (height >= 2) & (height <= 11 * ui_scale) & (width >= 12 * ui_scale)
    return [Box(int(a), int(b) + 1, int(c), int(d)) for a, b, c, d in found[good]]


def _on_troughs(troughs: Sequence[Box], knobs: Sequence[Box], ui_scale: float) -> list[Box]:
    found: list[Box] = []
    for knob, parts in _with_troughs(troughs, knobs, ui_scale):
        if any(f.intersection(knob).area > 0.5 * knob.area for f in found):
            continue
        whole = knob
        for part in parts:
            whole = whole.union(part)
        if whole.width >= max(50 * ui_scale, 3 * knob.width):
            found.append(whole)
    return found


def _with_troughs(troughs: Sequence[Box], knobs: Sequence[Box], ui_scale: float) -> Iterator[tuple[Box, list[Box]]]:
    """Each knob with the troughs that run into it, if there are any."""
    table = np.array(troughs, np.int64).reshape(-1, 4)
    for start in range(0, len(knobs), AT_ONCE):
        some = knobs[start : start + AT_ONCE]
        into = _run_into(table, np.array(some, np.int64), ui_scale)
        for index in np.flatnonzero(into.any(axis=1)).tolist():
            yield some[index], [troughs[other] for other in np.flatnonzero(into[index]).tolist()]


def _run_into(troughs: Table, knobs: Table, ui_scale: float) -> npt.NDArray[np.bool_]:
    """Shape (knobs, troughs): which troughs are thinner than the knob, at the height of its middle, and end at or
    under it.
    """
    x, y, width, height = troughs.T
    knob_x, knob_y, knob_width, knob_height = knobs.T[:, :, None]
    slack = 5 * ui_scale
    level = np.abs(y + height // 2 - (knob_y + knob_height // 2)) <= np.maximum(2.0, 0.15 * knob_height)
    reaches = (x <= knob_x + knob_width + slack) & (x + width >= knob_x - slack)
    return np.asarray((height <= 0.6 * knob_height) & level & reaches, np.bool_)


def _turned(box: Box) -> Box:
    """Mirrored at the diagonal: lying becomes standing."""
    return Box(box.y, box.x, box.height, box.width)
