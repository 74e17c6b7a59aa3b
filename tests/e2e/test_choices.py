"""What the user has chosen holds: what is never captured, what needs no second question, which key, which action."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator

import pytest
from app_driver import AppDriver, running_app
from desktop_session import DesktopSession, wait_until
from programs import Program, start
from x11_events import held_down, pictures_taken


@pytest.fixture(autouse=True)
def rest(desktop: DesktopSession, kcalc: Program) -> Iterator[None]:
    """Before: the calculator is in front and shows 0. After: nothing is held down."""
    kcalc.clear()
    yield
    assert held_down(desktop) == ()


def test_with_an_excluded_program_open_nothing_is_captured(
    desktop: DesktopSession, kcalc: Program, presses: list[float]
) -> None:
    with running_app(desktop, settings={"excluded_apps": ["KCalc"]}) as app:
        time.sleep(0.5)  # what it does after its start
        with pictures_taken(desktop) as pictures:
            app.open()
            app.type("7")
            desktop.key("Return")
            app.settle()
            assert app.says("kcalc is excluded in the settings")
            app.leave()
            assert pictures == []
        assert app.seen("answered") is None
        assert presses == []
        subprocess.run(["xdotool", "windowminimize", "--sync", str(kcalc.window())], check=True, env=desktop.env)
        with pictures_taken(desktop) as pictures:
            app.find("Anything")
            app.leave()
            assert pictures


def test_an_excluded_program_that_comes_after_the_look_is_not_clicked(
    desktop: DesktopSession, kcalc: Program, presses: list[float]
) -> None:
    kcalc.move(300, 180)
    desktop.settled()
    with running_app(desktop, settings={"excluded_titles": ["Private"]}) as app:
        app.find("7")
        command = ["xdotool", "set_window", "--name", "Private", str(kcalc.window())]
        subprocess.run(command, check=True, env=desktop.env)
        outcome = app.enter()
        subprocess.run([*command[:3], "KCalc", command[4]], check=True, env=desktop.env)
    assert (outcome["kind"], outcome["reason"]) == ("refused", "acting.excluded")
    assert presses == []


def test_a_dry_run_points_and_clicks_nothing(desktop: DesktopSession, kcalc: Program, presses: list[float]) -> None:
    with running_app(desktop, "--dry-run") as app:
        assert app.click("7")["kind"] == "dry run"
    assert presses == []
    assert kcalc.display() == "0"


def test_in_an_allowed_program_enter_before_a_certain_answer_clicks(desktop: DesktopSession, kcalc: Program) -> None:
    with running_app(desktop, settings={"allowed_apps": ["kcalc"]}) as app:
        app.open()
        app.type("8")
        desktop.key("Return")
        assert app.wait("finished")["kind"] == "done"
    kcalc.displays("8")


def test_shift_and_enter_allow_a_program_for_good(desktop: DesktopSession, kcalc: Program) -> None:
    with running_app(desktop) as app:
        app.find("8")
        desktop.key("shift+Return")
        assert app.wait("finished")["kind"] == "done"
        kcalc.displays("8")
        app.open()
        app.type("9")
        desktop.key("Return")
        assert app.wait("finished")["kind"] == "done"
    kcalc.displays("89")


def test_captions_that_the_hotkeys_own_keys_change_do_no_harm(
    desktop: DesktopSession, kcalc: Program, presses: list[float]
) -> None:
    """KCalc shows other captions while Ctrl is held. If a look was of those, the screen is looked at anew."""
    with running_app(desktop, settings={"hotkey": "Ctrl+Alt+Space"}) as app:
        app.forget()
        desktop.key("ctrl+alt+space")
        app.wait("palette painted")
        app.say("7")
        app.settle()
        outcome = app.enter()
        if outcome["kind"] == "refused":
            assert outcome["reason"] == "acting.pixels_changed"
            assert presses == []
            app.wait("answered", query="7")
            app.settle()
            outcome = app.enter()
    assert outcome["kind"] == "done"
    assert len(presses) == 1
    kcalc.displays("7")


@pytest.fixture
def mousepad(desktop: DesktopSession) -> Iterator[Program]:
    """An editor with its search bar open, in front of the calculator."""
    letter = desktop.home / "letter.txt"
    letter.write_text("Dear reader,\n\nthis letter is about umbrellas.\n", "utf-8")
    editor = start(desktop, "mousepad", str(letter), ready="Search")
    editor.come_to_front()
    desktop.key("ctrl+f")
    editor.comes_true(lambda: editor.shows("Match case"), "the bar of the search")
    desktop.settled()
    yield editor
    desktop.stop(editor.pid)


def test_a_text_is_typed_where_it_was_pointed_at(desktop: DesktopSession, mousepad: Program, app: AppDriver) -> None:
    assert app.find("umbrellas")["found"]
    desktop.key(*["Tab"] * 5, "Return")  # double, right, middle, move, type
    app.type("good day ")
    app.settle()
    assert app.enter()["kind"] == "done"
    mousepad.comes_true(lambda: mousepad.holds("good day "), "the text in the letter")
    assert app.click("the Match case check box")["kind"] == "done"  # the action is a click again
    mousepad.comes_true(lambda: mousepad.has("Match case", "checked"), "a check mark")


def test_a_place_is_copied_and_the_pointer_moved_without_a_click(
    desktop: DesktopSession, mousepad: Program, app: AppDriver, presses: list[float]
) -> None:
    x, y = app.find("the Match case check box")["point"]
    desktop.key(*["Tab"] * 4)  # move only
    assert app.enter()["reason"] == "acting.moved"
    assert desktop.pointer() == (x, y)

    x, y = app.find("the Match case check box")["point"]
    desktop.key("shift+Tab")  # the last one: copy the place
    assert app.enter()["reason"] == "acting.copied"
    app.settle()
    desktop.key("Escape", "ctrl+v")  # from the search to the letter
    mousepad.comes_true(lambda: mousepad.holds(f"{x},{y}"), "the copied place in the letter")
    assert presses == []


def test_where_two_fit_one_has_to_be_chosen(
    desktop: DesktopSession, mousepad: Program, kcalc: Program, app: AppDriver, presses: list[float]
) -> None:
    kcalc.move(20, 20)
    desktop.settled()
    answer = app.find("the File menu", may_be_ambiguous=True)
    assert answer["ambiguous"], answer
    desktop.key("Return")
    app.settle()
    assert app.seen("finished") is None
    assert app.says("Several places fit")
    assert presses == []
    desktop.key("alt+2")
    app.settle()
    assert app.enter()["kind"] == "done"
    assert len(presses) == 1
    wait_until(lambda: kcalc.shows("Quit") or mousepad.shows("Save As..."), what="one of the two menus")
    desktop.key("Escape", "Escape")
