"""Pointer and keyboard on a real X server, with windows that tell what they get and with a real editor."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from Xlib import X, display

from fingerpost.app import input as pointing
from fingerpost.app import windowing
from fingerpost.app.input import x11, x11_events
from fingerpost.app.input.x11 import X11
from fingerpost.engine.errors import InputError
from fingerpost.engine.geometry import DesktopPoint

TEXT = "Grüße, żółw & ñandú — 50 € «日本語» 😀 Ω≈ç√ {x[0]} @~^"


@pytest.fixture
def connection(x_display: str) -> Iterator[Any]:
    opened = display.Display(x_display)
    yield opened
    opened.close()


def xdotool(*arguments: str) -> None:
    subprocess.run(["xdotool", *arguments], check=True)


def is_pressed(connection: Any) -> bool:
    """Whether any key or button is down."""
    mask = connection.screen().root.query_pointer().mask
    return bool(mask & 0x1F00) or any(connection.query_keymap())


def test_a_click_arrives_once_at_exactly_that_pixel(program: Any, wait_for: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    pointing.pointer().click(DesktopPoint(237, 181))
    wait_for(lambda: program.of("release"))
    assert [(e["x"], e["y"], e["detail"], e["state"]) for e in program.of("press")] == [(237, 181, 1, 0)]
    assert pointing.pointer().position() == DesktopPoint(237, 181)


@pytest.mark.parametrize(("button", "number"), [("left", 1), ("middle", 2), ("right", 3)])
def test_every_button_is_pressed_and_released(program: Any, wait_for: Any, button: str, number: int) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    X11().click(DesktopPoint(150, 150), button)
    wait_for(lambda: program.of("release"))
    assert [e["detail"] for e in program.of("press") + program.of("release")] == [number, number]


def test_a_left_handed_mouse_still_clicks_left(program: Any, wait_for: Any, connection: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    count = len(connection.get_pointer_mapping())
    connection.set_pointer_mapping([3, 2, 1, *range(4, count + 1)])
    connection.sync()
    X11().click(DesktopPoint(150, 150), "left")
    wait_for(lambda: program.of("press"))
    assert program.of("press")[0]["detail"] == 1


def test_a_double_click_is_two_clicks_at_one_pixel_in_quick_order(program: Any, wait_for: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    X11().click(DesktopPoint(237, 181), count=2)
    wait_for(lambda: len(program.of("release")) == 2)
    first, second = program.of("press")
    assert (first["x"], first["y"]) == (second["x"], second["y"]) == (237, 181)
    assert 0 < second["time"] - first["time"] < 200, "milliseconds of the server, not of this test"


def test_all_corners_of_two_monitors_are_reached(x_display: str) -> None:
    monitors = (("LEFT", "640/160x800/200+0+0", "screen"), ("RIGHT", "640/160x600/150+640+100", "none"))
    for name, place, output in monitors:
        command = ["xrandr", "--setmonitor", name, place, output]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    handler = X11()
    for x, y in ((0, 0), (639, 799), (640, 100), (1279, 699)):
        handler.move(DesktopPoint(x, y))
        assert handler.position() == DesktopPoint(x, y)


def test_a_pointer_that_cannot_go_there_is_an_error_and_no_click(program: Any, connection: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    root = connection.screen().root
    cage = root.create_window(600, 400, 50, 50, 0, X.CopyFromParent, X.InputOnly, override_redirect=True)
    cage.map()
    connection.sync()
    cage.grab_pointer(True, 0, X.GrabModeAsync, X.GrabModeAsync, cage, X.NONE, X.CurrentTime)
    connection.sync()
    with pytest.raises(InputError, match="instead of 150,150"):
        X11().click(DesktopPoint(150, 150))
    assert program.of("press") == []
    with pytest.raises(InputError, match="instead of 5,5"):
        X11().move(DesktopPoint(5, 5))


def test_modifiers_that_were_left_down_do_not_change_the_click(program: Any, wait_for: Any, connection: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    xdotool("keydown", "ctrl", "keydown", "alt", "keydown", "shift")
    X11().click(DesktopPoint(150, 150))
    wait_for(lambda: program.of("press"))
    assert program.of("press")[0]["state"] == 0
    assert not is_pressed(connection)


def test_a_modifier_that_the_user_holds_is_waited_for_and_then_refused(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    monkeypatch.setattr(x11, "PATIENCE_S", 0.1)
    monkeypatch.setattr(x11_events, "HELD_MODIFIERS", ())  # a real key: no program can let go of it
    xdotool("keydown", "ctrl")
    with pytest.raises(InputError, match="held down"):
        X11().click(DesktopPoint(150, 150))
    assert program.of("press") == []


def test_locks_are_no_modifiers_that_are_held(program: Any, wait_for: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    xdotool("key", "Num_Lock", "key", "Caps_Lock")
    X11().click(DesktopPoint(150, 150))
    wait_for(lambda: program.of("press"))


def test_release_all_lets_go_of_everything(connection: Any) -> None:
    xdotool("keydown", "ctrl", "keydown", "super", "mousedown", "1")
    assert is_pressed(connection)
    X11().release_all()
    assert not is_pressed(connection)


@pytest.mark.parametrize(
    "call",
    ["click(display, DesktopPoint(150, 150), 'left', 2)", "strike(display, [Stroke(38, True)] * 100)"],
)
def test_a_kill_in_the_middle_leaves_nothing_pressed(program: Any, wait_for: Any, connection: Any, call: str) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    program.tell("focus", "Main")
    code = (
        "import os, signal, time\n"
        "from Xlib.display import Display\n"
        "from fingerpost.app.input import x11_events\n"
        "from fingerpost.app.input.keymap import Stroke\n"
        "from fingerpost.engine.geometry import DesktopPoint\n"
        "display = Display()\n"
        "def die():\n"
        "    display.flush()\n"
        "    time.sleep(0.1)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "display.sync = die\n"
        "x11_events.BETWEEN_CLICKS_MS = 300\n"
        f"x11_events.{call}\n"
    )
    killed = subprocess.run([sys.executable, "-c", code], check=False, stderr=subprocess.DEVNULL)
    assert killed.returncode == -signal.SIGKILL
    wait_for(lambda: program.of("press") or program.of("key"))
    for _ in range(20):
        assert not is_pressed(connection)


@pytest.fixture
def editor(manager: str, tmp_path: Path, wait_for: Any) -> Iterator[Callable[[], str]]:
    """A mousepad with the keyboard; called, it saves and gives the text."""
    file = tmp_path / "note.txt"
    file.touch()
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "GSETTINGS_BACKEND": "memory",
        "GTK_IM_MODULE": "gtk-im-context-simple",
    }
    command = ["dbus-run-session", "--", "mousepad", "--disable-server", str(file)]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
    wait_for(lambda: (active := windowing.active_window()) and active.app == "mousepad")

    def text() -> str:
        xdotool("key", "ctrl+s")
        return str(wait_for(lambda: file.read_text("utf-8")))

    yield text
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(timeout=10)


def test_any_text_arrives_in_a_real_editor_and_the_keyboard_is_as_before(editor: Any, connection: Any) -> None:
    before = X11()._run(x11_events.keyboard)
    xdotool("keydown", "shift", "key", "Caps_Lock")
    X11().type_text(TEXT + "\nSecond line")
    assert editor() == TEXT + "\nSecond line"
    assert X11()._run(x11_events.keyboard) == before
    assert connection.screen().root.query_pointer().mask & X.LockMask, "Caps Lock is on again"


def test_typing_stops_at_once_when_asked_to(program: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    program.tell("focus", "Main")
    answers = iter([False, False, True])
    X11().type_text("a" * 200, lambda: next(answers))
    program.tell("focus", "Main")  # by its answer all keys before have come
    assert len(program.of("key")) == 2 * x11.KEYS_AT_ONCE


def test_another_layout_that_is_on_types_the_same(editor: Any) -> None:
    subprocess.run(["setxkbmap", "de"], check=True)
    X11().type_text("zyZY-ß@{}")
    assert editor() == "zyZY-ß@{}"


def test_on_wayland_it_says_that_it_cannot_work(x_display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert "Wayland" in (X11().problem() or "")


def test_without_any_way_to_click_the_reason_and_a_hint_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(pointing, "HANDLERS", (X11(),))
    with pytest.raises(InputError, match="cannot click here: no display") as raised:
        pointing.pointer()
    assert raised.value.hint.endswith(".")
    assert pointing.pointers()[0][1] is not None


def test_a_server_that_went_away_is_an_error_and_release_all_stays_quiet(x_server: subprocess.Popen[bytes]) -> None:
    handler = X11()
    handler.move(DesktopPoint(10, 10))
    x_server.kill()
    x_server.wait(timeout=10)
    with pytest.raises(InputError, match="no X server"):
        handler.move(DesktopPoint(20, 20))
    handler.release_all()
