"""Screens of shapes, buttons, words, icons and fields, as large as a model is to see them.

They are the miniature's own screens; every vision model can name what is on them.
"""

from __future__ import annotations

import random

import numpy as np

from fingerpost.app.bench.synthetic import Goal, Screen
from fingerpost.engine.values import Box, Frame, FrameSize
from fingerpost.models.miniature import scenes

SEEN = (38.0, 60.0)
"""Least and greatest height of a thing, pixels of the picture as the model is sent it. Somewhat more than the buttons
of a desktop, which Holotron-12B is sent in its own size: how a model tells places is measured, not how well it sees."""
LARGEST = 0.2
"""No thing has a longer side than this share of the screen, even if so few pixels are sent that it is seen smaller."""


def plan_for(size: FrameSize, sent: FrameSize, most: int) -> scenes.Plan:
    """A screen of `size` pixels with at most so many things, for a model that is sent it as `sent` pixels."""
    stretch = (sent.width / size.width * sent.height / size.height) ** 0.5
    largest = LARGEST * min(size.width, size.height)
    least, greatest = (min(side / stretch, largest) for side in SEEN)
    return scenes.Plan(size.width, size.height, (least, greatest), most)


def draw_things(plan: scenes.Plan, seed: int) -> Screen:
    """All but a few of the things are asked for, in random order, each with words that fit no other."""
    chance = random.Random(seed)
    drawn = scenes.draw_screen(plan, chance)
    goals = (Goal(one.words, box_of(one.thing)) for one in scenes.questions(drawn, chance))
    return Screen(frame_of(drawn), tuple(goals))


def frame_of(drawn: scenes.Screen) -> Frame:
    """As if it had been captured."""
    height, width, _ = drawn.pixels.shape
    bgra = np.dstack([drawn.pixels[..., ::-1], np.full((height, width), 255, np.uint8)])
    return Frame(np.ascontiguousarray(bgra), title="synthetic")


def box_of(thing: scenes.Thing) -> Box:
    """Where to click, in frame pixels."""
    left, top, right, bottom = map(round, thing.rect)
    return Box(left, top, right - left, bottom - top)
