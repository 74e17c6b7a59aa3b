"""Windows on a real X server, with a window manager, without one, and through windows that let clicks through."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import Any

import pytest
from Xlib import X, Xatom, display

from fingerpost.app import windowing
from fingerpost.app.windowing import x11_connection
from fingerpost.app.windowing.x11 import X11
from fingerpost.engine.errors import WindowError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box


def at(x: int, y: int, *ignore: int) -> str | None:
    """The title of the window under a point."""
    found = windowing.window_at(DesktopPoint(x, y), ignore)
    return found.title if found else None


def titles() -> list[str]:
    return [window.title for window in windowing.visible_windows()]


def test_a_managed_window_has_its_title_program_process_and_framed_place(manager: str, program: Any) -> None:
    number = program.tell("open", "Notes — über", [200, 150, 300, 100])
    found = windowing.window_at(DesktopPoint(300, 200))
    assert found is not None
    assert (found.id, found.title, found.app, found.pid) == (number, "Notes — über", "noter", program.process.pid)
    assert found.box.x <= 200
    assert found.box.width >= 300
    assert found.box.height > 110, "openbox draws a title bar"
    assert not found.elevated
    assert any(name.startswith("python") for name in found.names)


def test_a_click_on_the_title_bar_is_a_click_on_the_window(manager: str, program: Any) -> None:
    program.tell("open", "Framed", [200, 150, 300, 100])
    box = windowing.visible_windows()[0].box
    assert at(box.x + 40, box.y + 3) == "Framed"
    assert at(box.x - 3, box.y + 3) is None


def test_the_upper_window_hides_the_lower_one_until_that_is_raised(manager: str, program: Any, wait_for: Any) -> None:
    program.tell("open", "Lower", [100, 100, 300, 200])
    program.tell("open", "Upper", [200, 150, 300, 200])
    assert (at(110, 160), at(250, 200)) == ("Lower", "Upper")
    assert titles() == ["Upper", "Lower"]
    program.tell("lift", "Lower")
    wait_for(lambda: at(250, 200) == "Lower")
    assert titles() == ["Lower", "Upper"]


def test_a_menu_is_seen_with_and_without_a_window_manager(manager: str, program: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    program.tell("open", "", [150, 150, 80, 120], True)
    menu = windowing.window_at(DesktopPoint(160, 160))
    assert menu is not None
    assert (menu.title, menu.app, menu.box) == ("", "noter", Box(150, 150, 80, 120))


def test_everything_works_without_a_window_manager(program: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    program.tell("open", "Menu", [150, 150, 80, 120], True)
    program.tell("focus", "Main")
    assert (at(110, 110), at(160, 160), at(5, 5)) == ("Main", "Menu", None)
    assert titles() == ["Menu", "Main"]
    active = windowing.active_window()
    assert active is not None
    assert active.title == "Main"


def test_a_window_that_lets_clicks_through_is_looked_through(program: Any) -> None:
    program.tell("open", "Main", [100, 100, 300, 200])
    program.tell("open", "Rings", [0, 0, 1280, 800], True)
    program.tell("hollow", "Rings")
    assert at(110, 110) == "Main"


def test_ignored_windows_and_our_own_are_looked_through(program: Any) -> None:
    main = program.tell("open", "Main", [100, 100, 300, 200])
    upper = program.tell("open", "Upper", [100, 100, 300, 200])
    ours = display.Display()
    window = ours.screen().root.create_window(90, 90, 400, 300, 0, X.CopyFromParent, override_redirect=True)
    window.map()
    ours.sync()
    assert at(110, 110) == "Upper"
    assert at(110, 110, upper) == "Main"
    assert at(110, 110, upper, main) is None
    assert titles() == ["Upper", "Main"]
    ours.close()


def test_when_our_window_is_active_the_topmost_other_one_is_told(manager: str, program: Any, wait_for: Any) -> None:
    program.tell("open", "Panel", [0, 780, 1280, 20], False, "panel", "DOCK")
    program.tell("open", "Main", [100, 100, 300, 200])
    ours = display.Display()
    window = ours.screen().root.create_window(600, 300, 200, 100, 0, X.CopyFromParent)
    window.set_wm_name("Palette")
    window.map()
    ours.sync()
    root, atom = ours.screen().root, ours.intern_atom("_NET_ACTIVE_WINDOW")
    wait_for(lambda: root.get_full_property(atom, Xatom.WINDOW).value[0] == window.id)
    active = windowing.active_window()
    assert active is not None
    assert active.title == "Main"
    ours.close()


def test_minimised_windows_and_tooltips_are_not_visible(manager: str, program: Any, wait_for: Any) -> None:
    number = program.tell("open", "Away", [100, 100, 300, 200])
    program.tell("open", "Tip", [500, 500, 80, 20], True, "noter", "TOOLTIP")
    assert titles() == ["Away"]
    subprocess.run(["xdotool", "windowminimize", str(number)], check=True)
    wait_for(lambda: titles() == [])


def test_the_shadow_a_window_draws_itself_is_no_part_of_it(program: Any) -> None:
    number = program.tell("open", "Shadow", [300, 200, 200, 100])
    connection = display.Display()
    window = connection.create_resource_object("window", number)
    window.change_property(connection.intern_atom("_GTK_FRAME_EXTENTS"), Xatom.CARDINAL, 32, [10, 20, 5, 30])
    connection.sync()
    connection.close()
    assert windowing.visible_windows()[0].box == Box(310, 205, 170, 65)


def test_a_window_off_the_screen_is_not_visible(program: Any) -> None:
    program.tell("open", "Far", [-500, -500, 100, 100])
    assert titles() == []


@pytest.mark.parametrize(("name", "value"), [("WAYLAND_DISPLAY", "wayland-0"), ("XDG_SESSION_TYPE", "wayland")])
def test_on_wayland_it_is_unknown_and_said_so(
    x_display: str, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert "Wayland" in (X11().problem() or "")


def test_no_windows_and_unknown_windows_are_different(
    x_server: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(x11_connection, "TIMEOUT_S", 1.0)
    handler = X11()
    assert handler.visible_windows() == ()
    x_server.kill()
    x_server.wait(timeout=10)
    with pytest.raises(WindowError, match="unknown"):
        handler.visible_windows()
    with pytest.raises(WindowError):
        windowing.visible_windows()
    assert windowing.window_at(DesktopPoint(5, 5)) is None
    assert windowing.active_window() is None


def test_a_server_that_hangs_is_an_error_in_time_and_forgiven_later(x_server: subprocess.Popen[bytes]) -> None:
    connection = x11_connection.X11Connection()
    connection.run(lambda opened: opened.sync())
    x_server.send_signal(signal.SIGSTOP)
    with pytest.raises(x11_connection.NoServerError, match="does not answer"):
        connection.run(lambda opened: opened.sync(), timeout_s=0.3)
    x_server.send_signal(signal.SIGCONT)
    assert connection.run(lambda opened: opened.get_display_name()) == os.environ["DISPLAY"]
