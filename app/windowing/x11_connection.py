"""One connection to the X server, kept between calls, with a deadline for each: Xlib itself waits for ever."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, TypeVar

from fingerpost.engine.deadline import within

if TYPE_CHECKING:
    from Xlib.display import Display

TIMEOUT_S = 4.0

Result = TypeVar("Result")


class NoServerError(Exception):
    """The X server does not answer, refuses, or is not there."""


class BrokenConnectionError(NoServerError):
    """The server closed the connection, or there is none."""


class X11Connection:
    """Runs one action at a time with the display that DISPLAY names."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._display: Display | None = None
        self._name = ""

    def run(self, action: Callable[[Display], Result], timeout_s: float = TIMEOUT_S) -> Result:
        """The action's result. Raises `NoServerError`, and what the action raises that is no error of Xlib's."""
        with self._lock:
            if self._display is not None:
                with suppress(BrokenConnectionError):  # a kept one: the server may have been restarted since
                    return self._try(action, timeout_s)
            return self._try(action, timeout_s)

    def _try(self, action: Callable[[Display], Result], timeout_s: float) -> Result:
        from Xlib import error

        try:
            return within(timeout_s, lambda: action(self._opened()))
        except TimeoutError as late:
            self._display = None  # its thread still waits; closing it would wait as well
            raise NoServerError("the X server does not answer") from late
        except (error.ConnectionClosedError, error.DisplayError, OSError, AssertionError) as broken:
            self._close()
            raise BrokenConnectionError(f"no X server answers on the display {self._name}") from broken
        except error.XError as refused:
            raise NoServerError("the X server refused") from refused

    def _opened(self) -> Display:
        from Xlib.display import Display

        name = os.environ.get("DISPLAY", "")
        if self._display is not None and self._name != name:
            self._close()
        if self._display is None:
            self._name = name
            with redirect_stdout(sys.stderr):  # python-xlib prints its warnings where our JSON goes
                self._display = Display(name)
        return self._display

    def _close(self) -> None:
        kept, self._display = self._display, None
        if kept is not None:
            with suppress(Exception):  # it may be broken already
                kept.close()


def problem_of(connection: X11Connection, extension: str | None = None) -> str | None:
    """Why X11 cannot be used here, in a few words; None when it can, and the server has `extension`."""
    if not sys.platform.startswith("linux"):
        return "this is not Linux"
    if not os.environ.get("DISPLAY"):
        return "no display: DISPLAY is not set"
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return "this is a Wayland session, whose own windows X11 neither sees nor reaches"
    try:
        return connection.run(lambda display: _lack(display, extension))
    except NoServerError as error:
        return str(error)


def _lack(display: Display, extension: str | None) -> str | None:
    if display.has_extension("XWAYLAND"):
        return "this is Xwayland, which reaches no window of a Wayland desktop"
    if extension is not None and not display.has_extension(extension):
        return f"the X server has no {extension} extension"
    return None
