"""Areas that hold elements: windows, dialogs, menu bars, open menus, toolbars, status bars.

Found by rules of layout every desktop keeps: a title bar has window buttons at its end, a menu bar is a row of short
words at the top of a window, an open menu hangs from it, a toolbar is a row of pictures below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fingerpost.engine.lite.elements.canvas import Canvas
from fingerpost.engine.lite.elements.edges import FAINT_EDGE, EdgeMaps
from fingerpost.engine.lite.elements.menus import MenuBar, find_menu_bars, find_open_menus
from fingerpost.engine.lite.scene import Container, Element, TextLine
from fingerpost.engine.values import Box, Frame

TITLE_HEIGHTS = (14, 48)  # px: the lower one at any scale, the upper one at scale 1
MIN_WINDOW_WIDTH = 140  # px at scale 1
TOOLBAR_KINDS = frozenset({"icon", "button", "combo", "field", "spin", "check box"})


def find_containers(
    frame: Frame,
    lines: Sequence[TextLine],
    elements: Sequence[Element],
    ui_scale: float = 1.0,
    canvas: Canvas | None = None,
) -> tuple[Container, ...]:
    """Containers on `frame`, boxes in frame pixels; `elements` as `find_elements` returned them, `canvas` as
    there.

    A dialog is given twice, as "dialog" and as "window". A menu is named by the entry of the menu bar it hangs from.
    """
    canvas = canvas or Canvas(frame)
    menu_bars = find_menu_bars(lines, ui_scale)
    titles = _title_bars(lines, elements, ui_scale)
    windows = [_window_below(title, canvas.edges) for title in titles]
    bars = [_across_window(bar, windows, frame.box) for bar in menu_bars]
    found = [*titles, *windows, *bars, *find_open_menus([canvas.clear, canvas.faint], menu_bars, lines, ui_scale)]
    found += _dialogs(windows, bars, frame.box)
    found += _status_bars(windows, bars, frame.box, ui_scale)
    found += _toolbars(elements, [*titles, *bars], ui_scale)
    inside = (replace(c, box=c.box.intersection(frame.box)) for c in found)
    return tuple(sorted((c for c in inside if c.box.area), key=lambda c: (c.box.y, c.box.x, c.box.area, c.kind)))


def _dialogs(windows: Sequence[Container], menu_bars: Sequence[Container], frame: Box) -> list[Container]:
    """Windows without a menu bar; large ones may be the main windows of simple programs."""
    without = [w for w in windows if not any(w.box.contains(*bar.box.centre) for bar in menu_bars)]
    return [replace(w, kind="dialog", score=0.7 if w.box.area < 0.6 * frame.area else 0.4) for w in without]


def _status_bars(
    windows: Sequence[Container], menu_bars: Sequence[Container], frame: Box, ui_scale: float
) -> list[Container]:
    """Not looked for: windows with a menu bar mostly have one, in their last 34 pixels at scale 1."""
    found = []
    for bar in menu_bars:
        around = [w.box for w in windows if w.box.contains(*bar.box.centre)]
        window = min(around, key=lambda b: b.area, default=frame)
        height = min(window.height, round(34 * ui_scale))
        box = Box(window.x, window.bottom - height, window.width, height)
        found.append(Container(box, "status bar", "", 0.4))
    return found


def _title_bars(lines: Sequence[TextLine], elements: Sequence[Element], ui_scale: float) -> list[Container]:
    """Bars with a text and, at their right end, window buttons. Some desktops draw them unscaled on HiDPI screens."""
    low, high = TITLE_HEIGHTS
    found: list[Container] = []
    plain = [e.box for e in elements if e.kind in {"box", "list item", "field"}]
    small = [e.box for e in elements if e.kind != "cell" and e.box.height <= 40 * ui_scale]
    for bar in plain:
        if not low <= bar.height <= high * ui_scale or bar.width < MIN_WINDOW_WIDTH * ui_scale:
            continue
        end = Box(bar.right - round(130 * ui_scale), bar.y, round(130 * ui_scale), bar.height)
        buttons = _count_buttons([b for b in small if end.contains(*b.centre)], bar)
        inside = [line for line in lines if bar.contains(*line.box.centre) and line.box.right < end.right - bar.height]
        words = sorted((o for o in inside if sum(c.isalpha() for c in o.text) >= 3), key=lambda o: o.box.x)
        if words and buttons >= (2 if _is_centred(words, bar) else 3):
            title = " ".join(o.text.strip() for o in words)
            found.append(Container(bar, "title bar", title, 0.8))
    return _highest(found)


def _count_buttons(boxes: Sequence[Box], bar: Box) -> int:
    """Square pictures side by side; a wide one is several that touch."""
    places = {
        b.centre[0] // max(8, bar.height // 2)
        for b in boxes
        if b.width <= 2 * b.height and 2 * b.height > 0.5 * bar.height
    }
    wide = any(b.width >= 2.5 * b.height and b.height >= 0.5 * bar.height and b.width <= 6 * b.height for b in boxes)
    return max(len(places), 3 if wide else 0)


def _is_centred(words: Sequence[TextLine], bar: Box) -> bool:
    middle = (words[0].box.x + words[-1].box.right) / 2
    return abs(middle - bar.centre[0]) <= 0.06 * bar.width


def _highest(bars: Sequence[Container]) -> list[Container]:
    """A gradient can cut a bar into several flat areas: of those that overlap the highest one counts."""
    kept: list[Container] = []
    for bar in sorted(bars, key=lambda c: -c.box.area):
        if not any(bar.box.intersection(k.box).area > 0.3 * bar.box.area for k in kept):
            kept.append(bar)
    return kept


def _window_below(title: Container, edges: EdgeMaps) -> Container:
    """The window under a title bar: as far down as its left or right border goes on."""
    bar = title.box
    height, width = edges.across.shape
    if bar.width >= 0.97 * width:
        return Container(Box(bar.x, bar.y, bar.width, height - bar.y), "window", title.name, 0.8)
    bottom = max(_end_of_border(edges, bar.x, bar.bottom), _end_of_border(edges, bar.right - 1, bar.bottom))
    return Container(Box(bar.x, bar.y, bar.width, max(bar.height, bottom - bar.y)), "window", title.name, 0.7)


def _end_of_border(edges: EdgeMaps, x: int, top: int) -> int:
    """The y where the vertical line near `x` ends; gaps of up to 40 px, of things in front of it, do not end it."""
    band = edges.across[top:, max(0, x - 4) : x + 5] > FAINT_EDGE
    if not band.size:
        return top
    column = band[:, band.sum(axis=0).argmax()]
    missing = 0
    for y, drawn in enumerate(column):
        missing = 0 if drawn else missing + 1
        if missing > 40:
            return int(top + y - missing + 1)
    return int(top + len(column) - missing)


def _across_window(bar: MenuBar, windows: Sequence[Container], frame: Box) -> Container:
    around = [w.box for w in windows if w.box.contains(*bar.box.centre)]
    window = min(around, key=lambda b: b.area, default=frame)
    left = min(bar.box.x, window.x)
    return Container(Box(left, bar.box.y, max(bar.box.right, window.right) - left, bar.box.height), "menu bar", "", 0.8)


def _toolbars(elements: Sequence[Element], bars: Sequence[Container], ui_scale: float) -> list[Container]:
    """Rows of pictures and other controls of toolbar size. Right below a menu or title bar they may stand far apart."""
    low, high = 8 * ui_scale, 48 * ui_scale
    parts = [e.box for e in elements if e.kind in TOOLBAR_KINDS and low <= e.box.height <= high]
    pad = round(4 * ui_scale)
    found = []
    for bar in (b.box for b in bars):
        below = Box(bar.x, bar.bottom, bar.width, round(60 * ui_scale))
        for row in _level_rows([p for p in parts if below.contains(*p.centre)], bar.width, ui_scale):
            box = _padded(row, pad)
            found.append(Container(Box(bar.x, box.y, bar.width, box.height), "toolbar", "", 0.7))
    loose = _level_rows(parts, round(120 * ui_scale), ui_scale)
    return found + [Container(_padded(row, pad), "toolbar", "", min(0.6, 0.2 + 0.05 * len(row))) for row in loose]


def _level_rows(boxes: Sequence[Box], max_gap: int, ui_scale: float) -> list[list[Box]]:
    """Groups of at least two boxes on one level with gaps of at most `max_gap` between neighbours."""
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda b: b.x):
        for row in rows:
            level = abs(box.centre[1] - row[-1].centre[1]) <= 5 * ui_scale
            if level and box.x - max(b.right for b in row[-3:]) <= max_gap:
                row.append(box)
                break
        else:
            rows.append([box])
    return [row for row in rows if len(row) >= 2]


def _padded(boxes: Sequence[Box], pad: int) -> Box:
    left, top = max(0, min(b.x for b in boxes) - pad), max(0, min(b.y for b in boxes) - pad)
    return Box(left, top, max(b.right for b in boxes) + pad - left, max(b.bottom for b in boxes) + pad - top)
