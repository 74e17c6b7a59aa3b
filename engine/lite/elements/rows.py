"""Areas that touch side by side: tabs, column headers and the cells of tables."""

from __future__ import annotations

from collections.abc import Sequence

from fingerpost.engine.lite.elements.contents import Contents
from fingerpost.engine.lite.elements.edges import CLEAR_EDGE, EdgeMaps
from fingerpost.engine.lite.scene import Element
from fingerpost.engine.values import Box

MIN_TABLE_ROWS = 3


def find_cells(areas: Sequence[Box], ui_scale: float) -> list[Element]:
    """Areas that share borders on all sides with areas of the same column and of the same row."""
    sized = [a for a in areas if a.height <= 56 * ui_scale]
    in_rows = {box for run in chains(sized, ui_scale) for box in run}
    turned = [_turned(a) for a in sized]
    columns = [[_turned(box) for box in run] for run in chains(turned, ui_scale) if len(run) >= MIN_TABLE_ROWS]
    return [Element(box, "cell", 0.6) for run in columns for box in run if box in in_rows]


def find_rows(areas: Sequence[Box], edges: EdgeMaps, contents: Contents, ui_scale: float) -> list[Element]:
    """Elements of the kinds "tab" and "column header", each with its area as box."""
    found: list[Element] = []
    for run in chains(areas, ui_scale):
        if 13 * ui_scale <= run[0].height <= 56 * ui_scale:
            kind, score = _kind_of_run(run, edges, contents, ui_scale)
            found += [Element(box, kind, score) for box in run if kind]
    return found


def chains(areas: Sequence[Box], ui_scale: float) -> list[list[Box]]:
    """Runs of at least two areas of the same top and height that share borders, from left to right."""
    slack = max(1, round(ui_scale))
    found: list[list[Box]] = []
    for row in _levels(areas, slack):
        runs: list[list[Box]] = []
        for box in sorted(row, key=lambda b: (b.x, -b.width)):
            open_run = next((run for run in reversed(runs[-4:]) if _continues(run[-1], box, slack)), None)
            if open_run is None:
                runs.append([box])
            else:
                open_run.append(box)
        found += [run for run in runs if len(run) > 1]
    return found


def _levels(areas: Sequence[Box], slack: int) -> list[list[Box]]:
    """Groups of areas whose tops differ by at most `slack` from the first of the group."""
    levels: list[list[Box]] = []
    for box in sorted(areas, key=lambda b: b.y):
        if not levels or box.y - levels[-1][0].y > slack:
            levels.append([])
        levels[-1].append(box)
    return levels


def _continues(last: Box, box: Box, slack: int) -> bool:
    """Both outlines include the border between them, so they overlap by it."""
    return -3 * slack <= box.x - last.right <= slack // 2 and abs(box.height - last.height) <= slack


def _turned(box: Box) -> Box:
    """Mirrored at the diagonal: columns become rows."""
    return Box(box.y, box.x, box.height, box.width)


def _kind_of_run(run: Sequence[Box], edges: EdgeMaps, contents: Contents, ui_scale: float) -> tuple[str, float]:
    texts = [(box, text) for box in run if (text := contents.text(box)) is not None and text.letters > 1]
    if len(texts) < max(1, len(run) - 1):
        return "", 0.0
    centred = left = 0
    for box, text in texts:
        before, after = text.box.x - box.x, box.right - text.box.right
        if min(before, after) < 3 * ui_scale:
            return "", 0.0  # the text runs on over the border
        centred += abs(before - after) <= max(8 * ui_scale, 0.12 * box.width)
        left += before <= 14 * ui_scale
    if centred >= len(texts) - 1 and _on_a_longer_line(run, edges, ui_scale):
        return "tab", 0.7
    if left >= len(texts) - 1 and left:
        return "column header", 0.6
    return "", 0.0


def _on_a_longer_line(run: Sequence[Box], edges: EdgeMaps, ui_scale: float) -> bool:
    """The border of the tab's page goes on beside the tabs, at their lower or upper edge."""
    height, width = edges.down.shape
    reach, depth = round(12 * ui_scale), max(2, round(3 * ui_scale))
    for x0, x1 in ((run[-1].right + 2, run[-1].right + 2 + reach), (run[0].x - 2 - reach, run[0].x - 2)):
        if x0 < 0 or x1 > width:
            continue
        for y in (run[0].bottom, run[0].y):
            band = edges.down[max(0, y - depth) : min(height, y + depth), x0:x1]
            if band.size and bool((band > CLEAR_EDGE).all(axis=1).any()):
                return True
    return False
