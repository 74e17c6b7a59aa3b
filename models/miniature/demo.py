"""The screen that ships for trying the miniature out.

python -m fingerpost.models.miniature.demo    draws it anew
"""

from __future__ import annotations

import random
from pathlib import Path

from PIL import Image

from fingerpost.models.miniature.scenes import Plan, Screen, draw_screen

PICTURE = Path(__file__).with_name("screen.png")
PLAN = Plan(1280, 800, (67, 150), 15)
"""Sides of things that the miniature, which is sent this as 384 × 256 pixels, sees as 20 to 45."""
SEED = 4804


def draw() -> Screen:
    """The same on every machine."""
    return draw_screen(PLAN, random.Random(SEED))


if __name__ == "__main__":
    Image.fromarray(draw().pixels).save(PICTURE, optimize=True)
