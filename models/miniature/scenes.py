"""Draws screens for the miniature: shapes, buttons, words, icons and fields at known places, over windows.

The same seed draws the same screen on every machine: the only font is the one that comes with Pillow.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from fingerpost.models.miniature.words import COLOURS, ICONS, LABELS, LETTERS, ORDINALS, SHAPES, SIDES

Colour = tuple[int, int, int]
Rect = tuple[float, float, float, float]
"""Left, top, right, bottom; pixels of the screen."""
KINDS = ("shape", "button", "word", "icon", "field")
SHARES = (5, 5, 3, 3, 2)
"""How often each comes, as long as there are names left."""
ON_GROUND = {"word", "icon", "field"}
"""What is drawn in one ink: all of what lies behind it must be about as light."""
EVEN = 60
"""How much lighter one part of it may be than another, 0..255."""


@dataclass(frozen=True)
class Thing:
    """One thing on a screen.

    name    the shape, letter, word or icon; a field has the word in front of it
    colour  of a shape, else ""
    rect    where to click
    named   where its name stands, or is seen: of a field, the word in front
    """

    kind: str
    name: str
    colour: str
    rect: Rect
    named: Rect

    @property
    def called(self) -> tuple[str, str, str]:
        """All that can be said of it but its place."""
        return self.kind, self.name, self.colour

    @property
    def centre(self) -> tuple[float, float]:
        return _middle(self.rect)


@dataclass(frozen=True)
class Question:
    """What is asked for, and which thing is meant."""

    words: str
    thing: Thing


@dataclass(frozen=True)
class Screen:
    """`pixels`: shape (height, width, 3), dtype uint8, channels red, green, blue."""

    pixels: npt.NDArray[np.uint8]
    things: tuple[Thing, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.pixels.shape[1], self.pixels.shape[0]


@dataclass(frozen=True)
class Plan:
    """How a screen is filled.

    sizes  least and greatest height of a thing, pixels of the screen
    most   so many things at most
    again  how many equal shapes there are, one of these
    """

    width: int
    height: int
    sizes: tuple[float, float]
    most: int = 14
    again: tuple[int, ...] = (0, 0, 2, 3)


def draw_screen(plan: Plan, chance: random.Random) -> Screen:
    """A screen full of things, none over another, no two called the same but for a few shapes that come in threes."""
    picture = Image.new("RGB", (plan.width, plan.height), _ground(chance))
    canvas = ImageDraw.Draw(picture)
    _windows(plan, canvas, chance)
    things: list[Thing] = []
    taken: list[Rect] = []
    for kind, name, colour in itertools.islice(_names(plan.again, chance), plan.most):
        size = math.exp(chance.uniform(*map(math.log, plan.sizes)))
        ground = picture if kind in ON_GROUND else None
        whole = _free_place(plan, ground, _extent(kind, name, size), taken, size, chance)
        if whole is None:
            continue
        taken.append(whole)
        rect = _DRAW[kind](Spot(canvas, picture, whole, name, colour, size, chance))
        named = (*whole[:2], rect[0], whole[3]) if kind == "field" else rect
        things.append(Thing(kind, name, colour, rect, named))
    return Screen(np.asarray(picture), tuple(things))


def questions(screen: Screen, chance: random.Random) -> list[Question]:
    """One for every thing that can be named so that only it is meant, in random order."""
    asked = []
    for thing in screen.things:
        same = [one for one in screen.things if one.called == thing.called]
        words = _words(thing) if len(same) == 1 else _among(thing, same, chance)
        if words:
            asked.append(Question(words, thing))
    chance.shuffle(asked)
    return asked


def _words(thing: Thing) -> str:
    if thing.kind == "shape":
        return f"the {thing.colour} {thing.name}"
    if thing.kind == "word":
        return f"the word {thing.name}"
    if thing.kind == "icon":
        return f"the {thing.name} icon"
    return f"{thing.kind} {thing.name}"


def _among(thing: Thing, same: Sequence[Thing], chance: random.Random) -> str:
    """Which of several equal things: counted from a side where they are clearly one behind another; "" if nowhere."""
    sides = list(SIDES)
    chance.shuffle(sides)
    for side in sides:
        axis, sign = (0 if side in {"left", "right"} else 1), (1 if side in {"left", "top"} else -1)
        places = sorted(sign * one.centre[axis] for one in same)
        apart = (thing.rect[axis + 2] - thing.rect[axis]) * 0.6
        if all(after - before > apart for before, after in itertools.pairwise(places)):
            ordinal = ORDINALS[places.index(sign * thing.centre[axis])]
            return f"the {ordinal} {thing.colour} {thing.name} from the {side}"
    return ""


def _names(again: Sequence[int], chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """Kind, name and colour of one thing after another, first those that are equal."""
    pairs = [(shape, colour) for shape in SHAPES for colour in COLOURS]
    letters, labels, icons = list(LETTERS), list(LABELS), list(ICONS)
    for pool in (pairs, letters, labels, icons):
        chance.shuffle(pool)
    shape, colour = pairs.pop()
    for _ in range(chance.choice(again)):
        yield "shape", shape, colour
    while pairs:
        kind = chance.choices(KINDS, SHARES)[0]
        if kind == "shape" and pairs:
            shape, colour = pairs.pop()
            yield kind, shape, colour
        elif kind == "button" and letters:
            yield kind, letters.pop(), ""
        elif kind in {"word", "field"} and labels:
            yield kind, labels.pop(), ""
        elif kind == "icon" and icons:
            yield kind, icons.pop(), ""


def _ground(chance: random.Random) -> Colour:
    lights = (chance.randint(215, 235), chance.randint(40, 60), chance.randint(150, 172), chance.randint(95, 112))
    light = chance.choice(lights)
    return (light + chance.randint(-8, 8), light + chance.randint(-8, 8), light + chance.randint(-8, 8))


def _windows(plan: Plan, canvas: ImageDraw.ImageDraw, chance: random.Random) -> None:
    """Up to two plain windows with a title bar, as a background."""
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        wide, high = (chance.uniform(0.35, 0.8) * side for side in (plan.width, plan.height))
        left, top = chance.uniform(0, plan.width - wide), chance.uniform(0, plan.height - high)
        bar = max(3.0, 0.05 * min(plan.width, plan.height))
        canvas.rectangle((left, top, left + wide, top + high), _ground(chance), (120, 120, 125))
        canvas.rectangle((left, top, left + wide, top + bar), _ground(chance))


def _extent(kind: str, name: str, size: float) -> tuple[float, float]:
    """Width and height that a thing takes, its label included."""
    if kind == "button":
        return size * 1.25, size
    if kind == "word":
        return size * (0.62 * len(name) + 0.5), size
    if kind == "field":
        return size * (0.62 * len(name) + 0.3) + size * 2.2, size
    return size, size


def _free_place(
    plan: Plan,
    ground: Image.Image | None,
    extent: tuple[float, float],
    taken: Sequence[Rect],
    size: float,
    chance: random.Random,
) -> Rect | None:
    """Where nothing is yet, and the ground is even, if one is given; None when chance does not find it."""
    wide, high = extent
    gap = 0.15 * size + 1
    if wide + 2 > plan.width or high + 2 > plan.height:
        return None
    for _ in range(25):
        left, top = chance.uniform(1, plan.width - wide - 1), chance.uniform(1, plan.height - high - 1)
        right, bottom = left + wide, top + high
        if all(
            left - gap > other[2] or right + gap < other[0] or top - gap > other[3] or bottom + gap < other[1]
            for other in taken
        ):
            darkest, lightest = _lightness(ground, (left, top, right, bottom)) if ground else (0.0, 0.0)
            if lightest - darkest <= EVEN:
                return left, top, right, bottom
    return None


def _lightness(picture: Image.Image, rect: Rect) -> tuple[float, float]:
    """Least and greatest there, 0..255."""
    part = picture.crop((math.floor(rect[0]), math.floor(rect[1]), math.ceil(rect[2]), math.ceil(rect[3])))
    lightness = np.asarray(part.convert("L"))
    return float(lightness.min()), float(lightness.max())


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _middle(rect: Rect) -> tuple[float, float]:
    return (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2


@dataclass(frozen=True)
class Spot:
    """Where and how one thing is drawn."""

    canvas: ImageDraw.ImageDraw
    picture: Image.Image
    rect: Rect
    name: str
    colour: str
    size: float
    chance: random.Random

    @property
    def lightness(self) -> float:
        """Of what was drawn there before, 0..255: the middle between its least and greatest."""
        return sum(_lightness(self.picture, self.rect)) / 2

    @property
    def ink(self) -> Colour:
        """A colour that can be read on what is there."""
        return (24, 26, 30) if self.lightness > 125 else (240, 240, 242)


def _text(canvas: ImageDraw.ImageDraw, centre: tuple[float, float], text: str, height: float, ink: Colour) -> None:
    """Letters whose capitals fill about 0.7 of `height`."""
    canvas.text(centre, text, ink, _font(max(6, round(height))), anchor="mm")


def _draw_shape(at: Spot) -> Rect:
    red, green, blue = (min(255, max(0, value + at.chance.randint(-6, 6))) for value in COLOURS[at.colour])
    edge = (235, 235, 235) if at.lightness < 127 else (30, 30, 30)
    _form(at.canvas, at.rect, at.name, (red, green, blue), edge)
    return at.rect


def _form(canvas: ImageDraw.ImageDraw, rect: Rect, name: str, fill: Colour, edge: Colour) -> None:
    left, top, right, bottom = rect
    middle, centre, size = (left + right) / 2, (top + bottom) / 2, right - left
    if name == "circle":
        canvas.ellipse(rect, fill, edge)
    elif name == "ring":
        wide = max(2, round(size * 0.2))
        canvas.ellipse(rect, None, fill, wide)
        canvas.ellipse(rect, None, edge)
        canvas.ellipse((left + wide, top + wide, right - wide, bottom - wide), None, edge)
    elif name == "square":
        canvas.rectangle((left + size * 0.06, top + size * 0.06, right - size * 0.06, bottom - size * 0.06), fill, edge)
    elif name == "cross":
        arm = size * 0.17
        canvas.polygon(
            [
                (middle - arm, top), (middle + arm, top), (middle + arm, centre - arm), (right, centre - arm),
                (right, centre + arm), (middle + arm, centre + arm), (middle + arm, bottom), (middle - arm, bottom),
                (middle - arm, centre + arm), (left, centre + arm), (left, centre - arm), (middle - arm, centre - arm),
            ],
            fill,
            edge,
        )  # fmt: skip
    else:
        canvas.polygon(_corners(name, middle, centre, size / 2), fill, edge)


def _corners(name: str, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    if name == "triangle":
        return [(x, y - radius), (x + radius, y + radius * 0.9), (x - radius, y + radius * 0.9)]
    if name == "diamond":
        return [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
    around = (math.pi * (step / 5 - 0.5) for step in range(10))
    radii = (radius, radius * 0.42)
    return [(x + radii[n % 2] * math.cos(a), y + radii[n % 2] * math.sin(a)) for n, a in enumerate(around)]


FACES = (((250, 250, 252), (20, 22, 26)), ((60, 64, 72), (244, 244, 246)), ((52, 120, 212), (255, 255, 255)))


def _faces(chance: random.Random) -> tuple[Colour, Colour]:
    """Face and ink of a button."""
    return chance.choice(FACES)


def _draw_button(at: Spot) -> Rect:
    face, ink = _faces(at.chance)
    at.canvas.rounded_rectangle(at.rect, at.size * 0.15, face, (128, 132, 140))
    _text(at.canvas, _middle(at.rect), at.name, at.size * 0.82, ink)
    return at.rect


def _draw_word(at: Spot) -> Rect:
    ink = at.ink
    if at.chance.random() < 0.6:
        face, ink = _faces(at.chance)
        at.canvas.rounded_rectangle(at.rect, at.size * 0.15, face, (128, 132, 140))
    _text(at.canvas, _middle(at.rect), at.name, at.size * 0.75, ink)
    return at.rect


def _draw_field(at: Spot) -> Rect:
    left, top, right, bottom = at.rect
    box = (right - at.size * 2.2, top, right, bottom)
    _text(at.canvas, ((left + box[0]) / 2, (top + bottom) / 2), at.name, at.size * 0.75, at.ink)
    at.canvas.rectangle(box, (255, 255, 255), (90, 94, 100))
    return box


def _draw_icon(at: Spot) -> Rect:
    _icon(at.canvas, at.rect, at.name, at.ink, max(1, round(at.size * 0.11)))
    return at.rect


def _icon(canvas: ImageDraw.ImageDraw, rect: Rect, name: str, ink: Colour, line: int) -> None:
    """An icon of lines and solid parts, in a square."""
    left, top, right, _ = rect
    size = right - left

    def at(*shares: float) -> list[float]:
        return [(left, top)[n % 2] + share * size for n, share in enumerate(shares)]

    if name == "house":
        canvas.polygon(at(0.5, 0.02, 1, 0.5, 0, 0.5), ink)
        canvas.rectangle(at(0.15, 0.5, 0.85, 0.98), None, ink, line)
        canvas.rectangle(at(0.4, 0.66, 0.6, 0.98), ink)
    elif name == "gear":
        for step in range(8):
            angle = math.pi * step / 4
            x, y = 0.5 + 0.42 * math.cos(angle), 0.5 + 0.42 * math.sin(angle)
            canvas.ellipse(at(x - 0.09, y - 0.09, x + 0.09, y + 0.09), ink)
        canvas.ellipse(at(0.14, 0.14, 0.86, 0.86), None, ink, max(line, round(size * 0.2)))
    elif name == "heart":
        canvas.ellipse(at(0.02, 0.1, 0.54, 0.6), ink)
        canvas.ellipse(at(0.46, 0.1, 0.98, 0.6), ink)
        canvas.polygon(at(0.06, 0.46, 0.94, 0.46, 0.5, 0.96), ink)
    elif name == "bell":
        canvas.pieslice(at(0.2, 0.06, 0.8, 0.9), 180, 360, ink)
        canvas.polygon(at(0.2, 0.46, 0.8, 0.46, 0.98, 0.78, 0.02, 0.78), ink)
        canvas.ellipse(at(0.39, 0.78, 0.61, 0.98), ink)
    elif name == "mail":
        canvas.rectangle(at(0.02, 0.2, 0.98, 0.82), None, ink, line)
        canvas.line(at(0.04, 0.22, 0.5, 0.58, 0.96, 0.22), ink, line)
    elif name == "lens":
        canvas.ellipse(at(0.04, 0.04, 0.68, 0.68), None, ink, line)
        canvas.line(at(0.6, 0.6, 0.96, 0.96), ink, line + 1)
    elif name == "lock":
        canvas.arc(at(0.24, 0.02, 0.76, 0.76), 180, 360, ink, line)
        canvas.rectangle(at(0.12, 0.42, 0.88, 0.96), ink)
    else:
        canvas.line(at(0.16, 0.02, 0.16, 0.98), ink, line)
        canvas.polygon(at(0.16, 0.06, 0.94, 0.3, 0.16, 0.56), ink)


_DRAW: dict[str, Callable[[Spot], Rect]] = {
    "shape": _draw_shape, "button": _draw_button, "word": _draw_word, "icon": _draw_icon, "field": _draw_field,
}  # fmt: skip
