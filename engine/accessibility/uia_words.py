"""The words of UI Automation in ours: control types, patterns and their values. Pure; runs everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from fingerpost.engine.accessibility.nodes import LONGEST_NAME, AccessibleNode, plain_name
from fingerpost.engine.values import Box

# Property identifiers of UIAutomationClient.h
RECTANGLE: Final = 30001
CONTROL_TYPE: Final = 30003
NAME: Final = 30005
HAS_FOCUS: Final = 30008
IS_ENABLED: Final = 30010
HELP_TEXT: Final = 30013
IS_PASSWORD: Final = 30019
IS_OFFSCREEN: Final = 30022
VALUE: Final = 30045
VALUE_IS_READ_ONLY: Final = 30046
RANGE_VALUE: Final = 30047
EXPAND_STATE: Final = 30070
IS_SELECTED: Final = 30079
TOGGLE_STATE: Final = 30086
HAS_TOGGLE: Final = 30041
HAS_VALUE: Final = 30043
HAS_RANGE_VALUE: Final = 30033

PROPERTIES: Final = (
    RECTANGLE, CONTROL_TYPE, NAME, HAS_FOCUS, IS_ENABLED, HELP_TEXT, IS_PASSWORD, IS_OFFSCREEN, VALUE,
    VALUE_IS_READ_ONLY, RANGE_VALUE, EXPAND_STATE, IS_SELECTED, TOGGLE_STATE, HAS_TOGGLE, HAS_VALUE, HAS_RANGE_VALUE,
)  # fmt: skip
"""What is asked for; all of it comes with one call for a whole part of the tree."""

_ON: Final = 1  # ToggleState_On
_EXPANDED: Final = 1  # ExpandCollapseState_Expanded

_KINDS: Final = {
    50000: "button",
    50002: "check box",
    50003: "combo",
    50004: "field",
    50005: "link",
    50006: "icon",
    50007: "list item",
    50008: "list",
    50009: "menu popup",
    50010: "menu bar",
    50011: "menu item",
    50012: "progress bar",
    50013: "radio button",
    50014: "scroll bar",
    50015: "slider",
    50016: "spin",
    50017: "status bar",
    50018: "page tab list",
    50019: "tab",
    50020: "text",
    50021: "toolbar",
    50022: "tool tip",
    50023: "tree",
    50024: "list item",
    50025: "custom",
    50026: "group",
    50027: "thumb",
    50028: "table",
    50029: "list item",
    50030: "document",
    50031: "button",
    50032: "window",
    50033: "pane",
    50034: "header",
    50035: "column header",
    50036: "table",
    50037: "title bar",
    50038: "separator",
    50039: "group",
    50040: "toolbar",
}
"""Control types of UIAutomationClient.h."""


def kind(control_type: int, parents: Sequence[str], toggles: bool = False) -> str:
    """Our word for a control type; `parents` are our words for what it stands in, the nearest last."""
    word = _KINDS.get(control_type, "custom")
    if word == "menu item" and parents and parents[-1] == "menu bar":
        return "menu"
    if word == "window" and parents:
        return "dialog"  # a window in a window
    if word == "button" and toggles:
        return "toggle button"
    return word


def node(properties: Mapping[int, Any], parents: Sequence[str]) -> AccessibleNode | None:
    """A node from its properties; None when it is off the screen or has no place."""
    left, top, right, bottom = properties[RECTANGLE]
    box = Box(round(left), round(top), round(right - left), round(bottom - top))
    if properties.get(IS_OFFSCREEN) or box.width <= 0 or box.height <= 0:
        return None
    word = kind(int(properties.get(CONTROL_TYPE) or 0), parents, bool(properties.get(HAS_TOGGLE)))
    return AccessibleNode(
        plain_name(properties.get(NAME) or ""),
        word,
        box,
        frozenset(_states(properties, word)),
        _text(properties),
        len(parents),
        plain_name(properties.get(HELP_TEXT) or ""),
    )


def _states(properties: Mapping[int, Any], word: str) -> set[str]:
    held = {
        "showing": True,
        "enabled": properties.get(IS_ENABLED),
        "focused": properties.get(HAS_FOCUS),
        "selected": properties.get(IS_SELECTED),
        "checked": properties.get(HAS_TOGGLE) and properties.get(TOGGLE_STATE) == _ON,
        "expanded": properties.get(EXPAND_STATE) == _EXPANDED,
        "editable": word == "field" and not properties.get(VALUE_IS_READ_ONLY),
    }
    return {name for name, holds in held.items() if holds}


def _text(properties: Mapping[int, Any]) -> str:
    """What a field holds; never that of a password."""
    if properties.get(IS_PASSWORD):
        return ""
    if properties.get(HAS_RANGE_VALUE) and isinstance(properties.get(RANGE_VALUE), int | float):
        return f"{properties[RANGE_VALUE]:g}"
    return str(properties.get(VALUE) or "")[:LONGEST_NAME] if properties.get(HAS_VALUE) else ""
