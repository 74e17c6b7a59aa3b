"""The words of AT-SPI in ours: roles and states. Qt, GTK, Firefox and Chromium differ in the details."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

SHOWING: Final = 25
ACTIVE: Final = 1
MANAGES_DESCENDANTS: Final = 31
"""Numbers of bits in the state of an object."""

_STATES: Final = {
    4: "checked",
    7: "editable",
    8: "enabled",
    10: "expanded",
    12: "focused",
    23: "selected",
    25: "showing",
}

_ROLES: Final = {
    "push button": "button",
    "push button menu": "button",
    "button": "button",
    "split button": "button",
    "switch": "switch",
    "check box": "check box",
    "radio button": "radio button",
    "page tab": "tab",
    "entry": "field",
    "password text": "field",
    "editbar": "field",
    "autocomplete": "field",
    "date editor": "field",
    "combo box": "combo",
    "drop down list": "combo",
    "spin button": "spin",
    "spin box": "spin",
    "slider": "slider",
    "link": "link",
    "list item": "list item",
    "tree item": "list item",
    "icon": "list item",  # an entry of an icon view, not a picture
    "table cell": "cell",
    "table column header": "column header",
    "column header": "column header",
    "image": "icon",
    "label": "text",
    "static": "text",
    "caption": "text",
    "heading": "text",
    "paragraph": "text",
    "frame": "window",
    "dialog": "dialog",
    "alert": "dialog",
    "file chooser": "dialog",
    "color chooser": "dialog",
    "font chooser": "dialog",
    "tool bar": "toolbar",
    "status bar": "status bar",
    "statusbar": "status bar",
    "menu bar": "menu bar",
    "popup menu": "menu popup",
}
_MENU_WORDS: Final = frozenset({"menu", "menu item", "check menu item", "radio menu item", "tearoff menu item"})
_TOP_LEVEL: Final = frozenset({"frame", "dialog", "alert", "file chooser", "color chooser", "font chooser"})

HOLDS_TEXT: Final = frozenset({"field", "spin", "combo"})
HOLDS_VALUE: Final = frozenset({"slider", "progress bar", "scroll bar"})
DESCRIBED: Final = frozenset(_ROLES.values()) | HOLDS_VALUE | {"menu", "menu item", "toggle button", "panel"}
"""What may have a description, a text or a value that somebody asks for: not the boxes that only hold others."""
WITH_LONG_LISTS: Final = frozenset({"table", "tree table", "tree", "list", "list box"})


def is_window(role: str) -> bool:
    """Whether it is a window or a dialog of its own, and not a menu or a tooltip, by the word of AT-SPI."""
    return role in _TOP_LEVEL


def kind(role: str, parents: Sequence[str], states: frozenset[str]) -> str:
    """Our word for a role of AT-SPI; `parents` are our words for what it stands in, the nearest last."""
    parent = parents[-1] if parents else ""
    if role in _MENU_WORDS:
        return _kind_of_menu(role, parent)
    if role == "frame" and parent:
        return "panel"  # Qt 5 calls a line around other things so
    if role in {"check box", "radio button"} and "toolbar" in parents:
        return "toggle button"  # Qt 5 calls every button in a toolbar that stays pressed a check box
    if role == "text":
        return "field" if "editable" in states else "text"
    return _ROLES.get(role, role)


def _kind_of_menu(role: str, parent: str) -> str:
    if role == "menu" and parent in {"", "window"}:
        return "menu popup"  # GTK 3: a context menu is a menu in a window of its own
    return "menu" if parent == "menu bar" else "menu item"


def bits(state: Collection[int]) -> int:
    """The state of an object as one number, from the 32-bit words that come over the bus."""
    return sum(word << (32 * index) for index, word in enumerate(state))


def state_names(state: int) -> frozenset[str]:
    return frozenset(name for bit, name in _STATES.items() if state >> bit & 1)
