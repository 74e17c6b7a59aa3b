"""The windows on an X server: titles, order and places, as window managers tell them (EWMH and ICCCM)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fingerpost.engine.capture.sources import WindowInfo
from fingerpost.engine.values import Box

if TYPE_CHECKING:
    from Xlib.display import Display
    from Xlib.xobject.drawable import Window

ICONIC = 3  # ICCCM 4.1.3.1, WM_STATE


def windows(display: Display) -> tuple[WindowInfo, ...]:
    """Titled windows, the active one first, then from the topmost down."""
    from Xlib import error

    found = []
    for window in _in_order(display):
        try:
            described = _describe(display, window)
        except error.XError:  # closed between two questions
            continue
        if described is not None:
            found.append(described)
    return tuple(found)


def _in_order(display: Display) -> list[Window]:
    """The managed windows; without a window manager, the children of the root."""
    root = display.screen().root
    numbers = _numbers(display, root, "_NET_CLIENT_LIST_STACKING") or _numbers(display, root, "_NET_CLIENT_LIST")
    bottom_up = [_window(display, number) for number in numbers] or list(root.query_tree().children)
    topmost_first = bottom_up[::-1]
    active = _numbers(display, root, "_NET_ACTIVE_WINDOW")
    return sorted(topmost_first, key=lambda window: window.id not in active)


def _describe(display: Display, window: Window) -> WindowInfo | None:
    """Title and place of a window; None for one that was never shown, or has no title or no area."""
    from Xlib import X

    attributes = window.get_attributes()
    title = _title(display, window)
    state = _numbers(display, window, "WM_STATE")
    viewable = attributes.map_state == X.IsViewable
    if not title or attributes.win_class != X.InputOutput or not (viewable or state):
        return None
    box = _place(display, window)
    if not box.area:
        return None
    hidden = display.intern_atom("_NET_WM_STATE_HIDDEN") in _numbers(display, window, "_NET_WM_STATE")
    return WindowInfo(title, box, minimised=hidden or not viewable or state[:1] == [ICONIC])


def _place(display: Display, window: Window) -> Box:
    """Desktop pixels of a window with the frame its manager put around it, without the shadow it drew itself."""
    root = display.screen().root
    frame = window
    while (parent := frame.query_tree().parent) and parent.id != root.id:
        frame = parent
    size = frame.get_geometry()
    width, height = size.width + 2 * size.border_width, size.height + 2 * size.border_width
    box = Box(size.x, size.y, width, height)
    shadow = _numbers(display, window, "_GTK_FRAME_EXTENTS")
    if len(shadow) != 4:
        return box
    left, right, top, bottom = shadow
    return Box(box.x + left, box.y + top, max(0, width - left - right), max(0, height - top - bottom))


def _title(display: Display, window: Window) -> str:
    name = window.get_full_property(display.intern_atom("_NET_WM_NAME"), display.intern_atom("UTF8_STRING"))
    if name is not None:
        return _text(name.value, "utf-8")
    plain = window.get_wm_name()
    return _text(plain, "latin-1") if plain else ""


def _text(value: Any, encoding: str) -> str:
    text = value.decode(encoding, "replace") if isinstance(value, bytes) else str(value)
    return " ".join(text.replace("\0", " ").split())


def _numbers(display: Display, window: Window, name: str) -> list[int]:
    """A property's values; empty when it is not set."""
    found = window.get_full_property(display.intern_atom(name), 0)
    return [] if found is None or isinstance(found.value, (str, bytes)) else [int(value) for value in found.value]


def _window(display: Display, number: int) -> Window:
    window: Window = display.create_resource_object("window", number)
    return window
