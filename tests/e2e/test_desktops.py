"""Desktops as they are: no tray, a key that is taken, several monitors, an engine that dies, a server that goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from app_driver import AppDriver, running_app
from desktop_session import DesktopSession, end, wait_until
from desktops import whole_desktop
from programs import Program, start
from x11_events import taken_key
from Xlib import X

TWO_MONITORS = ("800/200x800/200+0+0", "800/200x800/200+800+0")


@pytest.fixture(autouse=True)
def rest(request: pytest.FixtureRequest) -> None:
    """The shared desktop's calculator shows 0 and is in front, where a test uses it."""
    if "kcalc" in request.fixturenames:
        kcalc: Program = request.getfixturevalue("kcalc")
        kcalc.clear()


def fingerpost(desktop: DesktopSession, *options: str) -> int:
    command = [sys.executable, "-m", "fingerpost", "app", *options]
    return subprocess.run(command, env=desktop.env, cwd=desktop.home, timeout=60, check=False).returncode


def windows_of(desktop: DesktopSession, app: AppDriver) -> list[int]:
    """The managed windows of the application that are on the screen."""
    command = ["xdotool", "search", "--onlyvisible", "--pid", str(app.process.pid)]
    found = subprocess.run(command, check=False, env=desktop.env, timeout=20, capture_output=True, text=True)
    return [number for number in map(int, found.stdout.split()) if number in desktop.windows()]


def test_without_a_tray_a_window_opens_behind_and_the_hotkey_works() -> None:
    with whole_desktop(tray=False) as desktop, running_app(desktop) as app:
        kcalc = start(desktop, "kcalc", ready="Result Display")
        wait_until(lambda: bool(windows_of(desktop, app)), what="a window of the application")
        assert app.says("This desktop shows no tray icons")
        active = subprocess.run(["xdotool", "getactivewindow"], env=desktop.env, check=True, capture_output=True)
        assert int(active.stdout) == kcalc.window()
        assert app.click("7")["kind"] == "done"
        kcalc.displays("7")


@pytest.mark.parametrize("compositor", [False, True])
def test_rings_are_gone_before_the_click_with_and_without_a_compositor(compositor: bool) -> None:
    """The last picture before a click is compared with the look: a ring in it would be a refusal."""
    with whole_desktop(compositor=compositor) as desktop, running_app(desktop) as app:
        kcalc = start(desktop, "kcalc", ready="Result Display")
        before = desktop.settled()
        app.find("5")
        assert (desktop.screenshot().pixels != before.pixels).any()
        assert app.enter()["kind"] == "done"
        kcalc.displays("5")


def test_a_key_that_another_program_owns_is_told_and_the_palette_opens_otherwise(
    desktop: DesktopSession, kcalc: Program
) -> None:
    with taken_key(desktop, "space", X.Mod4Mask), running_app(desktop) as app:
        assert app.wait("hotkey problem")["reason"] == "Another program owns Super+Space."
        assert fingerpost(desktop, "--settings") == 0
        settings = Program(desktop, app.process)
        settings.comes_true(lambda: settings.shows("Hotkey", "list item"), "the settings")
        desktop.settled()
        page = settings.node("Hotkey", "list item")
        assert page is not None
        desktop.click(*page.box.centre)
        settings.comes_true(lambda: app.says("Another program owns Super+Space."), "the sentence in the settings")
        desktop.key("alt+F4")
        kcalc.come_to_front()
        app.forget()
        assert fingerpost(desktop, "--toggle") == 0
        app.wait("palette painted")
        assert app.say("7")["found"]
        app.settle()
        assert app.enter()["kind"] == "done"
    kcalc.displays("7")


def test_a_second_start_wakes_the_first(desktop: DesktopSession, kcalc: Program) -> None:
    with running_app(desktop) as app:
        app.forget()
        assert fingerpost(desktop) == 0
        app.wait("palette painted")
        app.leave()
        assert app.process.poll() is None
        assert fingerpost(desktop, "--quit") == 0
        assert app.process.wait(timeout=20) == 0
    assert fingerpost(desktop, "--quit") == 1


def test_an_engine_that_dies_at_work_is_started_anew_and_answers(desktop: DesktopSession, kcalc: Program) -> None:
    with running_app(desktop) as app:
        app.open()
        app.tell_engine(signal.SIGSTOP)
        app.type("8")
        app.wait("asked", query="8")
        app.tell_engine(signal.SIGKILL)
        app.wait("engine restarted")
        assert app.wait("answered", query="8")["found"]
        app.settle()
        assert app.enter()["kind"] == "done"
    kcalc.displays("8")


def test_an_engine_that_dies_again_and_again_is_explained_and_can_be_asked_later(
    desktop: DesktopSession, kcalc: Program
) -> None:
    with running_app(desktop) as app:
        app.open()
        app.type("8")
        while app.seen("engine failed") is None:
            if (engine := app.engine()) is not None:
                os.kill(engine, signal.SIGKILL)
            time.sleep(0.05)
        wait_until(lambda: app.says("that was once too often in a short time"), what="a sentence about it")
        assert app.process.poll() is None
        app.leave()
        assert app.click("8")["kind"] == "done"
    kcalc.displays("8")


@pytest.mark.parametrize("scales", ["", "1;2"])
def test_on_two_monitors_the_palette_is_where_the_pointer_is_and_clicks_are_exact(scales: str) -> None:
    env = {"QT_SCREEN_SCALE_FACTORS": scales} if scales else {}
    with whole_desktop("1600x800", monitors=TWO_MONITORS) as desktop:
        kcalc = start(desktop, "kcalc", ready="Result Display")
        with running_app(desktop, env=env) as app:
            shown = ""
            for monitor, (left, query) in enumerate(((150, "6"), (1050, "9"), (150, "3"))):
                kcalc.move(left, 420)
                desktop.point(left + 500, 300)
                desktop.settled()
                app.find(query)
                palette = place_of(desktop, windows_of(desktop, app)[-1])
                assert palette // 800 == monitor % 2
                assert app.enter()["kind"] == "done"
                shown += query
                kcalc.displays(shown)


def place_of(desktop: DesktopSession, window: int) -> int:
    """Its middle, pixels from the left."""
    command = ["xdotool", "getwindowgeometry", "--shell", str(window)]
    told = subprocess.run(command, check=True, env=desktop.env, capture_output=True, text=True, timeout=20).stdout
    values = dict(line.split("=") for line in told.split())
    return int(values["X"]) + int(values["WIDTH"]) // 2


def test_a_screen_that_changes_between_look_and_click_is_not_clicked_blindly() -> None:
    with whole_desktop("1600x800", monitors=TWO_MONITORS) as desktop, running_app(desktop) as app:
        kcalc = start(desktop, "kcalc", ready="Result Display")
        kcalc.move(1050, 420)
        desktop.point(1500, 300)
        desktop.settled()
        app.find("7")
        subprocess.run(["xrandr", "--delmonitor", "part-1"], check=True, env=desktop.env)
        outcome = app.enter()
        assert (outcome["kind"], outcome["reason"]) == ("refused", "acting.outside")
        assert kcalc.display() == "0"
        kcalc.move(150, 420)
        desktop.point(600, 300)
        desktop.settled()
        assert app.click("7")["kind"] == "done"
        kcalc.displays("7")


def test_when_the_display_goes_the_application_ends_and_leaves_no_process() -> None:
    with whole_desktop() as desktop, running_app(desktop) as app:
        app.find("nothing of the kind")
        engine = app.engine()
        assert engine is not None
        end(desktop.server)
        app.process.wait(timeout=20)
        wait_until(lambda: not running(engine), 20, "the end of the engine")


def running(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "State:\tZ" not in status.read_text()
