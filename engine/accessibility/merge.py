"""Joins what programs tell with what was seen on the picture.

The tree knows names and exact places, also of buttons that show only a picture. But it may be old, shifted, or tell of
things that are covered. So it is checked against the picture first, as a whole (`placement`) and node by node
(`evidence`); what does not stand the check is left out, and the scene stays as it was seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fingerpost.engine.accessibility.evidence import ALIKE, Evidence, Picture
from fingerpost.engine.accessibility.nodes import MENU_ENTRIES, MENU_POPUP, AccessibleNode
from fingerpost.engine.accessibility.placement import anchors, placement
from fingerpost.engine.lite.kinds import CHOICE, ENTRY
from fingerpost.engine.lite.names import normalise, similarity
from fingerpost.engine.lite.scene import KINDS, Container, Element, Scene, TextLine
from fingerpost.engine.values import Box, Frame

ALWAYS_WRITTEN = frozenset({"menu", "menu item", "text", "link", "column header", "radio button"})
"""Kinds that are never a picture alone."""
LEAST_READ = 0.3
"""Share of those that must be read on the picture."""
PROOF = 3
"""So many texts in the right place prove that the others are, too."""
HALF = 0.5
LOOSELY = 0.4  # intersection over union
NEAR_MIDDLE = 4  # pixels between the middle of a button and that of its picture
SIGN = 2  # characters
MANY = 4
"""From so many on a share says something."""

CONTAINERS = {
    "window": "window",
    "dialog": "dialog",
    "toolbar": "toolbar",
    "status bar": "status bar",
    "menu bar": "menu bar",
    MENU_POPUP: "menu",
}
WINDOWS = frozenset({"window", "dialog"})
BARS = frozenset({"toolbar", "status bar", "menu bar"})
WHOLE = frozenset({"button", "menu", "menu item", "link", "column header", *CHOICE})
"""Kinds that hold nothing to be operated by itself: what was seen within one is the same thing, or a part of it."""
PARTS = frozenset({"field", "button", "toggle button"})
"""What a combo box or a spin box may consist of."""
PICTURES = frozenset({"icon"})
"""What a button or a row may consist of."""
OPERABLE = frozenset(KINDS) - {"text"} | {"toggle button"}
"""What becomes an element. Labels only put right what was read."""
ROW_LIKE = frozenset({"list item", "menu item", "tab", "cell"})
SAME = 0.5  # intersection over union of a thing that was both seen and told


def with_accessible(scene: Scene, nodes: Sequence[AccessibleNode], frame: Frame) -> Scene:
    """The scene with the names, kinds and boxes that the nodes tell, where the picture agrees; else the same scene.

    Nodes come in the order of the tree, boxes in desktop physical pixels.
    """
    placed = _placed(nodes, scene, frame)
    picture = Picture(frame, scene.lines)
    told = [Told(node, picture.evidence(node)) for node in placed]
    if not _trustworthy(told):
        return scene
    told = _visible(told, scene, picture)
    if not told:
        return scene
    return replace(
        scene,
        lines=_corrected(scene.lines, told),
        elements=_joined(scene.elements, told),
        containers=_with_containers(scene.containers, told),
    )


@dataclass(frozen=True)
class Told:
    """A node in frame pixels, and what the picture says about it."""

    node: AccessibleNode
    evidence: Evidence

    @property
    def box(self) -> Box:
        return self.node.box


@dataclass(frozen=True)
class Menu:
    """An open menu; its own nodes are those from `first` to before `end`. `name` is what opened it."""

    box: Box
    name: str
    first: int
    end: int


def _placed(nodes: Sequence[AccessibleNode], scene: Scene, frame: Frame) -> list[AccessibleNode]:
    """The nodes with boxes in frame pixels; none when their places cannot be brought to agree with the picture."""
    left, top = frame.origin
    moved = [replace(node, box=node.box.moved(-left, -top)) for node in nodes if node.box.area > 0]
    common = anchors(moved, scene.lines)
    found = placement(common)
    if found is None or (len(common) < PROOF and not _coincide(moved, scene.elements)):
        return []
    return [replace(node, box=found.apply(node.box)) for node in moved]


def _coincide(nodes: Sequence[AccessibleNode], seen: Sequence[Element]) -> bool:
    """Whether most of what is told to be operable stands where something is seen; for windows with hardly any text."""
    small = [node.box for node in nodes if node.role in WHOLE | ENTRY | {"toggle button"}]
    if not small:
        return True
    common = _intersections(small, [element.box for element in seen])
    areas = np.array([box.area for box in small])[:, None]
    others = np.array([element.box.area for element in seen], np.int64)[None, :]
    middle = np.array([box.centre for box in small])[:, None, :] - _centres(seen)[None, :, :]
    off = np.abs(middle).max(axis=-1)
    same = (common >= LOOSELY * (areas + others - common)) | ((common >= 0.8 * others) & (off <= NEAR_MIDDLE))
    return bool(same.any(axis=1).mean() >= HALF)


def _centres(seen: Sequence[Element]) -> npt.NDArray[np.int64]:
    return np.array([element.box.centre for element in seen], np.int64).reshape(-1, 2)


def _trustworthy(told: Sequence[Told]) -> bool:
    """Whether the tree is of this picture: more texts confirm it than contradict it, and enough are seen at all."""
    confirmed = sum(t.evidence.confirmed for t in told)
    contradicted = sum(t.evidence.contradicted for t in told)
    if contradicted > confirmed:
        return False
    written = [t for t in told if t.node.role in ALWAYS_WRITTEN and sum(c.isalpha() for c in t.node.name) >= 3]
    read = sum(t.evidence.confirmed for t in written)
    return len(written) < MANY or read >= LEAST_READ * len(written)


def _visible(told: Sequence[Told], scene: Scene, picture: Picture) -> list[Told]:
    """The nodes that the picture shows: inside of it, not under a menu, something drawn there, no other text."""
    menus = _menus([t.node for t in told])
    seen_menus = [c.box for c in scene.containers if c.kind == "menu" and not _in_use(c.box, told)]
    kept = []
    for index, one in enumerate(told):
        x, y = one.box.centre
        under_menu = any(menu.box.contains(x, y) and not menu.first <= index < menu.end for menu in menus)
        covered = not one.evidence.confirmed and any(
            box.contains(x, y) for box in seen_menus if one.node.role not in {*MENU_ENTRIES, *CONTAINERS}
        )
        if under_menu or covered or one.evidence.contradicted or not _mostly_inside(one.box, scene):
            continue
        if one.node.role not in OPERABLE | CONTAINERS.keys() or picture.shows_anything(one.box):
            kept.append(Told(replace(one.node, box=one.box.intersection(_bounds(scene))), one.evidence))
    return kept


def _in_use(menu: Box, told: Sequence[Told]) -> bool:
    """Whether what was taken for an open menu shows other things of the tree: then it is none that covers them."""
    return any(t.evidence.confirmed and t.node.role not in MENU_ENTRIES and menu.contains(*t.box.centre) for t in told)


def _bounds(scene: Scene) -> Box:
    return Box(0, 0, scene.size.width, scene.size.height)


def _mostly_inside(box: Box, scene: Scene) -> bool:
    return 2 * box.intersection(_bounds(scene)).area >= box.area > 0


def _menus(nodes: Sequence[AccessibleNode]) -> list[Menu]:
    """The open menus: Qt tells a popup, GTK 3 only the entries below the title."""
    menus = []
    for index, node in enumerate(nodes):
        if node.role not in MENU_ENTRIES and node.role != MENU_POPUP:
            continue
        end = next((i for i in range(index + 1, len(nodes)) if nodes[i].depth <= node.depth), len(nodes))
        entries = [n.box for n in nodes[index + 1 : end] if n.depth == node.depth + 1 and n.role == "menu item"]
        if node.role == MENU_POPUP:
            title = nodes[index - 1].name if index and nodes[index - 1].depth < node.depth else ""
            menus.append(Menu(node.box, node.name or title, index, end))
        elif entries:
            box = entries[0]
            for entry in entries[1:]:
                box = box.union(entry)
            menus.append(Menu(box, node.name, index + 1, end))
    return menus


def _joined(seen: Sequence[Element], told: Sequence[Told]) -> tuple[Element, ...]:
    """Seen and told elements, each thing once: told ones take the place of what was seen of them."""
    candidates = [t for t in _without_shells(told) if t.node.role in OPERABLE]
    common = _intersections([t.box for t in candidates], [e.box for e in seen])
    replaced: set[int] = set()
    elements = []
    for row, one in enumerate(candidates):
        same = [i for i in np.flatnonzero(common[row]).tolist() if _same_thing(one.node, seen[i], int(common[row, i]))]
        if not same and not one.node.name and one.node.role not in ENTRY | CHOICE:
            continue  # a nameless thing that nobody sees is of no use to anybody
        replaced.update(same)
        kind = _kind(one.node, [seen[i] for i in same])
        elements.append(Element(one.box, kind, 1.0, one.node.name, one.node.description))
    rows = [e.box for e in elements if e.kind in {"list item", "cell"}]
    bars = [t.box for t in told if t.node.role in BARS]
    kept = [_without_outline(e, rows) for i, e in enumerate(seen) if i not in replaced and not _is_bar(e, bars)]
    return (*kept, *elements)


def _is_bar(seen: Element, bars: Sequence[Box]) -> bool:
    """A bar alone in a row looks like a field to write in."""
    return seen.kind in {"box", *ENTRY} and any(seen.box.iou(bar) > SAME for bar in bars)


def _without_outline(seen: Element, rows: Sequence[Box]) -> Element:
    """What was taken for a button in a row is the picture of that row: a button would have been told."""
    in_row = seen.kind in {"button", "box"} and any(_is_inside(seen.box, row) for row in rows)
    return replace(seen, kind="icon") if in_row else seen


def _without_shells(told: Sequence[Told]) -> list[Told]:
    """Leaves out what only repeats another node: the text and the button in a spin box, a second cell in one place."""
    kept: list[Told] = []
    for one in told:
        around = (k for k in kept if k.node.role in OPERABLE and one.node.role in OPERABLE)
        if not any(_is_part_of(one, k) or _is_copy(one, k) for k in around):
            kept.append(one)
    return kept


def _is_part_of(one: Told, other: Told) -> bool:
    parts = PARTS if other.node.role in {"combo", "spin"} else PICTURES if other.node.role in WHOLE | ROW_LIKE else ()
    return one.node.role in parts and _is_inside(one.box, other.box)


def _is_copy(one: Told, other: Told) -> bool:
    return one.node.name in {"", other.node.name} and one.box.iou(other.box) > 0.8


def _same_thing(node: AccessibleNode, seen: Element, common: int) -> bool:
    """Whether what was seen is what the node tells of; `common` is the area that both cover."""
    union = node.box.area + seen.box.area - common
    if common >= SAME * union:
        return True
    if node.role in WHOLE | {"toggle button"} and common >= 0.8 * seen.box.area:
        return True
    rows = node.role in ROW_LIKE and node.role == seen.kind
    alike_in_height = 0.67 < node.box.height / max(1, seen.box.height) < 1.5
    return rows and alike_in_height and common >= 0.7 * node.box.area


def _kind(node: AccessibleNode, same: Sequence[Element]) -> str:
    """A button that stays pressed may be drawn as a switch or with a box to check, which the tree does not tell.

    A box to check has its caption beside it; a square button shows a picture, which may look like such a box.
    """
    if node.role != "toggle button":
        return node.role
    drawn = {"switch", *CHOICE} if node.box.width > 1.5 * node.box.height else {"switch"}
    return next((element.kind for element in same if element.kind in drawn), "button")


def _intersections(a: Sequence[Box], b: Sequence[Box]) -> npt.NDArray[np.int64]:
    """The common area of each of `a` with each of `b`, shape (len(a), len(b))."""
    left = np.array(a, np.int64).reshape(-1, 1, 4)
    right = np.array(b, np.int64).reshape(1, -1, 4)
    start = np.maximum(left[..., :2], right[..., :2])
    end = np.minimum(left[..., :2] + left[..., 2:], right[..., :2] + right[..., 2:])
    return np.asarray(np.clip(end - start, 0, None).prod(axis=-1))


def _corrected(lines: Sequence[TextLine], told: Sequence[Told]) -> tuple[TextLine, ...]:
    """The lines, those that are a node's name and misread by a letter put right, and signs misread as others left out.

    A sign alone in a button ("%" read as "9%", an arrow read as "A") says less than the button's name.
    """
    names = {id(t.evidence.line): t.node.name for t in told if t.evidence.line is not None}
    named = [t for t in told if t.node.role in WHOLE and t.node.name]
    return tuple(
        _renamed(line, names.get(id(line), line.text))
        for line in lines
        if len(line.text) > SIGN or id(line) in names or not any(_misreads(line, one) for one in named)
    )


def _misreads(line: TextLine, one: Told) -> bool:
    return _is_inside(line.box, one.box) and normalise(line.text) != normalise(one.node.name)


def _renamed(line: TextLine, name: str) -> TextLine:
    if normalise(name) == normalise(line.text) or similarity(name, line.text) < ALIKE or not line.char_x:
        return line
    places = np.interp(np.linspace(0, 1, len(name)), np.linspace(0, 1, len(line.char_x)), line.char_x)
    return replace(line, text=name, char_x=tuple(places.tolist()))


def _with_containers(seen: Sequence[Container], told: Sequence[Told]) -> tuple[Container, ...]:
    """Seen and told areas, each once; where both are, the place that is told and the better name."""
    areas = [
        Container(t.box, CONTAINERS[t.node.role], t.node.name)
        for t in told
        if t.node.role in CONTAINERS and t.node.role != MENU_POPUP
    ]
    areas += [Container(menu.box, "menu", menu.name) for menu in _menus([t.node for t in told])]
    kept = [c for c in seen if not _known_better(c, areas, told)]
    for area in areas:
        same = [c for c in kept if c.box.iou(area.box) > SAME and _alike(c.kind, area.kind)]
        kept = [c for c in kept if c not in same]
        name = area.name or next((c.name for c in same if c.name), "")
        kept.append(replace(area, name=name))
    return tuple(kept)


def _known_better(seen: Container, areas: Sequence[Container], told: Sequence[Told]) -> bool:
    """Whether a told window around it tells of no such area there: a bar where it has others, a window around parts."""
    if not any(area.kind in WINDOWS and _is_inside(seen.box, area.box) for area in areas):
        return False
    if seen.kind in BARS:
        return any(area.kind == seen.kind for area in areas) and all(area.box.iou(seen.box) <= SAME for area in areas)
    inner = seen.kind in {*WINDOWS, "title bar"} and all(area.box.iou(seen.box) <= SAME for area in areas)
    return inner and any(t.evidence.confirmed and seen.box.contains(*t.box.centre) for t in told)


def _alike(a: str, b: str) -> bool:
    return a == b or {a, b} == WINDOWS


def _is_inside(inner: Box, outer: Box) -> bool:
    return inner.intersection(outer).area >= 0.9 * inner.area
