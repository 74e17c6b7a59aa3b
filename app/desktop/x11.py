"""What Qt does not do for its windows on X11; elsewhere every function does nothing.

A connection of its own beside Qt's. Windows are Qt's `winId()`. All units are physical pixels. A call that fails
costs looks only, so failures are not told.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication, QNativeInterface

from fingerpost.engine.values import Box

if TYPE_CHECKING:
    from Xlib.display import Display


def in_use() -> bool:
    """Whether Qt draws through an X server, XWayland included."""
    return QGuiApplication.platformName() == "xcb"


def is_composited() -> bool:
    """Whether translucent windows are blended now; on X11 compositors come and go, all other systems blend."""
    if not in_use() or _is_xwayland():
        return True
    return bool(_tell(_has_compositor))


def set_shape(window: int, boxes: Iterable[Box] | None) -> None:
    """Cut a window to boxes in its own pixels; None makes it whole again."""

    def cut(display: Display) -> None:
        from Xlib.ext import shape

        there = _window(display, window)
        if boxes is None:
            there.shape_mask(shape.SO.Set, shape.SK.Bounding, 0, 0, 0)
        else:
            there.shape_rectangles(shape.SO.Set, shape.SK.Bounding, 0, 0, 0, [tuple(box) for box in boxes])

    if in_use():
        _tell(cut)


def let_clicks_through(window: int) -> None:
    """Input shape of one pixel: under GNOME's XWayland an empty one, as Qt sets it, has no effect."""

    def shrink(display: Display) -> None:
        from Xlib.ext import shape

        one_pixel = [(0, 0, 1, 1)]
        _window(display, window).shape_rectangles(shape.SO.Set, shape.SK.Input, 0, 0, 0, one_pixel)

    if in_use() and _is_xwayland():
        _tell(shrink)


def set_shadow_margin(window: int, margin: int) -> None:
    """Tell the window manager how far our own shadow reaches, so that it counts it out and adds no second one."""

    def write(display: Display) -> None:
        extents = display.intern_atom("_GTK_FRAME_EXTENTS")
        _window(display, window).change_property(extents, display.intern_atom("CARDINAL"), 32, [margin] * 4)

    if in_use():
        _tell(write)


def ask_for_focus(window: int) -> None:
    """Ask as a pager does, which no window manager takes for an intrusion: the user has just pressed our key."""

    def send(display: Display) -> None:
        from Xlib import X
        from Xlib.protocol import event

        message = event.ClientMessage(
            window=_window(display, window),
            client_type=display.intern_atom("_NET_ACTIVE_WINDOW"),
            data=(32, [2, X.CurrentTime, 0, 0, 0]),
        )
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        display.screen().root.send_event(message, event_mask=mask)

    if in_use():
        _tell(send)


def finish_requests() -> None:
    """Wait until the X server has done what Qt asked of it so far.

    Not by `QGuiApplication.sync`, which also hands out events that wait: a key would then be obeyed in the middle of
    whatever calls this.
    """
    if not in_use():
        return
    application = QGuiApplication.instance()
    native = application.nativeInterface() if isinstance(application, QGuiApplication) else None
    if not isinstance(native, QNativeInterface.QX11Application):
        return
    library = _xcb()
    connection = ctypes.c_void_p(native.connection())
    cookie = library.xcb_get_input_focus(connection)
    _free(library.xcb_get_input_focus_reply(connection, cookie, None))


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


@cache
def _xcb() -> ctypes.CDLL:
    """The library through which Qt speaks with the server; it is there because Qt has loaded it."""
    library = ctypes.CDLL("libxcb.so.1")
    library.xcb_get_input_focus.argtypes = [ctypes.c_void_p]
    library.xcb_get_input_focus.restype = _Cookie
    library.xcb_get_input_focus_reply.argtypes = [ctypes.c_void_p, _Cookie, ctypes.c_void_p]
    library.xcb_get_input_focus_reply.restype = ctypes.c_void_p
    return library


def _free(memory: int | None) -> None:
    release = ctypes.CDLL(None).free
    release.argtypes = [ctypes.c_void_p]
    release(memory)


def _has_compositor(display: Display) -> bool:
    from Xlib import X

    selection = display.intern_atom(f"_NET_WM_CM_S{display.get_default_screen()}")
    return bool(display.get_selection_owner(selection) != X.NONE)


def _is_xwayland() -> bool:
    return bool(os.environ.get("WAYLAND_DISPLAY"))


def _window(display: Display, window: int) -> Any:
    return display.create_resource_object("window", window)


def _tell(action: Callable[[Display], Any]) -> Any:
    """The action's result; None when the server does not answer. Qt's requests so far are there before ours."""
    from Xlib import error

    try:
        display = _connection()
        finish_requests()
        result = action(display)
        display.sync()
    except (error.XError, error.DisplayError, error.ConnectionClosedError, OSError):
        _connection.cache_clear()
        return None
    return result


@cache
def _connection() -> Display:
    from Xlib import display

    connection = display.Display()
    connection.set_error_handler(lambda *_: None)  # asynchronous errors, such as a window that is gone
    return connection
