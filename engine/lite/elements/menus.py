"""Menu bars and open menus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fingerpost.engine.lite.elements.edges import Parts
from fingerpost.engine.lite.scene import Container, TextLine
from fingerpost.engine.values import Box

MENU_WORDS = frozenset({
    # English
    "file", "edit", "view", "insert", "format", "tools", "window", "windows", "help", "go", "bookmarks",
    "options", "settings", "search", "document", "media", "playback", "audio", "video", "tabs", "image",
    "layer", "colors", "filters", "select", "data", "sheet", "table", "styles", "history", "selection", "run",
    "terminal", "project", "build", "debug", "refactor", "navigate", "code", "arrange",
    # German
    "datei", "bearbeiten", "ansicht", "einfügen", "extras", "fenster", "hilfe", "suchen", "lesezeichen",
    "einstellungen", "werkzeuge", "gehe",
    # Spanish
    "archivo", "editar", "ver", "insertar", "formato", "herramientas", "ventana", "ayuda", "ir", "marcadores",
    "buscar",
    # Portuguese
    "arquivo", "ficheiro", "exibir", "inserir", "formatar", "ferramentas", "janela", "ajuda", "favoritos",
    "pesquisar",
    # French
    "fichier", "édition", "affichage", "insertion", "outils", "fenêtre", "aide", "signets",
    # Italian
    "modifica", "visualizza", "inserisci", "strumenti", "finestra", "aiuto",
})  # fmt: skip
"""Words that stand in the menu bars of most programs, lower case."""

FEWEST = 3  # usual words in a menu bar


@dataclass(frozen=True)
class MenuBar:
    """The row of a menu bar's entries; `entries` are their texts with the boxes of the texts, left to right."""

    box: Box
    entries: tuple[tuple[str, Box], ...]


def find_menu_bars(lines: Sequence[TextLine], ui_scale: float) -> list[MenuBar]:
    """Rows of at least three short entries, of which at least three are usual in menu bars."""
    pad = round(5 * ui_scale)
    found = []
    for row in _rows(lines):
        if sum(_count_usual(line) for line in row) < FEWEST:
            continue
        entries = [entry for line in row for entry in _entries(line)]
        for run in _runs(entries):
            usual = sum(_plain(text) in MENU_WORDS for text, _ in run)
            if usual >= FEWEST and usual >= 0.3 * len(run):
                left, right = run[0][1].x, run[-1][1].right
                top, bottom = min(b.y for _, b in run), max(b.bottom for _, b in run)
                box = Box(max(0, left - 2 * pad), max(0, top - pad), right - left + 4 * pad, bottom - top + 2 * pad)
                found.append(MenuBar(box, tuple(run)))
    return found


def find_open_menus(
    parts: Sequence[Parts], menu_bars: Sequence[MenuBar], lines: Sequence[TextLine], ui_scale: float
) -> list[Container]:
    """Panels that hang from an entry of a menu bar, and panels beside those (submenus)."""
    panels = [panel for group in parts for panel in _panels(group, ui_scale)]
    panels = [p for p in panels if _count_inside(p, lines) >= 2]
    menus: list[Container] = []
    for bar in menu_bars:
        # Only one menu of a bar can be open: other panels below the bar belong to the window.
        named = [(p, name) for p in panels if (name := _entry_above(p, bar, ui_scale))]
        if named:
            panel, name = max(named, key=lambda n: (_count_inside(n[0], lines), n[0].area))
            menus.append(Container(panel, "menu", name, 0.8))
    for menu in list(menus):
        for panel in panels:
            beside = min(abs(panel.x - menu.box.right), abs(panel.right - menu.box.x)) <= 8 * ui_scale
            level = menu.box.y - 10 * ui_scale <= panel.y <= menu.box.bottom
            if beside and level and panel.width <= 600 * ui_scale and not any(panel.iou(m.box) > 0.5 for m in menus):
                menus.append(Container(panel, "menu", "", 0.4))
    return menus


def _count_inside(box: Box, lines: Sequence[TextLine]) -> int:
    return sum(box.contains(*line.box.centre) for line in lines)


def _rows(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Lines whose middles are level, each row from left to right."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda o: o.box.centre[1]):
        first = rows[-1][0].box if rows else None
        if first is None or line.box.centre[1] - first.centre[1] > 0.35 * min(first.height, line.box.height):
            rows.append([])
        rows[-1].append(line)
    return [sorted(row, key=lambda o: o.box.x) for row in rows]


def _count_usual(line: TextLine) -> int:
    """How many of the line's entries are usual in menu bars."""
    words = line.text.split() if len(line.char_x) == len(line.text) else [line.text]
    return sum(_plain(word) in MENU_WORDS for word in words)


def _entries(line: TextLine) -> list[tuple[str, Box]]:
    """The words of a line with their boxes: OCR often reads a whole menu bar as one line."""
    if len(line.char_x) != len(line.text):
        return [(line.text, line.box)]
    found: list[tuple[str, Box]] = []
    half = 0.3 * line.box.height
    start = 0
    for end in range(1, len(line.text) + 1):
        if end == len(line.text) or line.text[end].isspace():
            if end > start:
                left, right = line.char_x[start] - half, line.char_x[end - 1] + half
                box = Box(max(0, round(left)), line.box.y, max(1, round(right - left)), line.box.height)
                found.append((line.text[start:end], box))
            start = end + 1
    return found


def _runs(entries: Sequence[tuple[str, Box]]) -> list[list[tuple[str, Box]]]:
    """Stretches of entries with gaps of at most three line heights; a toolbar's labels stand further apart."""
    runs: list[list[tuple[str, Box]]] = []
    for text, box in entries:
        if runs and box.x - runs[-1][-1][1].right <= 3 * box.height:
            runs[-1].append((text, box))
        else:
            runs.append([(text, box)])
    return runs


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalpha())


def _panels(parts: Parts, ui_scale: float) -> list[Box]:
    """Flat parts of menu width, those joined that stand below each other with the same sides: separators cut menus."""
    _, _, width, height, area = parts.T
    good = (width >= 60 * ui_scale) & (width <= 800 * ui_scale) & (height >= 10 * ui_scale)
    boxes = [_outline(int(x), int(y), int(w), int(h)) for x, y, w, h, _ in parts[good & (area >= 0.4 * width * height)]]
    panels: list[Box] = []
    slack = 6 * ui_scale
    for box in sorted(boxes, key=lambda b: b.y):
        for index, panel in enumerate(panels):
            same = abs(box.x - panel.x) <= slack and abs(box.right - panel.right) <= slack
            if same and -slack <= box.y - panel.bottom <= 1.5 * slack:
                panels[index] = panel.union(box)
                break
        else:
            panels.append(box)
    return [p for p in panels if p.height >= 36 * ui_scale]


def _outline(x: int, y: int, width: int, height: int) -> Box:
    """The flat part with its border, see `proposals.control_outlines`."""
    left, top = max(0, x - 1), max(0, y - 1)
    return Box(left, top, x + width + 2 - left, y + height + 2 - top)


def _entry_above(panel: Box, bar: MenuBar, ui_scale: float) -> str:
    """The entry a panel hangs from: its left ends are near, and the panel begins at the bar's lower edge."""
    if not -8 * ui_scale <= panel.y - bar.entries[0][1].bottom <= 7 * ui_scale:
        return ""
    text, box = min(bar.entries, key=lambda e: abs(e[1].x - panel.x))
    return text if abs(box.x - panel.x) <= 16 * ui_scale else ""
