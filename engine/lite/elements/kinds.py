"""What kind of control a flat area looks like, from what is in it.

A kind is a hint with a score. Where looks do not tell, the kind is "box": a wrong kind does more harm than none.
"""

from __future__ import annotations

import numpy as np

from fingerpost.engine.lite.elements.canvas import Canvas
from fingerpost.engine.lite.elements.contents import Contents, Text
from fingerpost.engine.lite.scene import Element
from fingerpost.engine.values import Box, Pixels

CONTROL_HEIGHTS = (13, 56)  # px at scale 1
SMALL = 20  # px at scale 1: outlined squares up to this size are window buttons and the like
SELECTION_SATURATION = 0.3  # colour strength (max - min channel, 0..1) from which a filled row is a selected one


def classify(canvas: Canvas, area: Box, contents: Contents, ui_scale: float) -> Element:
    low, high = CONTROL_HEIGHTS
    if not low * ui_scale <= area.height <= high * ui_scale:
        return Element(area, "box", 0.3)
    text = contents.text(area)
    if text is None:
        return _without_text(canvas, area, contents, ui_scale)
    if text.rows > 1:
        return Element(area, "box", 0.3)
    return _with_text(canvas, area, text, contents, ui_scale)


def _without_text(canvas: Canvas, area: Box, contents: Contents, ui_scale: float) -> Element:
    pictures = [p for p in contents.pictures_in(area) if p != area]
    if area.width < 2.2 * area.height:
        if max(area.width, area.height) <= SMALL * ui_scale:
            return Element(area, "icon", 0.5) if pictures else Element(area, "box", 0.3)
        return Element(area, "button", 0.5) if pictures else Element(area, "box", 0.3)
    centred = [p for p in pictures if abs(p.centre[0] - area.centre[0]) <= 4 * ui_scale]
    if len(pictures) == 1 and centred and area.width < 5 * area.height:
        return Element(area, "button", 0.5)
    if area.height < 17 * ui_scale and area.width > 10 * area.height:
        return Element(area, "box", 0.3)  # scroll bars, progress bars
    if len(pictures) <= 2 and stands_out(canvas, area, ui_scale):
        return Element(area, "field", 0.6)
    return Element(area, "box", 0.3)


def _with_text(canvas: Canvas, area: Box, text: Text, contents: Contents, ui_scale: float) -> Element:
    content = text.box
    for picture in contents.pictures_in(area):
        content = content.union(picture) if picture != area else content
    before, after = content.x - area.x, area.right - content.right
    alone = stands_out(canvas, area, ui_scale)
    if abs(before - after) <= max(6 * ui_scale, 0.1 * area.width) and area.width <= 8 * area.height:
        return Element(area, "button", 0.7 if alone else 0.5)
    if before > 1.3 * area.height or text.box.x - area.x > 3.5 * area.height:
        return Element(area, "box", 0.3)
    if area.width <= 50 * area.height and canvas.measure(_saturation, area) >= SELECTION_SATURATION:
        return Element(area, "list item", 0.5)
    if area.width >= 1.6 * area.height and alone:
        return Element(area, "field", 0.5)
    return Element(area, "box", 0.3)


def stands_out(canvas: Canvas, area: Box, ui_scale: float) -> bool:
    """A control sits on one background: beyond at least three of its sides the colour is the same.

    A gap between other things has different neighbours, and a bar reaches the sides of its window.
    """
    away = max(2, round(2 * ui_scale))
    return canvas.measure(_has_one_ground, area, away, away)


def _has_one_ground(pixels: Pixels, area: Box, away: int) -> bool:
    """Whether the colours `away` pixels beyond the area's sides are the same on at least three of them."""
    height, width = pixels.shape[:2]
    left, right = area.x + area.width // 4, area.right - area.width // 4
    top, bottom = area.y + area.height // 4, area.bottom - area.height // 4
    strips = []
    if area.y >= away:
        strips.append(pixels[area.y - away, left:right])
    if area.bottom + away <= height:
        strips.append(pixels[area.bottom + away - 1, left:right])
    if area.x >= away:
        strips.append(pixels[top:bottom, area.x - away])
    if area.right + away <= width:
        strips.append(pixels[top:bottom, area.right + away - 1])
    if len(strips) < 3:
        return False
    colours = np.array([np.median(s[:, :3].astype(np.int16), axis=0) for s in strips])
    around = np.median(colours, axis=0)
    return int((np.abs(colours - around).max(axis=1) <= 12).sum()) >= 3


def _saturation(pixels: Pixels, area: Box) -> float:
    inner = pixels[area.y + 2 : area.bottom - 2, area.x + 2 : area.right - 2, :3].reshape(-1, 3)
    colour = np.median(inner, axis=0)
    return float(colour.max() - colour.min()) / 255
