"""Finds the interface elements of a frame by their drawn form. No model; see the files beside this one for each step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fingerpost.engine.lite.elements.compounds import find_signs, join_compounds
from fingerpost.engine.lite.elements.contents import Contents
from fingerpost.engine.lite.elements.edges import CLEAR_EDGE, FAINT_EDGE, edge_maps
from fingerpost.engine.lite.elements.kinds import classify
from fingerpost.engine.lite.elements.marks import find_marks
from fingerpost.engine.lite.elements.proposals import flat_areas, pictures, without_doubles
from fingerpost.engine.lite.elements.rows import find_rows
from fingerpost.engine.lite.elements.sliders import find_sliders
from fingerpost.engine.lite.elements.textual import find_links, find_underlined_tabs
from fingerpost.engine.lite.scene import Element, TextLine
from fingerpost.engine.values import Box, Frame


def find_elements(frame: Frame, lines: Sequence[TextLine], ui_scale: float = 1.0) -> tuple[Element, ...]:
    """What looks operable on `frame`, from top to bottom; boxes in frame pixels, tight to the drawn outline.

    lines     what the OCR read; without it kinds are told less well
    ui_scale  about 2.0 on a HiDPI screen: all sizes in pixels are multiplied by it

    A check box, radio button or switch is the mark alone, without its caption. A button that shows a picture yields
    two elements: the outline, and in it the picture ("icon").
    """
    pixels = frame.pixels
    edges = edge_maps(pixels)
    areas = flat_areas(edges, CLEAR_EDGE, ui_scale) + flat_areas(edges, FAINT_EDGE, ui_scale)
    areas = without_doubles(areas)
    drawings = pictures(edges, lines, areas, ui_scale)
    contents = Contents(lines, drawings)

    marks = find_marks(pixels, without_doubles([*areas, *drawings], 0.6), contents, ui_scale)
    signs = find_signs(pixels, drawings, ui_scale)
    free = _outside(areas, marks)
    compounds, free = join_compounds(free, signs, ui_scale)
    sliders = find_sliders(edges, _outside([*free, *drawings], marks), ui_scale)
    free = _outside(free, sliders)
    rows = find_rows(free, edges, contents, ui_scale)
    rest = [classify(pixels, area, contents, ui_scale) for area in set(free) - {e.box for e in rows}]
    tabs = find_underlined_tabs(edges, lines, ui_scale)
    links = [e for e in find_links(pixels, lines) if not _covered(e.box, [*compounds, *rows, *tabs, *rest])]
    icons = [Element(box, "icon", 0.6) for box in _outside(drawings, [*marks, *sliders])]
    return _in_reading_order([*marks, *compounds, *sliders, *rows, *tabs, *rest, *links, *icons])


def _outside(boxes: Iterable[Box], elements: Sequence[Element]) -> list[Box]:
    """The boxes that do not lie in one of the elements, for the most part."""
    taken = [e.box for e in elements]
    return [b for b in boxes if not any(b.intersection(t).area > 0.6 * b.area for t in taken)]


def _covered(box: Box, elements: Iterable[Element]) -> bool:
    return any(e.kind != "box" and e.box.contains(*box.centre) for e in elements)


def _in_reading_order(elements: Iterable[Element]) -> tuple[Element, ...]:
    """Sorted, and of equal boxes only the one with the surest kind."""
    best: dict[Box, Element] = {}
    for element in elements:
        known = best.get(element.box)
        if known is None or known.score < element.score:
            best[element.box] = element
    return tuple(sorted(best.values(), key=lambda e: (e.box.y, e.box.x, e.box.height, e.box.width)))
