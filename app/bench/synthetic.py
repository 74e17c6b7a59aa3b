"""Draws screens whose targets are known: windows full of buttons with words on them."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from fingerpost.engine.values import Box, Frame

WORDS = (
    "Save", "Open", "Close", "Print", "Export", "Import", "Rename", "Delete", "Undo", "Redo", "Search", "Replace",
    "Zoom in", "Zoom out", "Rotate", "Crop", "Merge", "Split", "Share", "Upload", "Download", "Refresh", "Connect",
    "Settings", "Account", "History", "Bookmarks", "Extensions", "Help", "About", "Next", "Previous", "Start", "Pause",
    "Stop", "Record", "Insert", "Table", "Chart", "Comment", "Review", "Translate", "Format", "Colours", "Layers",
    "Filters", "Preview", "Publish", "Archive", "Restore",
)  # fmt: skip
BACKGROUND, FACE, EDGE, INK = (236, 238, 241), (252, 252, 253), (150, 156, 165), (25, 28, 33)


@dataclass(frozen=True)
class Goal:
    """A button: what is asked for, and its box in frame pixels."""

    words: str
    box: Box


@dataclass(frozen=True)
class Screen:
    frame: Frame
    goals: tuple[Goal, ...]


def draw_screen(width: int = 1920, height: int = 1080, buttons: int = 24, seed: int = 0) -> Screen:
    """A screen with so many buttons at random places, none over another, each with a word of its own.

    At most `len(WORDS)` buttons; fewer are drawn when there is no room.
    """
    chance = random.Random(seed)
    picture = Image.new("RGB", (width, height), BACKGROUND)
    canvas = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size=16)
    goals: list[Goal] = []
    for word in chance.sample(WORDS, min(buttons, len(WORDS))):
        box = _free_place(chance, width, height, round(canvas.textlength(word, font)) + 24, [g.box for g in goals])
        if box is None:
            continue
        canvas.rounded_rectangle((box.x, box.y, box.right - 1, box.bottom - 1), 5, FACE, EDGE)
        canvas.text(box.centre, word, INK, font, anchor="mm")
        goals.append(Goal(f"the button {word}", box))
    bgra = np.dstack([np.asarray(picture)[..., ::-1], np.full((height, width), 255, np.uint8)])
    return Screen(Frame(np.ascontiguousarray(bgra), title="synthetic"), tuple(goals))


def change(frame: Frame, box: Box) -> Frame:
    """The frame with another colour in a box."""
    pixels = frame.pixels.copy()
    pixels[box.y : box.bottom, box.x : box.right, :3] ^= 255
    return Frame(pixels)


def _free_place(chance: random.Random, width: int, height: int, wide: int, taken: list[Box]) -> Box | None:
    high, gap = 32, 12
    for _ in range(100):
        box = Box(chance.randint(0, width - wide), chance.randint(0, height - high), wide, high)
        around = Box(box.x - gap, box.y - gap, wide + 2 * gap, high + 2 * gap)
        if not any(around.intersection(other).area for other in taken):
            return box
    return None
