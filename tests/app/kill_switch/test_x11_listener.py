"""The kill switch on a real X server, also while another program holds the keyboard."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator

import pytest
from Xlib import X, display

from fingerpost.app.kill_switch import Armed, NotArmed, arm


@pytest.fixture
def stopped(x_display: str) -> Iterator[threading.Event]:
    assert x_display
    event = threading.Event()
    armed = arm(event.set)
    assert isinstance(armed, Armed)
    yield event
    armed.release()
    armed.release()


def keys(*names: str) -> None:
    subprocess.run(["xdotool", "key", "--delay", "20", *names], check=True)


def test_escape_twice_is_heard(stopped: threading.Event) -> None:
    keys("Escape", "Escape")
    assert stopped.wait(5)


def test_escape_twice_is_heard_while_a_menu_holds_the_keyboard(stopped: threading.Event) -> None:
    other = display.Display()
    other.screen().root.grab_keyboard(True, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
    other.sync()
    keys("Escape", "Escape")
    assert stopped.wait(5)
    other.close()


def test_one_escape_or_another_key_between_is_nothing(stopped: threading.Event) -> None:
    keys("Escape", "a", "Escape")
    assert not stopped.wait(0.3)
    keys("b", "Escape", "Escape")
    assert stopped.wait(5)


def test_once_released_nothing_is_heard(x_display: str) -> None:
    event = threading.Event()
    armed = arm(event.set)
    assert isinstance(armed, Armed)
    armed.release()
    keys("Escape", "Escape")
    assert not event.wait(0.3)


def test_it_may_be_released_from_its_own_call(x_display: str) -> None:
    done = threading.Event()
    held: list[Armed] = []

    def stop() -> None:
        held[0].release()
        done.set()

    armed = arm(stop)
    assert isinstance(armed, Armed)
    held.append(armed)
    keys("Escape", "Escape")
    assert done.wait(5)


def test_a_dying_x_server_ends_it_quietly(x_server: subprocess.Popen[bytes]) -> None:
    armed = arm(lambda: None)
    assert isinstance(armed, Armed)
    x_server.kill()
    x_server.wait(timeout=10)
    armed.release()


def test_where_no_keyboard_can_be_heard_the_user_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    refused = arm(lambda: None)
    assert isinstance(refused, NotArmed)
    assert refused.reason.endswith(".")


def test_released_at_once_it_leaves_no_thread_behind(x_display: str) -> None:
    before = set(threading.enumerate())
    for _ in range(20):
        armed = arm(lambda: None)
        assert isinstance(armed, Armed)
        armed.release()
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=5)
        assert not thread.is_alive()
