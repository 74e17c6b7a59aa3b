"""Areas that touch side by side: tabs, column headers and the cells of tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from fingerpost.engine.lite.elements.contents import Contents
from fingerpost.engine.lite.elements.edges import CLEAR_EDGE, EdgeMaps
from fingerpost.engine.lite.scene import Element
from fingerpost.engine.values import Box

MIN_TABLE_ROWS = 3


def chains(areas: Sequence[Box], ui_scale: float) -> list[list[Box]]:
    """Runs of at least two areas of the same top and height where each touches the next, left to right."""
    gap, slack = 4 * ui_scale, max(1, round(ui_scale))
    rows: dict[int, list[Box]] = defaultdict(list)
    for area in areas:
        rows[area.y // (2 * slack)].append(area)
    found = []
    for row in rows.values():
        row.sort(key=lambda b: (b.x, b.width))
        run: list[Box] = []
        for box in row:
            fits = run and abs(box.x - run[-1].right) <= gap and abs(box.height - run[-1].height) <= slack
            if not fits:
                if len(run) > 1:
                    found.append(run)
                run = []
            run.append(box)
        if len(run) > 1:
            found.append(run)
    return found


def find_rows(
    areas: Sequence[Box], edges: EdgeMaps, contents: Contents, ui_scale: float
) -> list[Element]:
    """Elements of the kinds "tab", "column header" and "cell", each with its area as box."""
    runs = [run for run in chains(areas, ui_scale) if 13 * ui_scale <= run[0].height <= 56 * ui_scale]
    stacked = _stacked(runs, ui_scale)
    found: list[Element] = []
    for index, run in enumerate(runs):
        if index in stacked:
            found += [Element(box, "cell", 0.6) for box in run]
            continue
        kind, score = _kind_of_run(run, edges, contents, ui_scale)
        if kind:
            found += [Element(box, kind, score) for box in run]
    return found


def _stacked(runs: Sequence[Sequence[Box]], ui_scale: float) -> set[int]:
    """Indices of runs that have the same columns as others right above or below: rows of a table."""
    by_columns: dict[tuple[int, int], list[int]] = defaultdict(list)
    slack = max(2, round(2 * ui_scale))
    for index, run in enumerate(runs):
        by_columns[(run[0].x // slack, run[0].right // slack)].append(index)
    found: set[int] = set()
    for group in by_columns.values():
        if len(group) >= MIN_TABLE_ROWS and _close_below_each_other([runs[i][0] for i in group], ui_scale):
            found.update(group)
    return found


def _close_below_each_other(boxes: Sequence[Box], ui_scale: float) -> bool:
    ordered = sorted(boxes, key=lambda b: b.y)
    gaps = [lower.y - upper.bottom for upper, lower in zip(ordered, ordered[1:], strict=False)]
    return sorted(gaps)[len(gaps) // 2] <= 3 * ui_scale


def _kind_of_run(run: Sequence[Box], edges: EdgeMaps, contents: Contents, ui_scale: float) -> tuple[str, float]:
    texts = [(box, text) for box in run if (text := contents.text(box)) is not None and text.letters > 1]
    if len(texts) < max(1, len(run) - 1):
        return "", 0.0
    centred = left = 0
    for box, text in texts:
        before, after = text.box.x - box.x, box.right - text.box.right
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
