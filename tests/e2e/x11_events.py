"""What happens on an X server, told by the server: pressed buttons, taken pictures, keys that are held down."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from desktop_session import DesktopSession
from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import record

from fingerpost.engine.values import Box

GET_IMAGE = 73  # the number of the core request
SHM_GET_IMAGE = 4  # and that within MIT-SHM
NONE, NOTHING = (0, 0), (0, 0, 0, 0)


@contextmanager
def connected(desktop: DesktopSession) -> Iterator[Display]:
    display = Display(desktop.display)
    try:
        yield display
    finally:
        display.close()


@contextmanager
def button_presses(desktop: DesktopSession) -> Iterator[list[float]]:
    """The times (`time.monotonic`) of all presses of the mouse's buttons, as the server delivers them."""
    with _recorded(desktop, device_events=(X.ButtonPress, X.ButtonPress)) as times:
        yield times


@contextmanager
def pictures_taken(desktop: DesktopSession) -> Iterator[list[float]]:
    """The times at which anybody has asked the server for pixels of the screen."""
    with connected(desktop) as display:
        extension = display.query_extension("MIT-SHM")
    number = extension.major_opcode if extension is not None else 0
    shared = (number, number, SHM_GET_IMAGE, SHM_GET_IMAGE) if number else NOTHING
    with _recorded(desktop, core_requests=(GET_IMAGE, GET_IMAGE), ext_requests=shared) as times:
        yield times


def held_down(desktop: DesktopSession) -> tuple[int, ...]:
    """Codes of the keys, and numbers of the buttons, that are pressed at the moment."""
    with connected(desktop) as display:
        keys = display.query_keymap()
        buttons = display.screen().root.query_pointer().mask >> 8
    codes = [8 * place + bit for place, byte in enumerate(keys) for bit in range(8) if byte >> bit & 1]
    return (*codes, *(number + 1 for number in range(5) if buttons >> number & 1))


def owner_of(desktop: DesktopSession, selection: str) -> int | None:
    with connected(desktop) as display:
        owner = display.get_selection_owner(display.intern_atom(selection))
    return None if owner == X.NONE else int(owner.id)


@contextmanager
def covered(desktop: DesktopSession, box: Box) -> Iterator[None]:
    """A blank window of somebody else's over a part of the desktop, above all others."""
    with connected(desktop) as display:
        screen = display.screen()
        window = screen.root.create_window(
            *box, 0, screen.root_depth, background_pixel=screen.white_pixel, override_redirect=True
        )
        window.map()
        window.raise_window()
        display.sync()
        yield
        window.destroy()
        display.sync()


@contextmanager
def taken_key(desktop: DesktopSession, key: str, modifiers: int) -> Iterator[None]:
    """A key that another program has taken for itself."""
    with connected(desktop) as display:
        code = display.keysym_to_keycode(XK.string_to_keysym(key))
        display.screen().root.grab_key(code, modifiers, True, X.GrabModeAsync, X.GrabModeAsync)
        display.sync()
        yield


@contextmanager
def _recorded(desktop: DesktopSession, **ranges: Any) -> Iterator[list[float]]:
    data, control = Display(desktop.display), Display(desktop.display)
    what = {
        "core_requests": NONE, "core_replies": NONE, "ext_requests": NOTHING, "ext_replies": NOTHING,
        "delivered_events": NONE, "device_events": NONE, "errors": NONE, "client_started": False, "client_died": False,
    }  # fmt: skip
    context = data.record_create_context(0, [record.AllClients], [what | ranges])
    times: list[float] = []
    begun = threading.Event()

    def receive(reply: Any) -> None:
        begun.set()
        if reply.category in {record.FromServer, record.FromClient} and len(reply.data):
            times.append(time.monotonic())

    thread = threading.Thread(target=data.record_enable_context, args=(context, receive), daemon=True)
    thread.start()
    assert begun.wait(10), "the recording did not start"
    try:
        yield times
    finally:
        control.record_disable_context(context)
        control.flush()
        thread.join(5)
        control.close()
