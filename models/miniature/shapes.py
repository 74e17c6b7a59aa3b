"""The miniature's sizes: Holotron-12B's architecture, a few thousand times smaller."""

from __future__ import annotations

from fingerpost.models.gguf.language import Mixer, Shape
from fingerpost.models.gguf.vision import VisionShape

LANGUAGE = Shape(
    embedding=160,
    pattern="M*-M*-M*-",
    heads=8,
    kv_heads=2,
    head_size=32,
    feed_forward=320,
    mixer=Mixer(heads=10, inner=320, state=96, groups=1),
    context=16384,
)
VISION = VisionShape(embedding=128, layers=4, heads=4, feed_forward=256, tile=128, patch=16, registers=4, projector=1)
"""A tile of 128 × 128 pixels becomes 16 tokens."""
