"""Draws an answer, or everything that was seen, on a copy of the frame.

A certain target gets a solid outline, a guess a dashed one with a question mark: colour is never the only signal.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from fingerpost.engine.values import Answer, Box, Frame, Pixels, Target

ACCENT = (255, 92, 0)
"""Outline of the target, RGB. Orange keeps a contrast of 3:1 on white, black and the usual blue desktops."""
SECOND = (0, 122, 204)
"""Outline of the other candidates, RGB."""
DIM = 0.62
"""Brightness that is left of everything that is not a target."""
GUESS_BELOW = 0.6
"""Confidence under which a target is drawn as a guess."""
OVERSAMPLING = 3
"""Marks are drawn this much larger and shrunk, since Pillow draws without antialiasing."""


def draw_answer(frame: Frame, answer: Answer, limit: int = 9) -> Image.Image:
    """The frame with at most `limit` targets marked; shape and size as the frame, mode RGB."""
    picture = _to_image(frame.pixels)
    shown = answer.targets[:limit]
    if not shown:
        return picture
    unit = _unit(frame)
    picture = _dim(picture, [_grown(t.box, unit * 3, frame.box) for t in shown])
    for number, target in reversed(list(enumerate(shown, start=1))):
        _mark(picture, target, number, len(shown) > 1, answer.ambiguous, unit)
    return picture


def draw_boxes(frame: Frame, boxes: Iterable[tuple[Box, tuple[int, int, int]]]) -> Image.Image:
    """The frame with one thin outline a box, in the given RGB colour."""
    picture = _to_image(frame.pixels)
    draw = ImageDraw.Draw(picture)
    width = max(1, _unit(frame) // 2)
    for box, colour in boxes:
        if box.area:
            draw.rectangle((box.x, box.y, box.right - 1, box.bottom - 1), outline=colour, width=width)
    return picture


def _to_image(pixels: Pixels) -> Image.Image:
    return Image.fromarray(np.ascontiguousarray(pixels[..., 2::-1]), "RGB")


def _unit(frame: Frame) -> int:
    """Line width in frame pixels: 2 on an ordinary screen, 4 on a 4K one; smaller pictures stay legible."""
    return max(2, round(frame.height / 700))


def _grown(box: Box, margin: int, within: Box) -> Box:
    return Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin).intersection(within)


def _dim(picture: Image.Image, keep: list[Box]) -> Image.Image:
    dimmed = picture.point([round(level * DIM) for level in range(256)] * 3)
    for box in keep:
        bounds = (box.x, box.y, box.right, box.bottom)
        dimmed.paste(picture.crop(bounds), bounds)
    return dimmed


def _mark(picture: Image.Image, target: Target, number: int, numbered: bool, ambiguous: bool, unit: int) -> None:
    """Outline and label of one target, drawn on the part of the picture around it."""
    guess = ambiguous or target.confidence < GUESS_BELOW
    colour = ACCENT if number == 1 else SECOND
    outline = _grown(target.box, 2 * unit, Box(0, 0, picture.width, picture.height))
    text = _label(target, number, numbered, guess)
    font = ImageFont.load_default(7 * unit * OVERSAMPLING)
    text_width = int(font.getlength(text)) // OVERSAMPLING + 6 * unit
    label = _label_box(outline, text_width, 10 * unit, picture, unit)
    area = _grown(outline.union(label), 2 * unit, Box(0, 0, picture.width, picture.height))
    if not area.area:
        return
    layer = Image.new("RGBA", (area.width * OVERSAMPLING, area.height * OVERSAMPLING), (*colour, 0))
    draw = ImageDraw.Draw(layer)
    _draw_outline(draw, outline.moved(-area.x, -area.y), colour, unit, guess)
    _draw_label(draw, label.moved(-area.x, -area.y), text, font, colour, unit)
    layer = layer.resize((area.width, area.height), Image.Resampling.LANCZOS)
    picture.paste(layer, (area.x, area.y), layer)


def _label(target: Target, number: int, numbered: bool, guess: bool) -> str:
    name = target.label if len(target.label) <= 40 else target.label[:39] + "…"
    parts = [f"{number}"] if numbered else []
    parts += [name] if name else []
    parts += [f"{round(100 * target.confidence)} %" + (" ?" if guess else "")]
    return "  ".join(parts)


def _label_box(outline: Box, width: int, height: int, picture: Image.Image, unit: int) -> Box:
    """Above the outline when there is room, else below, else inside; never outside the picture."""
    x = min(max(0, outline.x), max(0, picture.width - width))
    if outline.y >= height + unit:
        return Box(x, outline.y - height - unit, width, height)
    if outline.bottom + unit + height <= picture.height:
        return Box(x, outline.bottom + unit, width, height)
    return Box(x, max(0, min(outline.y, picture.height - height)), width, height)


def _draw_outline(draw: ImageDraw.ImageDraw, box: Box, colour: tuple[int, int, int], unit: int, dashed: bool) -> None:
    s = OVERSAMPLING
    bounds = (box.x * s, box.y * s, box.right * s - 1, box.bottom * s - 1)
    radius = min(3 * unit, box.width // 2, box.height // 2) * s
    draw.rounded_rectangle(bounds, radius=radius, outline=(*colour, 255), width=unit * s)
    if not dashed:
        return
    step, line = 6 * unit * s, unit * s + 1
    for x in range(int(bounds[0]) + step, int(bounds[2]), step):
        for y in (bounds[1], bounds[3] - line):
            draw.rectangle((x, y, x + step // 3, y + line), fill=(*colour, 0))
    for y in range(int(bounds[1]) + step, int(bounds[3]), step):
        for x in (int(bounds[0]), int(bounds[2]) - line):
            draw.rectangle((x, y, x + line, y + step // 3), fill=(*colour, 0))


def _draw_label(
    draw: ImageDraw.ImageDraw,
    box: Box,
    text: str,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    colour: tuple[int, int, int],
    unit: int,
) -> None:
    s = OVERSAMPLING
    bounds = (box.x * s, box.y * s, box.right * s - 1, box.bottom * s - 1)
    draw.rounded_rectangle(bounds, radius=2 * unit * s, fill=(*colour, 255))
    middle = ((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2)
    draw.text(middle, text, fill=(255, 255, 255, 255), font=font, anchor="mm")
