"""The X11 handler against real servers and a real window manager: frames, order, and servers that misbehave."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from Xlib import X, Xatom, Xutil, display
from Xlib.protocol import event

from fingerpost.engine import capture
from fingerpost.engine.capture import Desktop, Region, Window, x11
from fingerpost.engine.capture.x11 import X11
from fingerpost.engine.errors import CaptureError, UsageError
from fingerpost.engine.values import Box

BLUE = 0x3366CC


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(x11, "TIMEOUT_S", 1.5)


@pytest.fixture
def connection(x_display: str) -> Iterator[Any]:
    opened = display.Display(x_display)
    yield opened
    opened.close()


@pytest.fixture
def managed(connection: Any) -> Iterator[Any]:
    """A connection to a server with openbox as its window manager."""
    environment = {**os.environ, "DISPLAY": connection.get_display_name()}
    manager = subprocess.Popen(["openbox", "--sm-disable"], env=environment, stderr=subprocess.DEVNULL)
    ready = connection.intern_atom("_NET_WORKAREA")
    wait_until(lambda: connection.screen().root.get_full_property(ready, Xatom.CARDINAL) is not None)
    yield connection
    manager.terminate()
    manager.wait(timeout=10)


def wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(200):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("the condition did not come true within four seconds")


def open_window(connection: Any, title: str, x: int, y: int) -> Any:
    """A managed window of 200 x 100 pixels, BLUE; its frame's corner goes to x, y."""
    screen = connection.screen()
    window = screen.root.create_window(x, y, 200, 100, 0, screen.root_depth, background_pixel=BLUE)
    window.set_wm_name(title)
    window.set_wm_normal_hints(flags=Xutil.USPosition | Xutil.PPosition)

    def shown() -> bool:
        window.map()  # again and again: a window manager that is just starting may miss the first request
        connection.sync()
        return any(w.title == title and not w.minimised for w in capture.windows())

    wait_until(shown)
    return window


def tell_manager(connection: Any, window: Any, name: str, *values: int) -> None:
    root = connection.screen().root
    data = (32, [*values, *[0] * (5 - len(values))])
    message = event.ClientMessage(window=window, client_type=connection.intern_atom(name), data=data)
    root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
    connection.sync()


def test_a_window_is_captured_with_the_frame_around_it(managed: Any) -> None:
    open_window(managed, "Framed", 300, 200)
    frame = capture.capture(Window("framed"))
    left, top, right, bottom = frame_extents(managed)
    assert top > 10, "openbox draws a title bar"
    assert (frame.width, frame.height) == (200 + left + right, 100 + top + bottom)
    assert frame.origin == (300, 200)
    inside = frame.pixels[top : top + 100, left : left + 200, :3]
    assert (inside == (0xCC, 0x66, 0x33)).all()


def frame_extents(connection: Any) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the active window's frame, as the manager itself tells them."""
    root = connection.screen().root
    active = root.get_full_property(connection.intern_atom("_NET_ACTIVE_WINDOW"), Xatom.WINDOW).value[0]
    window = connection.create_resource_object("window", active)
    left, right, top, bottom = window.get_full_property(
        connection.intern_atom("_NET_FRAME_EXTENTS"), Xatom.CARDINAL
    ).value
    return left, top, right, bottom


def test_the_shadow_a_window_draws_around_itself_is_no_part_of_it(managed: Any) -> None:
    window = open_window(managed, "With shadow", 300, 200)
    whole = next(w for w in capture.windows() if w.title == "With shadow").box
    window.change_property(managed.intern_atom("_GTK_FRAME_EXTENTS"), Xatom.CARDINAL, 32, [10, 20, 5, 30])
    managed.sync()
    found = next(w for w in capture.windows() if w.title == "With shadow")
    assert found.box == Box(whole.x + 10, whole.y + 5, whole.width - 30, whole.height - 35)


def test_the_active_window_comes_before_others_with_that_title(managed: Any) -> None:
    first = open_window(managed, "Note one", 50, 50)
    open_window(managed, "Note two", 400, 300)
    assert capture.capture(Window("note")).title.endswith("Note two”")
    tell_manager(managed, first, "_NET_ACTIVE_WINDOW", 2)
    wait_until(lambda: capture.windows()[0].title == "Note one")
    assert capture.capture(Window("note")).title.endswith("Note one”")


def test_a_minimised_window_is_refused_and_a_visible_one_preferred(managed: Any) -> None:
    first = open_window(managed, "Draft A", 50, 50)
    tell_manager(managed, first, "WM_CHANGE_STATE", 3)
    wait_until(lambda: all(w.minimised for w in capture.windows() if w.title == "Draft A"))
    with pytest.raises(UsageError, match="minimised"):
        capture.capture(Window("draft"))
    open_window(managed, "Draft B", 400, 300)
    assert capture.capture(Window("draft")).title.endswith("Draft B”")


def test_a_window_partly_off_the_screen_is_cut_to_it(connection: Any) -> None:
    open_window(connection, "Edge", 1180, -20)  # without a window manager it stays where it was put
    frame = capture.capture(Window("Edge"))
    assert (frame.origin, frame.width, frame.height) == ((1180, 0), 100, 80)


def test_monitors_carry_their_names_and_the_scale_of_the_desktop(connection: Any) -> None:
    xrandr(connection, "--setmonitor LEFT 640/160x800/200+0+0 screen")
    xrandr(connection, "--setmonitor RIGHT 640/160x800/200+640+0 none")
    root = connection.screen().root
    root.change_property(Xatom.RESOURCE_MANAGER, Xatom.STRING, 8, b"Xft.hinting:\t1\nXft.dpi:\t144\n")
    connection.sync()
    assert [(m.name, m.scale) for m in capture.monitors().monitors] == [("LEFT", 1.5), ("RIGHT", 1.5)]


def test_captured_pixels_cannot_be_written_to(connection: Any) -> None:
    open_window(connection, "Any", 10, 10)
    with pytest.raises(ValueError, match="read-only"):
        capture.capture(Desktop()).pixels[0, 0] = 0


def test_one_connection_serves_many_captures(connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    open_window(connection, "Any", 10, 10)
    capture.capture(Desktop())
    monkeypatch.setattr(x11, "Connection", None)  # opening another one would fail
    for _ in range(20):
        assert capture.capture(Region(10, 10, 20, 20)).width == 20


def test_a_grown_screen_is_captured_whole(connection: Any) -> None:
    open_window(connection, "Any", 10, 10)
    xrandr(connection, "--newmode small 25.175 640 656 752 800 480 490 492 525")
    xrandr(connection, "--addmode screen small")
    xrandr(connection, "--output screen --mode small")
    handler = X11()
    assert handler.layout().bounds == Box(0, 0, 640, 480)
    assert handler.grab(Box(0, 0, 640, 480)).shape == (480, 640, 4)
    xrandr(connection, "--output screen --mode 1280x800")
    assert handler.layout().bounds == Box(0, 0, 1280, 800)
    assert handler.grab(Box(0, 0, 1280, 800)).shape == (800, 1280, 4)


def xrandr(connection: Any, options: str) -> None:
    command = ["xrandr", "--display", connection.get_display_name(), *options.split()]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def test_a_killed_server_is_an_error_and_no_end_of_the_program(x_server: subprocess.Popen[bytes]) -> None:
    handler = capture.handler()
    handler.grab(Box(0, 0, 10, 10))
    x_server.kill()
    x_server.wait(timeout=10)
    with pytest.raises(CaptureError, match="No X server answers"):
        handler.grab(Box(0, 0, 10, 10))
    with pytest.raises(CaptureError, match="no X server answers"):
        capture.capture(Desktop())


def test_a_server_that_hangs_is_an_error_in_time(x_server: subprocess.Popen[bytes]) -> None:
    handler = X11()
    x_server.send_signal(signal.SIGSTOP)
    with pytest.raises(CaptureError, match="does not answer"):
        handler.grab(Box(0, 0, 10, 10))
    x_server.send_signal(signal.SIGCONT)
    assert handler.grab(Box(0, 0, 10, 10)).shape == (10, 10, 4)


def test_a_server_that_hangs_later_is_not_waited_for_twice(
    x_server: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    handler = X11()
    handler.grab(Box(0, 0, 10, 10))
    x_server.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(x11, "Connection", None)  # another attempt would fail at once, with another message
    with pytest.raises(CaptureError, match="does not answer"):
        handler.grab(Box(0, 0, 10, 10))


def test_the_program_leaves_although_a_call_into_the_server_hangs(x_server: subprocess.Popen[bytes]) -> None:
    x_server.send_signal(signal.SIGSTOP)
    command = [sys.executable, "-m", "fingerpost", "screens"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 3
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 2


def test_a_display_that_accepts_and_says_nothing_is_an_error_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        port = deaf.getsockname()[1]
        monkeypatch.setenv("DISPLAY", f"127.0.0.1:{port - 6000}")
        assert X11().problem() == f"no X server answers on the display 127.0.0.1:{port - 6000}"


def test_output_stays_clean_with_an_empty_authority_file(
    x_server: subprocess.Popen[bytes],
    tmp_path: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert x_server.poll() is None
    empty = tmp_path / "authority"
    empty.touch()
    monkeypatch.setenv("XAUTHORITY", str(empty))
    assert X11().layout().monitors
    assert capsys.readouterr().out == ""
