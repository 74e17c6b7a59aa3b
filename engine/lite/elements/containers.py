"""Areas that hold elements: windows, dialogs, menu bars, open menus, toolbars, status bars.

Found by rules of layout every desktop keeps: a title bar has window buttons at its end, a menu bar is a row of short
words at the top of a window, an open menu hangs from it, a toolbar is a row of pictures below it.
"""

from __future__ import annotations

from collections.abc import Sequence

from fingerpost.engine.lite.elements.edges import CLEAR_EDGE, FAINT_EDGE, EdgeMaps, edge_maps
from fingerpost.engine.lite.elements.menus import MenuBar, find_menu_bars, find_open_menus
from fingerpost.engine.lite.elements.proposals import flat_parts
from fingerpost.engine.lite.scene import Container, Element, TextLine
from fingerpost.engine.values import Box, Frame

TITLE_HEIGHTS = (14, 48)  # px at scale 1
MIN_WINDOW_WIDTH = 140  # px at scale 1


def find_containers(
    frame: Frame, lines: Sequence[TextLine], elements: Sequence[Element], ui_scale: float = 1.0
) -> tuple[Container, ...]:
    """Containers on `frame`, boxes in frame pixels; `elements` as `find_elements` returned them.

    A dialog is given twice, as "dialog" and as "window". A menu is named by the entry of the menu bar it hangs from.
    """
    edges = edge_maps(frame.pixels)
    menu_bars = find_menu_bars(lines, ui_scale)
    titles = _title_bars(lines, elements, ui_scale)
    windows = [_window_below(title, edges) for title in titles]
    found = [*titles]
    for window in windows:
        found.append(window)
        has_menu_bar = any(window.box.contains(*bar.box.centre) for bar in menu_bars)
        if not has_menu_bar and window.box.area < 0.6 * frame.box.area:
            found.append(Container(window.box, "dialog", window.name, 0.7))
        if has_menu_bar:
            found.append(_status_bar(window.box, ui_scale))
    if menu_bars and not windows:
        found.append(_status_bar(frame.box, ui_scale))
    for bar in menu_bars:
        found.append(_across_window(bar, windows, frame.box))
    found += find_open_menus([flat_parts(edges, CLEAR_EDGE), flat_parts(edges, FAINT_EDGE)], menu_bars, lines, ui_scale)
    found += _toolbars(elements, ui_scale)
    return tuple(sorted(found, key=lambda c: (c.box.y, c.box.x, c.box.area, c.kind)))


def _title_bars(lines: Sequence[TextLine], elements: Sequence[Element], ui_scale: float) -> list[Container]:
    low, high = TITLE_HEIGHTS
    found: list[Container] = []
    small = [e.box for e in elements if max(e.box.width, e.box.height) <= 40 * ui_scale]
    for element in elements:
        bar = element.box
        if not low * ui_scale <= bar.height <= high * ui_scale or bar.width < MIN_WINDOW_WIDTH * ui_scale:
            continue
        end = Box(bar.right - round(130 * ui_scale), bar.y, round(130 * ui_scale), bar.height)
        buttons = {b.centre[0] // round(8 * ui_scale) for b in small if end.contains(*b.centre)}
        inside = [line for line in lines if bar.contains(*line.box.centre) and not end.contains(*line.box.centre)]
        words = [line for line in inside if sum(c.isalpha() for c in line.text) >= 2]
        if len(buttons) >= 2 and len(words) == 1 and _is_title(words[0].box, bar, ui_scale):
            found.append(Container(bar, "title bar", words[0].text.strip(), 0.8))
    return found


def _is_title(text: Box, bar: Box, ui_scale: float) -> bool:
    """In the middle of the bar, or at its left end after the window's icon."""
    return abs(text.centre[0] - bar.centre[0]) <= 0.08 * bar.width or text.x - bar.x <= 40 * ui_scale


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


def _status_bar(window: Box, ui_scale: float) -> Container:
    """Not looked for: windows with a menu bar mostly have one, in their last 34 pixels."""
    height = min(window.height, round(34 * ui_scale))
    return Container(Box(window.x, window.bottom - height, window.width, height), "status bar", "", 0.4)


def _across_window(bar: MenuBar, windows: Sequence[Container], frame: Box) -> Container:
    around = [w.box for w in windows if w.box.contains(*bar.box.centre)]
    window = min(around, key=lambda b: b.area, default=frame)
    left = min(bar.box.x, window.x)
    return Container(Box(left, bar.box.y, max(bar.box.right, window.right) - left, bar.box.height), "menu bar", "", 0.8)


def _toolbars(elements: Sequence[Element], ui_scale: float) -> list[Container]:
    """Rows of at least four pictures or buttons of toolbar size, close beside each other."""
    kinds = {"icon", "button", "combo"}
    low, high = 10 * ui_scale, 48 * ui_scale
    parts = [e.box for e in elements if e.kind in kinds and low <= e.box.height <= high]
    rows: list[list[Box]] = []
    for box in sorted(parts, key=lambda b: b.x):
        for row in rows:
            last = row[-1]
            level = abs(box.centre[1] - last.centre[1]) <= 5 * ui_scale
            if level and box.x - last.right <= 60 * ui_scale:
                row.append(box)
                break
        else:
            rows.append([box])
    pad = round(4 * ui_scale)
    found = []
    for row in rows:
        if len(row) >= 4:
            top, bottom = min(b.y for b in row), max(b.bottom for b in row)
            left, right = min(b.x for b in row), max(b.right for b in row)
            box = Box(max(0, left - pad), max(0, top - pad), right - left + 2 * pad, bottom - top + 2 * pad)
            found.append(Container(box, "toolbar", "", min(0.7, 0.3 + 0.05 * len(row))))
    return found
