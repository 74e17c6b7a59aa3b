"""Finds the interface elements of a frame by their drawn form, without a model. Each step has its own file here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fingerpost.engine.lite.elements.canvas import Canvas
from fingerpost.engine.lite.elements.compounds import find_signs, join_compounds
from fingerpost.engine.lite.elements.contents import Contents
from fingerpost.engine.lite.elements.kinds import classify
from fingerpost.engine.lite.elements.marks import find_marks
from fingerpost.engine.lite.elements.menus import find_menu_bars
from fingerpost.engine.lite.elements.overlaps import outside
from fingerpost.engine.lite.elements.proposals import (
    bars,
    control_outlines,
    pictures,
    text_boxes,
    without_doubles,
    without_insides,
)
from fingerpost.engine.lite.elements.rows import find_cells, find_rows
from fingerpost.engine.lite.elements.sliders import find_sliders
from fingerpost.engine.lite.elements.textual import find_links, find_underlined_tabs
from fingerpost.engine.lite.scene import Element, TextLine
from fingerpost.engine.values import Box, Frame

LARGE_TABLE = 60  # cells
MAX_AREAS = 2000  # besides cells; only a photo or a mosaic has more, and telling their kinds would take long


def find_elements(
    frame: Frame, lines: Sequence[TextLine], ui_scale: float = 1.0, canvas: Canvas | None = None
) -> tuple[Element, ...]:
    """What looks operable on `frame`, from top to bottom; boxes in frame pixels, tight to the drawn outline.

    lines     what the OCR read; without it kinds are told less well
    ui_scale  about 2.0 on a HiDPI screen: all sizes in pixels are multiplied by it
    canvas    shows the frame, if there is one: what it knows of the frames before saves work

    A check box, radio button or switch is the mark alone, without its caption. A button that shows a picture yields
    two elements: the outline, and in it the picture ("icon").
    """
    canvas = canvas or Canvas(frame)
    edges = canvas.edges
    areas = control_outlines(canvas.clear, frame.box, ui_scale) + control_outlines(canvas.faint, frame.box, ui_scale)
    areas = without_doubles(areas)
    written = text_boxes(canvas, lines)
    drawings = pictures(edges, written, areas, ui_scale)
    contents = Contents(lines, drawings)
    knobs = [*areas, *drawings]
    areas = without_insides(areas, written, drawings)

    # The underlined entry of an open menu looks like an open tab.
    menu_bars = [bar.box for bar in find_menu_bars(lines, ui_scale)]
    cells = find_cells(areas, ui_scale)
    free = sorted(outside(areas, _boxes(cells)), key=lambda b: -b.area)[:MAX_AREAS]
    marks = find_marks(canvas, without_doubles([*free, *drawings], 0.6), contents, ui_scale)
    free = outside(free, _boxes(marks))
    signs = find_signs(canvas, drawings, ui_scale)
    compounds, free = join_compounds(free, signs, drawings, ui_scale)
    sliders = find_sliders(edges, outside(knobs, _boxes([*marks, *cells, *compounds])), ui_scale)
    free = outside(free, _boxes(sliders))
    rows = find_rows(free, edges, contents, ui_scale)
    rest = [classify(canvas, area, contents, ui_scale) for area in outside(free, _boxes(rows))]
    tabs = _not_in(find_underlined_tabs(bars(canvas.clear, ui_scale), lines, ui_scale), menu_bars)
    misread = [m.box for m in marks if m.kind == "switch"]
    captions = [line for line in lines if not any(box.contains(*line.box.centre) for box in misread)]
    links = find_links(canvas, [_without_mark(line, marks) for line in captions])
    links = [e for e in links if not _covered(e.box, [*compounds, *rows, *tabs, *rest])]
    marks = [m for m in marks if not any(_belongs_to(m.box, e.box) for e in links)]  # pictures before links
    # What is drawn in the cells of a large table is its content.
    tables = cells if len(cells) >= LARGE_TABLE else []
    icons = [Element(box, "icon", 0.6) for box in outside(drawings, _boxes([*marks, *sliders, *tables]))]
    return _in_reading_order([*cells, *marks, *compounds, *sliders, *rows, *tabs, *rest, *links, *icons])


def _boxes(elements: Iterable[Element]) -> list[Box]:
    return [e.box for e in elements]


def _not_in(elements: Sequence[Element], boxes: Sequence[Box]) -> list[Element]:
    return [e for e in elements if not any(b.contains(*e.box.centre) for b in boxes)]


def _without_mark(line: TextLine, marks: Sequence[Element]) -> TextLine:
    """The OCR often takes the mark before a caption into its line."""
    right = max((m.box.right + 1 for m in marks if line.box.contains(*m.box.centre)), default=line.box.x)
    return replace(line, box=Box(right, line.box.y, max(0, line.box.right - right), line.box.height))


def _belongs_to(mark: Box, text: Box) -> bool:
    return text.y <= mark.centre[1] < text.bottom and 0 <= text.x - mark.right <= mark.width


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
