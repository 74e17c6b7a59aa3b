"""Screens as the network is trained on them: tiles, conversations, and what helps it along.

Beside the answers the network learns, for each token of a tile, what lies there (`Marks`), and for each question, at
which tokens it must look (`Rows.pointed`). Neither is part of the exported model.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from fingerpost.models.miniature import prompts
from fingerpost.models.miniature.scenes import KINDS, Plan, Question, Rect, Screen, Thing, draw_screen, questions
from fingerpost.models.miniature.shapes import VISION
from fingerpost.models.miniature.training.cutting import cut, grid_of
from fingerpost.models.miniature.words import COLOURS, ICONS, LABELS, LETTERS, SHAPES

SIDE = VISION.tile
UNIT = VISION.patch * VISION.scale
CELLS = SIDE // UNIT
TOKENS = CELLS * CELLS
ROWS, TURNS = 4, 2
"""Conversations about a screen, and questions in each."""
SIZES = (20.0, 54.0)
"""Sides of things, pixels as the model sees them."""
LARGE = (30.0, 105.0)
"""The same for screens as a second look sees them."""
MOST = 22
"""Things on a screen."""
READABLE = 10.0
"""Pixels from which a thing's name can be told."""
NAMES = (*SHAPES, *LETTERS, *LABELS, *ICONS)
SHARES = {1: 0.2, 3: 0.24, 5: 0.12, 7: 0.1, 9: 0.22, 13: 0.12}
"""How many of the screens have so many pictures."""
AGAIN = (0, 2, 3, 3)
"""How many equal shapes a screen has: more often some than elsewhere, for counting is learned last."""
AT_ONCE = {1: 10, 3: 8, 5: 6, 7: 5, 9: 4, 10: 4, 13: 3}
"""Screens in a batch, of one process."""
FULL, FULL_AT_ONCE, LEAST_FULL = 0.75, 24, 20.0
"""While it only learns to see: share of full single tiles, how many at once, and their smallest thing in pixels."""
IGNORED = -100


@dataclass(frozen=True)
class Marks:
    """For each token: the thing in its cell that lies nearest to the cell's middle. Shapes (pictures, 16).

    kind    0 none, 1.. `KINDS`
    colour  of shapes; name: number in `NAMES`; `IGNORED` where none can be told. A field's name is also that of the
            word in front of it, and known at the box only where the picture shows both
    place   (pictures, 16, 2): where in the picture, 0..1
    here    (pictures, 16, names and colours): all that lies in the cell
    """

    kind: npt.NDArray[np.int64]
    colour: npt.NDArray[np.int64]
    name: npt.NDArray[np.int64]
    place: npt.NDArray[np.float32]
    here: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Batch:
    """Screens with the same number of pictures; `rows` = screens × ROWS.

    tiles    (screens × pictures, side, side, 3), dtype uint8
    tokens   (rows, length) token ids, what stands behind an end is `IGNORED` in `wanted`
    wanted   (rows, length) the token that follows, where it is part of an answer; else `IGNORED`
    asked    (rows, TURNS) where the answer begins: the last token of the question
    places   (rows, TURNS, 2) the right answer as shares of the screen
    pointed  (rows, TURNS, 2) the picture token that shows the thing, in its tile and in the thumbnail
    meant    (rows, TURNS, 3) what is asked for: kind, colour and name as in `Marks`
    """

    pictures: int
    tiles: npt.NDArray[np.uint8]
    marks: Marks
    tokens: npt.NDArray[np.int64]
    wanted: npt.NDArray[np.int64]
    asked: npt.NDArray[np.int64]
    places: npt.NDArray[np.float32]
    pointed: npt.NDArray[np.int64]
    meant: npt.NDArray[np.int64]


def random_plan(chance: random.Random, count: int) -> Plan:
    """A screen whose grid has `count` pictures, of any size and shape."""
    for _ in range(10000):
        width, height = _random_size(chance, count)
        columns, rows = grid_of(width, height, SIDE)
        if columns * rows + (columns * rows > 1) == count:
            break
    scale = math.sqrt(columns * SIDE / width * rows * SIDE / height)
    large = (count == 3 and chance.random() < 0.5) or (count == 1 and chance.random() < 0.1)
    least, greatest = LARGE if large else SIZES
    greatest = min(greatest, 0.85 * min(columns, rows) * SIDE)
    most = 6 if large else min(10 + 2 * columns * rows, MOST)
    return Plan(width, height, (least / scale, greatest / scale), most)


ASPECTS = (16 / 9, 16 / 9, 1.5, 1.6, 4 / 3, 1.0, 2.2, 1 / 1.6, 9 / 16)
"""Shapes that screens have; others come, too."""


def _random_size(chance: random.Random, count: int) -> tuple[int, int]:
    if count == 1:
        side = chance.uniform(115, 180)
        return round(side * chance.uniform(0.9, 1.12)), round(side)
    if count == 3 and chance.random() < 0.4:
        return 2 * SIDE, SIDE
    aspect = chance.choice((*ASPECTS, math.exp(chance.uniform(-1, 1.3))))
    area = (count - 1) * SIDE * SIDE / chance.uniform(0.4, 1.3) ** 2
    return round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))


def batches(seed: int, start: int, rank: int, ranks: int, seeing: int) -> Iterator[Batch]:
    """One process's batches from a number on. All processes have screens with as many pictures at the same time.

    seeing  the number of the first batch that is not only about what lies where: till then most are full single tiles
    """
    number = start
    while True:
        common = random.Random(seed * 1_000_003 + number)
        count = common.choices(list(SHARES), list(SHARES.values()))[0]
        chance = random.Random((seed * 1_000_003 + number) * ranks + rank + 17)
        full = number < seeing and common.random() < FULL
        yield full_batch(chance) if full else drawn_batch(chance, count)
        number += 1


def full_batch(chance: random.Random) -> Batch:
    """Screens of one tile with as many things as there is room for."""
    sides = [chance.uniform(115, 175) for _ in range(FULL_AT_ONCE)]
    plans = [Plan(round(side), round(side), (LEAST_FULL * side / SIDE, 0.42 * side), MOST) for side in sides]
    return make_batch([_asked(plan, chance) for plan in plans], chance)


def drawn_batch(chance: random.Random, count: int) -> Batch:
    """Screens with so many pictures."""
    return make_batch([_asked_screen(chance, count) for _ in range(AT_ONCE[count])], chance)


def _asked_screen(chance: random.Random, count: int) -> tuple[Screen, list[Question]]:
    return _asked(replace(random_plan(chance, count), again=AGAIN), chance)


def _asked(plan: Plan, chance: random.Random) -> tuple[Screen, list[Question]]:
    """A screen about which something can be asked."""
    while True:
        screen = draw_screen(plan, chance)
        asked = questions(screen, chance)
        if asked:
            return screen, asked


def make_batch(asked: Sequence[tuple[Screen, list[Question]]], chance: random.Random) -> Batch:
    tiles = [cut(screen.pixels, SIDE) for screen, _ in asked]
    pictures = len(tiles[0])
    views = [_views(screen) for screen, _ in asked]
    marks = [_marks(screen, view) for (screen, _), shown in zip(asked, views, strict=True) for view in shown]
    rows: list[list[Question]] = []
    for _, wanted in asked:
        pool = [*wanted]
        while len(pool) < ROWS * TURNS:
            pool.append(chance.choice(wanted))
        rows += [pool[row * TURNS : (row + 1) * TURNS] for row in range(ROWS)]
    written = [_written(row, asked[number // ROWS][0]) for number, row in enumerate(rows)]
    length = max(len(tokens) for tokens, _, _ in written)
    return Batch(
        pictures,
        np.concatenate(tiles),
        Marks(*(np.stack([getattr(mark, part.name) for mark in marks]) for part in fields(Marks))),
        np.array([tokens + [0] * (length - len(tokens)) for tokens, _, _ in written]),
        np.array([wanted + [IGNORED] * (length - len(wanted)) for _, wanted, _ in written]),
        np.array([places for _, _, places in written]),
        np.array([[_share(one.thing, asked[n // ROWS][0]) for one in row] for n, row in enumerate(rows)], np.float32),
        np.array([[_pointed(one.thing, views[n // ROWS]) for one in row] for n, row in enumerate(rows)]),
        np.array([[_numbers(one.thing) for one in row] for row in rows]),
    )


def _written(row: Sequence[Question], screen: Screen) -> tuple[list[int], list[int], list[int]]:
    """Tokens, the wanted next ones, and where the answers begin."""
    tokens: list[int] = []
    wanted: list[int] = []
    starts: list[int] = []
    for number, one in enumerate(row):
        ask = prompts.question(one.words)
        if number:
            ask = [*prompts.ids(prompts.NEXT), *ask]
        x, y = _share(one.thing, screen)
        said = prompts.answer(round(1000 * x), round(1000 * y))
        tokens += ask
        starts.append(len(tokens) - 1)
        wanted += [IGNORED] * (len(ask) - 1) + said
        tokens += said
        wanted.append(prompts.ids(prompts.NEXT[:1])[0])
    return tokens, wanted, starts


def _share(thing: Thing, screen: Screen) -> tuple[float, float]:
    width, height = screen.size
    return thing.centre[0] / width, thing.centre[1] / height


@dataclass(frozen=True)
class _View:
    """A picture of a screen: things are moved by `left`, `top` (shares of the screen) and `scale`d to its pixels."""

    left: float
    top: float
    across: float
    down: float
    size: tuple[int, int]

    def place(self, rect: Rect) -> tuple[float, float]:
        """Its middle; pixels of the picture."""
        x, y = (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2
        return (x / self.size[0] - self.left) * self.across, (y / self.size[1] - self.top) * self.down

    def height(self, thing: Thing) -> float:
        """How large the thing is seen, on the axis on which it is smaller."""
        left, top, right, bottom = thing.rect
        return min((right - left) / self.size[0] * self.across, (bottom - top) / self.size[1] * self.down)


def _views(screen: Screen) -> list[_View]:
    columns, rows = grid_of(*screen.size, SIDE)
    views = [
        _View(column / columns, row / rows, columns * SIDE, rows * SIDE, screen.size)
        for row in range(rows)
        for column in range(columns)
    ]
    return views if len(views) == 1 else [*views, _View(0, 0, SIDE, SIDE, screen.size)]


def _cell(view: _View, rect: Rect) -> int | None:
    """The token in whose cell the middle lies; None where the picture does not show it."""
    x, y = view.place(rect)
    if not (0 <= x < SIDE and 0 <= y < SIDE):
        return None
    return int(y // UNIT) * CELLS + int(x // UNIT)


def _numbers(thing: Thing) -> tuple[int, int, int]:
    """Kind, colour and name as `Marks` counts them."""
    colour = list(COLOURS).index(thing.colour) if thing.colour else IGNORED
    return 1 + KINDS.index(thing.kind), colour, NAMES.index(thing.name)


def _pointed(thing: Thing, views: Sequence[_View]) -> tuple[int, int]:
    """The picture tokens that show the middle of a thing; of one picture, the same twice."""
    found = [(number, _cell(view, thing.rect)) for number, view in enumerate(views)]
    shown = [number * TOKENS + cell for number, cell in found if cell is not None]
    return shown[0], shown[-1]


def _marks(screen: Screen, view: _View) -> Marks:
    kind, place = np.zeros(TOKENS, np.int64), np.zeros((TOKENS, 2), np.float32)
    colour, name = np.full(TOKENS, IGNORED), np.full(TOKENS, IGNORED)
    here = np.zeros((TOKENS, len(NAMES) + len(COLOURS)), np.float32)
    nearest = np.full(TOKENS, np.inf)
    for thing in screen.things:
        cell, named = _cell(view, thing.rect), _cell(view, thing.named)
        readable = named is not None and view.height(thing) >= READABLE
        if readable:
            here[named, NAMES.index(thing.name)] = 1
        if cell is None:
            continue
        x, y = view.place(thing.rect)
        inside = (x / UNIT % 1, y / UNIT % 1)
        if thing.colour:
            here[cell, len(NAMES) + list(COLOURS).index(thing.colour)] = 1
        if readable:
            here[cell, NAMES.index(thing.name)] = 1
        distance = math.hypot(inside[0] - 0.5, inside[1] - 0.5)
        if distance < nearest[cell]:
            nearest[cell] = distance
            kind[cell] = 1 + KINDS.index(thing.kind)
            colour[cell] = list(COLOURS).index(thing.colour) if thing.colour else IGNORED
            name[cell] = NAMES.index(thing.name) if readable else IGNORED
            place[cell] = x / SIDE, y / SIDE
    for thing in screen.things:
        named = _cell(view, thing.named)
        if named is not None and not kind[named] and view.height(thing) >= READABLE:
            name[named] = NAMES.index(thing.name)
    return Marks(kind, colour, name, place, here)
