"""A bench of drawn pictures, and an engine that finds squares by their colour."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from fingerpost.engine.values import Answer, Box, Frame, Query, Target

COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}

Line = dict[str, Any]
WriteCases = Callable[[list[Line]], Path]


class ColourEngine:
    """Finds the square whose colour the query names. `looked` keeps the picture and query of each call."""

    name = "colours"

    def __init__(self) -> None:
        self.looked: list[tuple[int, str]] = []

    def find(self, frame: Frame, query: Query) -> Answer:
        self.looked.append((id(frame), query.text))
        red, green, blue = COLOURS[query.text]
        ys, xs = np.nonzero((frame.pixels[..., :3] == (blue, green, red)).all(axis=2))
        if not len(xs):
            return Answer(False, False, self.name, 1.0, frame.size)
        box = Box(int(xs.min()), int(ys.min()), int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1)
        target = Target(query.text, "icon", *box.centre, box, 1.0, "element")
        return Answer(True, False, self.name, 1.0, frame.size, (target,))


@pytest.fixture
def engine() -> ColourEngine:
    return ColourEngine()


@pytest.fixture
def write_cases(tmp_path: Path) -> WriteCases:
    """Write lines as the case file of the test, and return its path."""

    def write(lines: list[Line]) -> Path:
        path = tmp_path / "cases.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
        return path

    return write


@pytest.fixture
def lines(tmp_path: Path) -> list[Line]:
    """Five cases on two pictures: a red and a green square on one, a blue square on the other.

    `ColourEngine` answers all but the last as the case says; there the box is somewhere else.
    """
    for name, squares in {"one": {"red": 10, "green": 60}, "two": {"blue": 10}}.items():
        picture = Image.new("RGB", (100, 50), "white")
        for colour, x in squares.items():
            ImageDraw.Draw(picture).rectangle((x, 10, x + 19, 29), fill=COLOURS[colour])
        picture.save(tmp_path / f"{name}.png")
    place, other = [10, 10, 20, 20], [60, 10, 20, 20]
    return [
        {"id": "a", "image": "one.png", "instruction": "red", "bbox": place, "category": "icon", "app": "paint"},
        {"id": "b", "image": "two.png", "instruction": "blue", "bbox": place, "category": "icon", "app": "draw"},
        {"id": "c", "image": "one.png", "instruction": "green", "bbox": other, "category": "field", "app": "paint"},
        {"id": "d", "image": "one.png", "instruction": "blue", "bbox": None, "absent": True, "app": "paint"},
        {"id": "e", "image": "two.png", "instruction": "blue", "bbox": other, "category": "field", "app": "draw"},
    ]
