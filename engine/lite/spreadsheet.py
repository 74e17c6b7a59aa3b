"""Cells of a spreadsheet by their names, and the headers of its columns and rows."""

from __future__ import annotations

import string

from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.elements import find_grid
from fingerpost.engine.lite.elements.grid import column_name
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.values import Box

LETTERS = string.ascii_uppercase


def by_cell(scene: Scene, name: str) -> list[Candidate]:
    """The spreadsheet cell of that name ("AC12")."""
    box = find_grid(scene.elements, scene.lines).get(name.strip().upper())
    return [] if box is None else [Candidate(box, box.centre, name.upper(), "cell", 1.0, 1.0, "element")]


def header(scene: Scene, kinds: frozenset[str], name: str = "", number: int = 0) -> Candidate | None:
    """The header of a spreadsheet's column ("E", or the fifth) or row (5); None where there is no spreadsheet."""
    cells = find_grid(scene.elements, scene.lines)
    is_column = "column header" in kinds
    wanted = name.strip().upper() or (column_name(number) if is_column else str(number))
    line = [
        box
        for cell, box in cells.items()
        if (cell.rstrip("0123456789") if is_column else cell.lstrip(LETTERS)) == wanted
    ]
    if not line:
        return None
    first = min(line, key=lambda box: (box.y, box.x))
    beside = Box(first.x, first.y - first.height, first.width, first.height)
    if not is_column:
        beside = Box(first.x - 2 * first.height, first.y, 2 * first.height, first.height)
    beside = beside.intersection(Box(0, 0, scene.size.width, scene.size.height))
    if not beside.area:
        return None
    read = [text.box for text in scene.lines if text.text.strip() == wanted and beside.contains(*text.box.centre)]
    point = read[0].centre if read else beside.centre
    kind = "column header" if is_column else "list item"
    return Candidate(beside, point, wanted, kind, 1.0, 1.0, "element")
