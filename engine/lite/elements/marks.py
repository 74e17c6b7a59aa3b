"""Check boxes, radio buttons and switches: small squares, discs and pills beside a caption."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fingerpost.engine.lite.elements.canvas import Canvas
from fingerpost.engine.lite.elements.contents import Contents
from fingerpost.engine.lite.elements.overlaps import outside
from fingerpost.engine.lite.elements.shapes import Shape, drawing, silhouette
from fingerpost.engine.lite.scene import Element
from fingerpost.engine.values import Box, Pixels

MARK_SIZES = (9, 26)  # px at scale 1: side of a check box, diameter of a radio button
DISC_FILL = (0.65, 0.875)  # share of its rectangle that a disc covers: pi / 4, less with blurred edges, more when small
SQUARE_FILL = 0.9
SWITCH_HEIGHTS = (12, 32)  # px at scale 1
MISREAD = 2  # letters: OCR reads a switch as "0" or "CO"
PILL_FILL = (0.8, 0.985)
FREE = 0.35  # of a switch's width: at least so much is free of its knob
STAINED = 0.05  # of that: less are soft edges


def find_marks(canvas: Canvas, boxes: Iterable[Box], contents: Contents, ui_scale: float) -> list[Element]:
    """The marks among `boxes` (areas and pictures): the box is the mark alone, without its caption."""
    found: list[Element] = []
    boxes = list(boxes)
    switches = [b for b in [*_both_halves(boxes, ui_scale), *boxes] if _has_switch_size(b, ui_scale)]
    for box in switches:
        if _is_switch(canvas, box, contents) and not any(box.iou(known.box) > 0.5 for known in found):
            found.append(Element(box, "switch", 0.8))
    for box in outside(boxes, [switch.box for switch in found]):
        if _has_mark_size(box, ui_scale, slack=0.25):
            found += _mark(canvas, box, contents, ui_scale)
    return found


def _both_halves(boxes: Sequence[Box], ui_scale: float) -> list[Box]:
    """Boxes around two that touch side by side at the same height: a switch's knob and the rest of it."""
    halves = sorted((b for b in boxes if SWITCH_HEIGHTS[0] * ui_scale / 2 <= b.height), key=lambda b: b.x)
    halves = [b for b in halves if max(b.width, b.height) <= 2 * SWITCH_HEIGHTS[1] * ui_scale]
    found = []
    for index, left in enumerate(halves):
        for right in halves[index + 1 :]:
            if right.x > left.right + 4 * ui_scale:
                break
            level = abs(left.centre[1] - right.centre[1]) <= 2 * ui_scale
            if level and right.right > left.right and right.x > left.x + left.width // 2:
                found.append(left.union(right))
    return found


def _mark(canvas: Canvas, box: Box, contents: Contents, ui_scale: float) -> list[Element]:
    fill, tight = canvas.measure(silhouette, box, 2)
    if not (_has_mark_size(tight, ui_scale) and _caption_beside(tight, contents)):
        return []
    gap = max(2, round(3 * ui_scale))
    if not canvas.measure(_stands_apart, tight, 1 + gap, gap):
        return []
    if fill >= SQUARE_FILL and canvas.measure(_plain_border, tight):
        return [Element(tight, "check box", 0.85)]
    if DISC_FILL[0] <= fill <= DISC_FILL[1] and canvas.measure(_symmetric, tight, 1):
        return [Element(tight, "radio button", 0.8)]
    return []


def _has_mark_size(box: Box, ui_scale: float, slack: float = 0.0) -> bool:
    """Nearly square; `slack` widens all limits for a box that may be cut or have a shadow."""
    low, high = MARK_SIZES
    shortest, longest = min(box.width, box.height), max(box.width, box.height)
    sized = low * (1 - slack) * ui_scale <= shortest and longest <= high * (1 + slack) * ui_scale
    return sized and longest <= (1.16 + slack) * shortest + 1


def _has_switch_size(box: Box, ui_scale: float) -> bool:
    low, high = SWITCH_HEIGHTS
    return low * ui_scale <= box.height <= high * ui_scale and 1.5 <= box.width / box.height <= 2.4


def _caption_beside(box: Box, contents: Contents) -> bool:
    """A text begins right of the mark, at most two mark widths away; nothing is written in the mark itself."""
    reach = Box(box.right + 1, box.y, 2 * box.width + box.width // 2, box.height)
    text = contents.text(reach)
    if text is None or text.line_letters < 2:
        return False
    return text.line_height <= 2.2 * box.height and text.box.x - box.right <= 2 * box.width


def _stands_apart(pixels: Pixels, box: Box, width: int) -> bool:
    """Nothing is drawn in the first pixels right of a mark; a letter is followed by the next one."""
    gap = pixels[box.y : box.bottom, box.right + 1 : box.right + 1 + width, :3]
    if gap.size == 0:
        return False
    colours = gap.reshape(-1, 3).astype(np.int16)
    return bool(np.abs(colours - np.median(colours, axis=0)).max() <= 24)


def _plain_border(pixels: Pixels, tight: Box) -> bool:
    """The border has one colour all around; pictures that happen to be square have not."""
    inner = pixels[tight.y : tight.bottom, tight.x : tight.right, :3].astype(np.float64)
    corner = max(3, min(tight.width, tight.height) // 4)
    sides = [inner[0, corner:-corner], inner[-1, corner:-corner], inner[corner:-corner, 0], inner[corner:-corner, -1]]
    if any(side.size == 0 for side in sides):
        return False
    means = np.array([side.mean(axis=0) for side in sides])
    return bool(np.ptp(means, axis=0).max() < 60 and max(side.std(axis=0).max() for side in sides) < 30)


def _symmetric(pixels: Pixels, box: Box) -> bool:
    """A radio button looks the same left and right, and above and below; most round icons do not."""
    mask = drawing(pixels, box, margin=1) > 0
    return bool((mask == mask[:, ::-1]).mean() > 0.85 and (mask == mask[::-1]).mean() > 0.85)


def _is_switch(canvas: Canvas, box: Box, contents: Contents) -> bool:
    """A pill with a disc at one of its ends and nothing written in it."""
    text = contents.text(box)
    if text is not None and text.line_letters > MISREAD:
        return False
    if not PILL_FILL[0] <= canvas.measure(silhouette, box, 2)[0] <= PILL_FILL[1]:
        return False
    inner = Box(box.x + 2, box.y + 2, box.width - 4, box.height - 4)
    mask = canvas.measure(drawing, inner, 0, 0) > 0
    half = mask.shape[1] // 2
    left, right = float(mask[:, :half].mean()), float(mask[:, -half:].mean())
    return abs(left - right) > 0.35 and (text is None or _is_free(mask if left < right else mask[:, ::-1]))


def _is_free(mask: Shape) -> bool:
    """Whether nothing is drawn at a pill's left end: beside a picture there stands a number, beside a knob nothing."""
    height, width = mask.shape
    rows = mask[height // 4 : -(height // 4), 2 : max(3, round(FREE * width))]  # without the round corners
    return float(rows.mean()) < STAINED
