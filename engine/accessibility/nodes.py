"""What programs tell assistive software about their windows, the same on every system.

Boxes are desktop physical pixels as the program gives them; some programs give others. `merge` checks them against the
picture before anything is believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fingerpost.engine.values import Box

STATES = ("checked", "selected", "focused", "enabled", "editable", "expanded", "showing")
MENU_ENTRIES = frozenset({"menu", "menu item"})
MENU_POPUP = "menu popup"
LONGEST_NAME = 200  # characters; a longer "name" is a whole text

_SHORTCUT = re.compile(
    r"\s*\((?:(?:Ctrl|Alt|Shift|Meta|Strg|Umschalt|Mayús|Super)\s*\+[^()]*|F\d{1,2}|Esc|Del)\)$", re.I
)
_MNEMONIC = re.compile(r"(?<![A-Z])&(?=\w)|&(?=[a-z])|(?<!\w)_(?=\w)")  # "E&xit" has one, "R&D" none


@dataclass(frozen=True)
class AccessibleNode:
    """One thing that a window shows.

    role         one of `engine.lite.scene.KINDS`; or "window", "dialog", "toolbar", "status bar", "menu bar",
                 "menu popup", "toggle button"; or the system's own word
    box          desktop physical pixels
    states       of `STATES`, those that hold
    text         what a field holds, the value of a slider; "" when none
    depth        0 for a window; nodes come in the order of the tree, each before its children
    description  what the program says about it beside its name, often its tooltip
    """

    name: str
    role: str
    box: Box
    states: frozenset[str] = frozenset()
    text: str = ""
    depth: int = 0
    description: str = ""


@dataclass(frozen=True)
class Snapshot:
    """The nodes of the active window and of the menus it has open.

    complete  False when the deadline came first: these are the nodes that had arrived
    """

    nodes: tuple[AccessibleNode, ...] = field(default=())
    complete: bool = False
    app: str = ""
    window: str = ""
    elapsed_ms: float = 0.0


EMPTY = Snapshot()


def plain_name(name: str) -> str:
    """A name without keyboard signs: "&File" and "Save (Ctrl+S)" are "File" and "Save"."""
    name = _SHORTCUT.sub("", " ".join(name.split("\t", maxsplit=1)[0].split()))
    name = _MNEMONIC.sub("", name, count=1) if "&&" not in name else name.replace("&&", "&")
    return name.strip()[:LONGEST_NAME]


def find_node(nodes: Iterable[AccessibleNode], role: str | None, name: str) -> AccessibleNode | None:
    """The first node of that role (None: any) and that name or description; whatever the case. None when none is."""
    wanted = name.casefold()
    for node in nodes:
        if role in {None, node.role} and wanted in {node.name.casefold(), node.description.casefold()}:
            return node
    return None


def uncovered(nodes: Sequence[AccessibleNode], above: Sequence[Box]) -> tuple[AccessibleNode, ...]:
    """The nodes that no window above hides; `above` in desktop physical pixels. A node's middle decides."""
    return tuple(node for node in nodes if not any(box.contains(*node.box.centre) for box in above))
