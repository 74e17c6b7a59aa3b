"""A global key on a real X server, pressed by the XTest extension."""

from __future__ import annotations

import queue
import subprocess
from collections.abc import Callable, Iterator

import pytest

from fingerpost.app.hotkeys import Bound, Chord, Conflict, NeedsUser, bind
from fingerpost.app.hotkeys.x11 import X11

WAIT_S = 5.0


@pytest.fixture
def press(x_display: str) -> Callable[[str], None]:
    def send(keys: str) -> None:
        subprocess.run(["xdotool", "key", keys], check=True, env={"DISPLAY": x_display, "PATH": "/usr/bin:/bin"})

    return send


class Presses:
    """Counts what a binding reports, and waits for it."""

    def __init__(self) -> None:
        self._queue: queue.Queue[None] = queue.Queue()

    def __call__(self) -> None:
        self._queue.put(None)

    def arrived(self, within_s: float = WAIT_S) -> bool:
        try:
            self._queue.get(timeout=within_s)
        except queue.Empty:
            return False
        return True


@pytest.fixture
def bound(x_display: str) -> Iterator[Callable[[str, Presses], Bound]]:
    held: list[Bound] = []

    def own(written: str, presses: Presses) -> Bound:
        result = bind(Chord.parse(written), presses)
        assert isinstance(result, Bound)
        held.append(result)
        return result

    yield own
    for one in held:
        one.release()


def test_the_key_is_reported_again_and_again(
    press: Callable[[str], None], bound: Callable[[str, Presses], Bound]
) -> None:
    presses = Presses()
    bound("Ctrl+Alt+Space", presses)
    for _ in range(3):
        press("ctrl+alt+space")
        assert presses.arrived()
    press("ctrl+space")
    assert not presses.arrived(0.2)


def test_a_key_that_is_held_down_is_reported_once(
    x_display: str, bound: Callable[[str, Presses], Bound], press: Callable[[str], None]
) -> None:
    presses = Presses()
    bound("Super+Space", presses)
    held = ["keydown", "super", "keydown", "space", "sleep", "1.2", "keyup", "space", "keyup", "super"]
    subprocess.run(["xdotool", *held], check=True, env={"DISPLAY": x_display, "PATH": "/usr/bin:/bin"})
    assert presses.arrived()
    assert not presses.arrived(0.1)
    press("super+space")
    assert presses.arrived()


@pytest.mark.parametrize("lock", ["Caps_Lock", "Num_Lock"])
def test_the_key_is_heard_while_a_lock_is_on(
    lock: str, press: Callable[[str], None], bound: Callable[[str, Presses], Bound]
) -> None:
    presses = Presses()
    bound("Super+F9", presses)
    press(lock)
    press("super+F9")
    assert presses.arrived()


def test_a_key_that_another_program_owns_is_a_conflict_and_leaves_nothing_behind(
    bound: Callable[[str, Presses], Bound], press: Callable[[str], None]
) -> None:
    presses = Presses()
    first = bound("Ctrl+Alt+K", presses)
    refused = bind(Chord.parse("Ctrl+Alt+K"), Presses())
    assert isinstance(refused, Conflict)
    assert "Ctrl+Alt+K" in refused.reason
    press("ctrl+alt+k")
    assert presses.arrived()
    first.release()
    second = Presses()
    bound("Ctrl+Alt+K", second)
    press("ctrl+alt+k")
    assert second.arrived()
    assert not presses.arrived(0.1)


def test_a_released_key_is_free_and_may_be_released_again(
    bound: Callable[[str, Presses], Bound], press: Callable[[str], None]
) -> None:
    presses = Presses()
    binding = bound("F7", presses)
    binding.release()
    binding.release()
    press("F7")
    assert not presses.arrived(0.2)


def test_a_dying_x_server_ends_the_binding_quietly(
    x_server: subprocess.Popen[bytes], bound: Callable[[str, Presses], Bound]
) -> None:
    binding = bound("F7", Presses())
    x_server.kill()
    x_server.wait(timeout=10)
    binding.release()


def test_without_a_display_the_user_is_told_what_to_bind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    result = bind(Chord.parse("F7"), Presses())
    assert isinstance(result, NeedsUser)
    assert "fingerpost app --toggle" in result.hint


def test_a_server_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":4711")
    assert isinstance(X11().bind(Chord.parse("F7"), Presses()), NeedsUser)
