"""Pointer and keyboard on Wayland desktops that ask the user first (GNOME, KDE): the RemoteDesktop portal.

The user agrees once in the desktop's dialogue and chooses which monitors it is good for; a token keeps that answer. Not
run on a real GNOME or KDE yet; tested in a real D-Bus conversation with a portal made for the tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from fingerpost.app.input.keymap import symbol
from fingerpost.app.input.pointer import never
from fingerpost.app.input.remote_desktop import RemoteDesktop
from fingerpost.engine.errors import FingerpostError, InputError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.portals import bus, tokens
from fingerpost.engine.portals.errors import PortalError
from fingerpost.engine.wayland import session, space

KERNEL_BUTTONS = {"left": 0x110, "right": 0x111, "middle": 0x112}
TOKEN = "remote-desktop"
QUESTION_S = 2.0
"""An answer that took longer came from the user: a dialogue was in front of what was to be clicked."""
KEYS_AT_ONCE = 8
"""So many keys lie between two questions whether to stop."""


class Portal:
    """The desktop's session is opened by the first action, and stays open."""

    name = "Wayland (portal RemoteDesktop)"
    hint = "Install xdg-desktop-portal with the part for your desktop, or log in to a session on X11."

    def __init__(self) -> None:
        self._remote: RemoteDesktop | None = None

    def problem(self) -> str | None:
        return session.problem() or bus.portal_problem(RemoteDesktop.INTERFACE)

    def position(self) -> DesktopPoint | None:
        """None: the portal does not tell."""
        return None

    def move(self, point: DesktopPoint) -> None:
        self._act(lambda remote: remote.move(*_in_compositor(point)))

    def click(self, point: DesktopPoint, button: str = "left", count: int = 1) -> None:
        place = _in_compositor(point)

        def act(remote: RemoteDesktop) -> None:
            remote.move(*place)
            for _ in range(count):
                remote.press_button(KERNEL_BUTTONS[button])

        self._act(act)

    def type_text(self, text: str, stopped: Callable[[], bool] = never) -> None:
        symbols = [symbol(character) for character in text.replace("\r\n", "\n").replace("\r", "\n")]

        def act(remote: RemoteDesktop) -> None:
            for start in range(0, len(symbols), KEYS_AT_ONCE):
                if stopped():
                    return
                remote.press_keys(symbols[start : start + KEYS_AT_ONCE])

        self._act(act)

    def release_all(self) -> None:
        """Nothing is pressed between two actions: each press is released by the same call."""

    def close(self) -> None:
        """End the desktop's session, and its sign on the screen with it. Safe to call twice."""
        remote, self._remote = self._remote, None
        if remote is not None:
            remote.close()

    def _act(self, action: Callable[[RemoteDesktop], None]) -> None:
        try:
            if self._remote is None:
                self._open()
            assert self._remote is not None
            action(self._remote)
        except PortalError as error:
            self.close()  # the desktop may have ended the session; the next action opens one anew
            raise InputError(error.message, error.hint) from error

    def _open(self) -> None:
        """Raises `InputError` also when the user has just agreed: the dialogue was over what was looked at."""
        started = time.monotonic()
        remote = RemoteDesktop(tokens.load(TOKEN))
        tokens.save(TOKEN, remote.token)
        self._remote = remote
        if time.monotonic() - started > QUESTION_S:
            raise InputError("The desktop has asked you, and now allows clicks.", "Look again, then click.")


def _in_compositor(point: DesktopPoint) -> tuple[float, float]:
    """The place in logical units of the whole desktop. Raises `InputError` when it is on no monitor."""
    try:
        return space.uniform(session.outputs()).to_compositor(point)
    except FingerpostError as error:
        raise InputError(error.message, error.hint) from error
