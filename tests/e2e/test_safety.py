"""What must not happen: a click at the wrong place, a click that nobody wanted, a key that stays down."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest
from app_driver import HOTKEY, AppDriver
from desktop_session import DesktopSession, wait_until
from programs import Program, start
from x11_events import covered

from fingerpost.engine.values import Box

pytestmark = pytest.mark.usefixtures("rest")


def test_a_window_that_moved_is_not_clicked_but_looked_at_anew(
    desktop: DesktopSession, app: AppDriver, kcalc: Program, presses: list[float]
) -> None:
    app.find("7")
    kcalc.move(300, 180)
    desktop.settled()
    outcome = app.enter()
    assert (outcome["kind"], outcome["reason"]) == ("refused", "acting.window_moved")
    app.wait("pointed")
    app.settle()
    assert presses == []
    assert app.says("the window has moved")
    assert app.enter()["kind"] == "done"
    assert len(presses) == 1
    kcalc.displays("7")


def test_what_came_over_the_target_is_not_clicked(
    desktop: DesktopSession, app: AppDriver, kcalc: Program, presses: list[float]
) -> None:
    box = Box(*app.find("8")["box"])
    with covered(desktop, Box(box.x - 20, box.y - 20, box.width + 40, box.height + 40)):
        outcome = app.enter()
        app.wait("answered", query="8")
    assert (outcome["kind"], outcome["reason"]) == ("refused", "acting.window_changed")
    app.leave()
    assert presses == []
    assert kcalc.display() == "0"


def test_what_shows_something_else_by_now_is_not_clicked(
    desktop: DesktopSession, app: AppDriver, presses: list[float]
) -> None:
    folder = desktop.home / "letters"
    folder.mkdir()
    letter = folder / "draft.txt"
    letter.write_text("Dear reader,\n", "utf-8")
    files = start(desktop, "pcmanfm-qt", str(folder), ready="draft.txt")
    assert app.find("draft.txt")["found"]
    letter.rename(folder / "enormous umbrellas.txt")
    files.comes_true(lambda: files.shows("enormous umbrellas.txt"), "the new name")
    desktop.settled()
    outcome = app.enter()
    assert not app.wait("answered", query="draft.txt")["found"]
    app.leave()
    assert (outcome["kind"], outcome["reason"]) == ("refused", "acting.pixels_changed")
    assert presses == []
    desktop.stop(files.pid)


def test_enter_on_nothing_looks_again(
    desktop: DesktopSession, app: AppDriver, kcalc: Program, presses: list[float]
) -> None:
    box = Box(*app.find("8")["box"])
    app.leave()
    with covered(desktop, box):
        assert not app.find("8")["found"]
    app.forget()
    desktop.key("Return")
    assert app.wait("answered", query="8")["found"]
    app.settle()
    assert presses == []
    assert app.enter()["kind"] == "done"
    kcalc.displays("8")


def test_a_pointer_that_the_user_moves_means_no(desktop: DesktopSession, app: AppDriver, presses: list[float]) -> None:
    app.find("7")
    desktop.point(660, 660)
    outcome = app.enter()
    assert (outcome["kind"], outcome["reason"]) == ("refused", "acting.pointer_moved")
    assert presses == []


def test_a_pointer_thrown_into_a_corner_stops_everything(
    desktop: DesktopSession, app: AppDriver, presses: list[float]
) -> None:
    app.find("7")
    desktop.point(0, 799)
    outcome = app.enter()
    assert (outcome["kind"], outcome["reason"]) == ("stopped", "acting.corner")
    assert presses == []


def test_escape_twice_right_after_enter_stops_before_the_click(
    desktop: DesktopSession, app: AppDriver, kcalc: Program, presses: list[float]
) -> None:
    app.find("7")
    app.wait("kill switch", armed=True)
    desktop.key("Return", "Escape", "Escape")
    assert app.wait("finished")["kind"] == "stopped"
    assert presses == []
    app.wait("engine restarted")
    assert app.click("7")["kind"] == "done"
    kcalc.displays("7")


def test_escape_twice_while_the_engine_works_ends_that_work(
    desktop: DesktopSession, app: AppDriver, kcalc: Program, presses: list[float]
) -> None:
    app.open()
    app.wait("kill switch", armed=True)
    app.tell_engine(signal.SIGSTOP)  # as if it had much to do
    app.type("9")
    app.wait("asked", query="9")
    desktop.key("Escape", "Escape")
    app.wait("engine restarted")
    assert app.state == "idle"
    assert presses == []
    assert app.click("9")["kind"] == "done"
    kcalc.displays("9")


def test_one_escape_closes_the_palette_and_leaves_the_engine_alone(desktop: DesktopSession, app: AppDriver) -> None:
    app.find("9")
    before = app.engine()
    desktop.key("Escape")
    wait_until(lambda: app.state == "idle", what="a closed palette")
    time.sleep(0.3)
    assert app.engine() == before
    assert app.seen("engine restarted") is None


def test_enter_before_the_answer_only_shows_it(
    desktop: DesktopSession, app: AppDriver, kcalc: Program, presses: list[float]
) -> None:
    app.open()
    app.tell_engine(signal.SIGSTOP)
    app.type("6")
    desktop.key("Return")
    app.wait("asked", query="6")
    app.tell_engine(signal.SIGCONT)
    app.wait("pointed")
    app.settle()
    assert app.seen("finished") is None
    assert presses == []
    assert app.enter()["kind"] == "done"
    kcalc.displays("6")


def test_the_hotkey_again_closes_the_palette(desktop: DesktopSession, app: AppDriver, presses: list[float]) -> None:
    app.find("7")
    desktop.key(HOTKEY)
    wait_until(lambda: app.state == "idle", what="a closed palette")
    assert app.wait("finished")["kind"] == ""
    assert presses == []


def test_a_palette_that_has_just_closed_is_in_no_picture(
    desktop: DesktopSession, app: AppDriver, kcalc: Program
) -> None:
    app.find("8")
    app.forget()
    os.kill(kcalc.pid, signal.SIGSTOP)  # what was under the palette is not painted anew at once
    desktop.key("Escape", HOTKEY)
    time.sleep(0.05)
    os.kill(kcalc.pid, signal.SIGCONT)
    app.wait("palette painted")
    app.say("8")
    app.settle()
    answer = app.wait("answered", query="8")
    assert (answer["ambiguous"], answer["others"]) == (False, [])


def test_the_history_has_every_question_and_what_became_of_it(
    desktop: DesktopSession, app: AppDriver, kcalc: Program
) -> None:
    app.click("4")
    app.find("5")
    app.leave()
    app.find("3")
    desktop.point(660, 660)
    app.enter()
    app.find("an umbrella")
    app.leave()
    app.wait("finished", query="an umbrella")
    found = app.history.search(limit=4)[::-1]
    assert [(entry.query, entry.outcome) for entry in found] == [
        ("4", "done"), ("5", "pointed"), ("3", "refused"), ("an umbrella", "not found"),
    ]  # fmt: skip
    assert {entry.app for entry in found} == {"kcalc"}
    assert all(app.history.picture(entry.id) for entry in found)


def test_modifiers_of_the_users_own_are_let_go_before_the_click(
    desktop: DesktopSession, app: AppDriver, kcalc: Program
) -> None:
    app.find("1")
    subprocess.run(["xdotool", "keydown", "Shift_L", "key", "Return", "keyup", "Shift_L"], check=True, env=desktop.env)
    assert app.wait("finished")["kind"] == "done"
    kcalc.displays("1")
