"""Screens to measure on: a picture brought to the size of a screen, then changed in parts or all over."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from fingerpost.engine import pictures
from fingerpost.engine.values import Box, Frame

SHIPPED = Path(__file__).resolve().parents[2] / "packaging" / "media" / "screenshot.png"
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "we", "xi")
LETTERS = 14  # pixels, the height of the font that is drawn
LINE = 20  # pixels from line to line


def load(path: Path, width: int, height: int) -> Frame:
    """The picture at its own scale, cut to the given size, or repeated in negative, so that few texts show twice."""
    pixels = pictures.load(path).pixels
    tile_rows, rows = np.divmod(np.arange(height), pixels.shape[0])
    tile_columns, columns = np.divmod(np.arange(width), pixels.shape[1])
    screen = np.ascontiguousarray(pixels[rows][:, columns])
    negative = (tile_rows[:, None] + tile_columns) % 2 == 1
    screen[negative] = 255 - screen[negative]
    return Frame(screen, title=path.name)


def with_parts_of(frame: Frame, other: Frame, share: float, parts: int, rng: random.Random) -> Frame:
    """The frame with `share` of its area covered by parts of another of the same size, at random places."""
    pixels = frame.pixels.copy()
    for box in _places(frame, share, parts, rng):
        x, y = rng.randrange(frame.width - box.width), rng.randrange(frame.height - box.height)
        pixels[box.y : box.bottom, box.x : box.right] = other.pixels[y : y + box.height, x : x + box.width]
    return Frame(pixels)


def turned(frame: Frame) -> Frame:
    """The frame upside down: as much to see as before, and none of it known."""
    return Frame(np.ascontiguousarray(frame.pixels[::-1, ::-1]))


def variation(frame: Frame, rng: random.Random) -> Frame:
    """Another screen of the same kind: moved, recoloured, a third of it with new text."""
    moved = np.roll(frame.pixels, (rng.randrange(frame.height), rng.randrange(frame.width)), axis=(0, 1))
    order = rng.sample(range(3), 3)
    recoloured = moved[..., [*order, 3]]
    if rng.random() < 0.5:
        recoloured = 255 - recoloured
    image = Image.fromarray(np.ascontiguousarray(recoloured[..., 2::-1]))
    for box in _places(frame, share=0.33, parts=3, rng=rng):
        _draw_panel(image, box, rng)
    return pictures.as_frame(image)


def _places(frame: Frame, share: float, parts: int, rng: random.Random) -> Iterator[Box]:
    """Boxes of the frame's shape, together `share` of its area; side by side, so that they never overlap."""
    width, height = (round(side * (share / parts) ** 0.5) for side in (frame.width, frame.height))
    slot = frame.width // parts
    for part in range(parts):
        x = part * slot + rng.randrange(max(1, slot - width))
        yield Box(x, rng.randrange(max(1, frame.height - height)), width, height)


def _draw_panel(image: Image.Image, box: Box, rng: random.Random) -> None:
    ground, ink = rng.choice([("#ffffff", "#1a1a1a"), ("#f0f0f0", "#1a1a1a"), ("#2b2b2b", "#e0e0e0")])
    panel = Image.new("RGB", (box.width, box.height), ground)
    draw = ImageDraw.Draw(panel)
    for y in range(4, box.height - LINE, LINE):
        words = " ".join("".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(box.width // 50))
        draw.text((6, y), words, fill=ink, font=ImageFont.load_default(LETTERS))
    image.paste(panel, (box.x, box.y))
