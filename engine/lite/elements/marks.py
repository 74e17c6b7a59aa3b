"""Check boxes, radio buttons and switches: small squares, discs and pills beside a caption."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fingerpost.engine.lite.elements.contents import Contents
from fingerpost.engine.lite.elements.shapes import drawing, outer_fill
from fingerpost.engine.lite.scene import Element
from fingerpost.engine.values import Box, Pixels

MARK_SIZES = (9, 26)  # px at scale 1: side of a check box, diameter of a radio button
DISC_FILL = (0.68, 0.875)  # share of its rectangle that a disc covers: pi / 4, more for small stepped circles
SQUARE_FILL = 0.9
PILL_FILL = (0.8, 0.985)


def find_marks(pixels: Pixels, boxes: Iterable[Box], contents: Contents, ui_scale: float) -> list[Element]:
    """The marks among `boxes` (areas and pictures): the box is the mark alone, without its caption."""
    found = []
    for box in boxes:
        kind = ""
        if _has_mark_size(box, ui_scale) and _caption_beside(box, contents):
            kind = _square_or_disc(pixels, box)
        elif _has_switch_size(box, ui_scale) and _is_switch(pixels, box, contents):
            kind = "switch"
        if kind:
            found.append(Element(box, kind, 0.85 if kind == "check box" else 0.8))
    return found


def _has_mark_size(box: Box, ui_scale: float) -> bool:
    low, high = MARK_SIZES
    shortest, longest = min(box.width, box.height), max(box.width, box.height)
    return low * ui_scale <= shortest and longest <= high * ui_scale and longest <= 1.16 * shortest + 1


def _has_switch_size(box: Box, ui_scale: float) -> bool:
    return 12 * ui_scale <= box.height <= 32 * ui_scale and 1.5 <= box.width / box.height <= 2.4


def _caption_beside(box: Box, contents: Contents) -> bool:
    """A text begins right of the mark, at most two mark widths away; nothing is written in the mark itself."""
    reach = Box(box.right + 1, box.y, 2 * box.width + box.width // 2, box.height)
    text = contents.text(reach)
    if text is None or text.line_letters < 2:
        return False
    return text.line_height <= 2.2 * box.height and text.box.x - box.right <= 2 * box.width


def _square_or_disc(pixels: Pixels, box: Box) -> str:
    fill = outer_fill(pixels, box)
    if fill >= SQUARE_FILL:
        return "check box" if _plain_border(pixels, box) else ""
    if DISC_FILL[0] <= fill <= DISC_FILL[1]:
        return "radio button" if _symmetric(pixels, box) else ""
    return ""


def _plain_border(pixels: Pixels, box: Box) -> bool:
    """The border has one colour all around; pictures that happen to be square have not."""
    inner = pixels[box.y : box.bottom, box.x : box.right, :3].astype(np.int16)
    k = 2 if min(box.width, box.height) > 8 else 1
    sides = [inner[:k, 3:-3], inner[-k:, 3:-3], inner[3:-3, :k], inner[3:-3, -k:]]
    spread = [float(side.reshape(-1, 3).mean(axis=0).max()) for side in sides if side.size]
    variation = [float(side.astype(float).std(axis=1 if side.shape[1] > side.shape[0] else 0).max()) for side in sides]
    return max(spread) - min(spread) < 60 and max(variation) < 40


def _symmetric(pixels: Pixels, box: Box) -> bool:
    """A radio button looks the same left and right, and above and below; most round icons do not."""
    mask = drawing(pixels, box, margin=1) > 0
    return bool((mask == mask[:, ::-1]).mean() > 0.85 and (mask == mask[::-1]).mean() > 0.85)


def _is_switch(pixels: Pixels, box: Box, contents: Contents) -> bool:
    """A pill with a disc at one of its ends and nothing written in it."""
    if not PILL_FILL[0] <= outer_fill(pixels, box) <= PILL_FILL[1] or contents.text(box) is not None:
        return False
    mask = drawing(pixels, Box(box.x + 2, box.y + 2, box.width - 4, box.height - 4), margin=0)
    half = mask.shape[1] // 2
    left, right = float((mask[:, :half] > 0).mean()), float((mask[:, -half:] > 0).mean())
    return abs(left - right) > 0.35
