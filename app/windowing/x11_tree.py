"""The top-level windows of an X server, asked with many questions in flight at once.

The order is that of the server's own tree, which holds menus and popups too and needs no window manager. A window
manager's frame and the window inside it are one: the frame gives the place, the inner one id, title and program.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fingerpost.app.windowing.processes import is_runner, names_of
from fingerpost.app.windowing.values import WindowAt
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box

if TYPE_CHECKING:
    from Xlib.display import Display
    from Xlib.xobject.drawable import Window

ALL_DESKTOPS = 0xFFFFFFFF
MAX_DEPTH = 4
"""How far below a top-level window its inner one is searched: frames of window managers are two or three deep."""


def top_at(display: Display, point: DesktopPoint) -> Window | None:
    """The top-level window that gets a click at `point`; the server honours windows that let clicks through."""
    root = display.screen().root
    child = root.translate_coords(root, point.x, point.y).child
    return _window(display, _id(child)) if _id(child) else None


class Top(NamedTuple):
    """A top-level window on the screen with its outer place. One without pixels only takes clicks."""

    window: Window
    box: Box
    has_pixels: bool


def shown(display: Display) -> list[Top]:
    """The top-level windows that are on the screen, topmost first."""
    from Xlib import X
    from Xlib.protocol import request

    children = display.screen().root.query_tree().children[::-1]
    attributes = [request.GetWindowAttributes(display=display.display, defer=True, window=w.id) for w in children]
    places = [request.GetGeometry(display=display.display, defer=True, drawable=w.id) for w in children]
    found = []
    for window, attribute, place in zip(children, attributes, places, strict=True):
        if _answered(attribute) and _answered(place) and attribute.map_state == X.IsViewable:
            found.append(Top(window, _outer(place), attribute.win_class == X.InputOutput))
    return found


def gets_clicks(window: Window, box: Box, point: DesktopPoint) -> bool:
    """Whether a shown window takes a click at `point`: its input shape may have holes, or be empty."""
    from Xlib.ext import shape

    if not box.contains(point.x, point.y):
        return False
    areas = shape.get_rectangles(window, shape.SK.Input).rectangles
    return any(Box(a.x, a.y, a.width, a.height).contains(point.x - box.x, point.y - box.y) for a in areas)


def clients(display: Display) -> dict[int, Window]:
    """Top-level window → the window inside it that its program made, for all that a window manager knows."""
    from Xlib.protocol import request

    root = display.screen().root
    managed = [_window(display, number) for number in numbers(root, "_NET_CLIENT_LIST")]
    rising = [(window, window.id) for window in managed]
    found: dict[int, Window] = {}
    while rising:
        asked = [(w, n, request.QueryTree(display=display.display, defer=True, window=n)) for w, n in rising]
        answered = [(window, number, answer) for window, number, answer in asked if _answered(answer)]
        found |= {number: window for window, number, answer in answered if _id(answer.parent) == root.id}
        rising = [(window, _id(answer.parent)) for window, _, answer in answered if _id(answer.parent) != root.id]
    return found


def describe(display: Display, top: Window, box: Box, known: Mapping[int, Window]) -> WindowAt:
    """Everything about a top-level window whose outer place is `box`; `known` are the `clients`."""
    inner = known.get(top.id) or (None if known else _inner(top)) or top
    pid = _pid(display, inner)
    classes = [name.lower() for name in inner.get_wm_class() or ()]
    names = (names_of(pid) if pid is not None else frozenset()) | set(filter(None, classes))
    return WindowAt(inner.id, title(inner), _app(classes, names), pid, _without_shadow(inner, box), names=names)


def place(window: Window) -> Box:
    """The outer place of a top-level window."""
    return _outer(window.get_geometry())


def is_ours(window: WindowAt) -> bool:
    """Whether a window belongs to this process."""
    return window.pid == os.getpid()


def is_hidden(display: Display, window: WindowAt) -> bool:
    """A tooltip; or minimised, or on another workspace: some window managers only cover these."""
    inner = _window(display, window.id)
    if display.get_atom("_NET_WM_WINDOW_TYPE_TOOLTIP") in numbers(inner, "_NET_WM_WINDOW_TYPE"):
        return True
    if display.get_atom("_NET_WM_STATE_HIDDEN") in numbers(inner, "_NET_WM_STATE"):
        return True
    here = numbers(display.screen().root, "_NET_CURRENT_DESKTOP")
    on = numbers(inner, "_NET_WM_DESKTOP")
    return bool(here and on) and on[0] != here[0] and on[0] != ALL_DESKTOPS


def is_ordinary(display: Display, window: WindowAt) -> bool:
    """Whether it is a window to work in: no panel, no desktop, no menu."""
    inner = _window(display, window.id)
    kinds = [display.get_atom(f"_NET_WM_WINDOW_TYPE_{kind}") for kind in ("DOCK", "DESKTOP", "NOTIFICATION")]
    return bool(numbers(inner, "WM_STATE")) and not set(kinds) & set(numbers(inner, "_NET_WM_WINDOW_TYPE"))


def active(display: Display) -> int:
    """The id of the window with the keyboard, 0 when there is none."""
    told = numbers(display.screen().root, "_NET_ACTIVE_WINDOW")
    if told and told[0]:
        return told[0]
    return _id(display.get_input_focus().focus)


def top_of(display: Display, number: int) -> Window | None:
    """The top-level window that a window is, or is inside of; None for the root."""
    root = display.screen().root
    window = _window(display, number)
    if window.id == root.id:
        return None
    while (parent := window.query_tree().parent) and parent.id != root.id:
        window = parent
    return window


def title(window: Window) -> str:
    found = window.get_full_text_property(window.display.get_atom("_NET_WM_NAME"))
    return " ".join(str(found or window.get_wm_name() or "").replace("\0", " ").split())


def numbers(window: Window, name: str) -> list[int]:
    """A property's values; empty when it is not set."""
    found = window.get_full_property(window.display.get_atom(name), 0)
    return [] if found is None or isinstance(found.value, (str, bytes)) else [int(value) for value in found.value]


def _inner(top: Window) -> Window | None:
    """The window inside the frame of a window manager that lists nothing: the first with WM_STATE (ICCCM 4.1.3.1)."""
    level = [top]
    for _ in range(MAX_DEPTH):
        for window in level:
            if numbers(window, "WM_STATE"):
                return window
        level = [child for window in level for child in window.query_tree().children]
    return None


def _pid(display: Display, window: Window) -> int | None:
    """The server's own word about its client first; a program in a sandbox tells a number that means nothing here."""
    from Xlib.ext import res

    if display.has_extension("X-Resource"):
        for found in res.query_client_ids(display, [(window.id, res.LocalClientPIDMask)]).ids:
            if found.value:
                return int(found.value[0])
    told = numbers(window, "_NET_WM_PID")
    return told[0] if told else None


def _app(classes: Sequence[str], names: Iterable[str]) -> str:
    """The class, which names the program also when something else runs it; else what the process is called."""
    if classes and classes[-1]:
        return classes[-1]
    own = sorted((name for name in names if not is_runner(name)), key=lambda name: (-len(name), name))
    return own[0] if own else ""


def _outer(geometry: Any) -> Box:
    border = 2 * geometry.border_width
    return Box(geometry.x, geometry.y, geometry.width + border, geometry.height + border)


def _without_shadow(window: Window, box: Box) -> Box:
    shadow = numbers(window, "_GTK_FRAME_EXTENTS")
    if len(shadow) != 4:
        return box
    left, right, top, bottom = shadow
    return Box(box.x + left, box.y + top, max(0, box.width - left - right), max(0, box.height - top - bottom))


def _answered(request: Any) -> bool:
    """Wait for a question's answer; False when its window was closed meanwhile."""
    from Xlib import error

    try:
        request.reply()
    except error.XError:
        return False
    return True


def _window(display: Display, number: int) -> Window:
    return display.create_resource_object("window", number)


def _id(window: Any) -> int:
    """A window in an answer is a number where it has a special meaning (0: none), else an object."""
    return window if isinstance(window, int) else int(window.id)
