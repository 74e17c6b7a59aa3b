"""Orders carried out on a real X server: what is clicked, and above all what is not."""

from __future__ import annotations

import itertools
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from Xlib.display import Display

from fingerpost.app import windowing
from fingerpost.app.acting import Actor, Order, Outcome
from fingerpost.app.acting import actor as acting
from fingerpost.app.input.pointer import never
from fingerpost.app.input.x11 import X11
from fingerpost.app.settings.values import Settings
from fingerpost.app.text import catalog, text
from fingerpost.engine import capture
from fingerpost.engine.capture import Desktop, Screen
from fingerpost.engine.errors import CaptureError, InputError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box, Frame, Pixels, Target

BUTTON = Box(210, 212, 40, 20)  # desktop pixels, around the label that the program draws


@dataclass
class Recorded(X11):
    """The real pointer, which also keeps what it was asked for."""

    done: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def move(self, point: DesktopPoint) -> None:
        self.done.append("move")
        super().move(point)

    def click(self, point: DesktopPoint, button: str = "left", count: int = 1) -> None:
        self.done.append("click")
        super().click(point, button, count)

    def type_text(self, text: str, stopped: Callable[[], bool] = never) -> None:
        self.done.append("type")
        super().type_text(text, stopped)

    def release_all(self) -> None:
        self.done.append("release")
        super().release_all()


@dataclass
class Desk:
    """A program with one window and an actor, as the application holds them."""

    program: Any
    pointer: Recorded
    stop: threading.Event
    settings: Settings = field(default_factory=Settings)

    def grab(self, box: Box) -> Pixels:
        return capture.handler().grab(box)

    def actor(self, **changed: Any) -> Actor:
        grab = changed.get("grab", self.grab)
        return Actor(self.pointer, grab, self.stop, lambda: self.settings)

    def look(self, action: str = "click", source: Any = None, box: Box = BUTTON, **changed: Any) -> Order:
        """An order for what is at `box` now."""
        frame = capture.capture(source or Desktop())
        inside = box.moved(-frame.origin[0], -frame.origin[1])
        target = Target("Save", "button", *inside.centre, inside, 0.97, "text")
        window = windowing.window_at(DesktopPoint(*box.centre))
        order = Order(action, target, frame, window, self.pointer.position(), confirmed=True)
        return replace(order, **changed)

    def pressed(self) -> list[tuple[str, int, int, int]]:
        """Window, button and place of every press so far."""
        self.program.tell("focus", "Main")  # by its answer all events before have come
        return [(e["title"], e["detail"], e["x"], e["y"]) for e in self.program.of("press")]


WORDS = "\n Save    all of the words\n Print   that are drawn here\n Close   below each other"


@pytest.fixture
def desk(shared_program: Any, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A window "Main" at 200,190 without a window manager, and the pointer away from it."""
    monkeypatch.setattr(acting, "REACTION_S", 0.4)
    shared_program.tell("open", "Main", [200, 190, 400, 300])
    shared_program.tell("draw", "Main", WORDS)
    pointer = Recorded()
    X11.move(pointer, DesktopPoint(900, 600))
    return Desk(shared_program, pointer, threading.Event())


def xrandr(*arguments: str) -> None:
    subprocess.run(["xrandr", *arguments], check=True, stderr=subprocess.DEVNULL)


def refused_without_a_touch(desk: Desk, order: Order, reason: str, kind: str = "refused") -> Outcome:
    outcome = desk.actor().perform(order)
    assert (outcome.kind, outcome.reason) == (kind, f"acting.{reason}")
    assert desk.pressed() == []
    assert desk.pointer.done == []
    assert text(outcome.reason, **outcome.values)
    return outcome


@pytest.mark.parametrize(("action", "buttons"), [("click", [1]), ("double", [1, 1]), ("right", [3]), ("middle", [2])])
def test_a_click_arrives_and_its_reaction_is_seen(desk: Desk, action: str, buttons: list[int]) -> None:
    desk.program.tell("react", "Main", "thanks")
    assert desk.actor().perform(desk.look(action)) == Outcome("done", "acting.done")
    assert desk.pressed() == [("Main", button, *BUTTON.centre) for button in buttons]
    assert desk.pointer.done == ["move", "click", "release"]


def test_a_click_that_changes_nothing_is_unverified(desk: Desk) -> None:
    assert desk.actor().perform(desk.look()) == Outcome("unverified", "acting.unverified")
    assert len(desk.pressed()) == 1


def test_a_menu_that_opens_elsewhere_is_a_reaction(desk: Desk) -> None:
    order = desk.look()
    opened = threading.Timer(0.3, desk.program.tell, ("open", "Menu", [700, 100, 90, 90], True))
    opened.start()
    desk.program.tell("lift", "Main")
    outcome = desk.actor().perform(order)
    opened.join()
    assert outcome.kind == "done"


def test_only_moving_is_verified_by_the_place_itself(desk: Desk) -> None:
    assert desk.actor().perform(desk.look("move")).kind == "done"
    assert desk.pointer.position() == DesktopPoint(*BUTTON.centre)
    assert desk.pressed() == []


def test_a_dry_run_checks_everything_and_touches_nothing(desk: Desk) -> None:
    order = desk.look(dry_run=True)
    refused_without_a_touch(desk, order, "dry_run", "dry run")
    desk.program.tell("move", "Main", 210, 190)
    refused_without_a_touch(desk, order, "window_moved")


def test_a_window_that_moved_is_not_clicked(desk: Desk) -> None:
    order = desk.look()
    desk.program.tell("move", "Main", 203, 190)
    refused_without_a_touch(desk, order, "window_moved")


def test_a_window_that_moved_under_a_window_manager_is_not_clicked(manager: str, program: Any, wait_for: Any) -> None:
    program.tell("open", "Main", [200, 190, 400, 300])
    desk = Desk(program, Recorded(), threading.Event())
    order = desk.look(box=Box(300, 300, 60, 20))
    assert order.window is not None
    subprocess.run(["xdotool", "windowmove", str(order.window.id), "260", "240"], check=True)
    wait_for(lambda: windowing.visible_windows()[0].box != order.window.box)
    refused_without_a_touch(desk, order, "window_moved")


def test_a_window_raised_above_is_not_clicked(desk: Desk) -> None:
    desk.program.tell("open", "Other", [150, 150, 300, 300])
    desk.program.tell("lift", "Main")
    order = desk.look()
    desk.program.tell("lift", "Other")
    refused_without_a_touch(desk, order, "window_changed")


def test_a_menu_that_opened_above_is_not_clicked_and_one_that_was_there_is(desk: Desk) -> None:
    order = desk.look()
    desk.program.tell("open", "Menu", [205, 200, 90, 90], True)
    refused_without_a_touch(desk, order, "window_changed")
    desk.program.tell("draw", "Menu", "\nOpen\nQuit")
    desk.program.tell("react", "Menu", "\nyes")
    assert desk.actor().perform(desk.look()).kind == "done"
    assert [title for title, *_ in desk.pressed()] == ["Menu"]


def test_other_pixels_at_the_target_are_not_clicked(desk: Desk) -> None:
    order = desk.look()
    desk.program.tell(
        "draw", "Main", "\n Erase   all of the words\n Print   that are drawn here\n Close   below each other"
    )
    refused_without_a_touch(desk, order, "pixels_changed")


def test_pixels_get_a_moment_to_come_back(desk: Desk) -> None:
    order = desk.look()
    desk.program.tell("draw", "Main", "")
    back = threading.Timer(0.1, desk.program.tell, ("draw", "Main", WORDS))
    back.start()
    outcome = desk.actor().perform(order)
    back.join()
    assert outcome.kind == "unverified"
    assert len(desk.pressed()) == 1


def test_a_pointer_that_the_user_moved_is_left_alone(desk: Desk) -> None:
    order = desk.look()
    X11.move(desk.pointer, DesktopPoint(905, 600))
    refused_without_a_touch(desk, order, "pointer_moved")


def test_a_jitter_of_the_pointer_is_no_movement(desk: Desk) -> None:
    order = desk.look()
    X11.move(desk.pointer, DesktopPoint(902, 599))
    assert desk.actor().perform(order).kind == "unverified"


def test_a_pointer_in_a_corner_of_the_desktop_stops(desk: Desk) -> None:
    order = desk.look()
    X11.move(desk.pointer, DesktopPoint(1279, 0))
    refused_without_a_touch(desk, order, "corner", "stopped")


def test_a_stop_before_it_begins_is_obeyed(desk: Desk) -> None:
    order = desk.look()
    desk.stop.set()
    refused_without_a_touch(desk, order, "stopped", "stopped")


def test_a_stop_after_the_pointer_came_still_prevents_the_click(desk: Desk) -> None:
    order = desk.look()

    def grab(box: Box) -> Pixels:
        if "move" in desk.pointer.done:
            desk.stop.set()
        return desk.grab(box)

    assert desk.actor(grab=grab).perform(order) == Outcome("stopped", "acting.stopped")
    assert desk.pressed() == []
    assert desk.pointer.done == ["move", "release"]


def test_a_pointer_that_the_user_takes_away_at_the_last_moment_prevents_the_click(desk: Desk) -> None:
    order = desk.look()

    def grab(box: Box) -> Pixels:
        if "move" in desk.pointer.done:
            X11.move(desk.pointer, DesktopPoint(500, 500))
        return desk.grab(box)

    assert desk.actor(grab=grab).perform(order) == Outcome("refused", "acting.pointer_moved")
    assert desk.pressed() == []


def test_an_excluded_program_is_not_clicked(desk: Desk) -> None:
    order = desk.look()
    desk.settings = Settings(excluded_apps=("Noter",))
    outcome = refused_without_a_touch(desk, order, "excluded")
    assert outcome.values == {"app": "noter"}


def test_an_elevated_window_is_not_clicked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    order = desk.look()
    assert order.window is not None
    elevated = replace(order.window, elevated=True)
    monkeypatch.setattr(windowing, "window_at", lambda point: elevated)
    refused_without_a_touch(desk, order, "elevated")


def test_what_nobody_confirmed_is_not_done(desk: Desk) -> None:
    refused_without_a_touch(desk, desk.look(confirmed=False), "unconfirmed")


def test_a_place_on_no_monitor_is_not_clicked(desk: Desk) -> None:
    order = desk.look()
    refused_without_a_touch(desk, replace(order, frame=Frame(order.frame.pixels, (5000, 0))), "outside")


def test_a_window_that_closed_is_not_clicked_through(desk: Desk) -> None:
    desk.program.tell("open", "Over", [200, 190, 400, 300])
    order = desk.look()
    desk.program.tell("close", "Over")
    refused_without_a_touch(desk, order, "window_changed")


def test_without_a_picture_nothing_is_done(desk: Desk) -> None:
    def grab(box: Box) -> Pixels:
        raise CaptureError("The screen cannot be captured.", "Try again.")

    outcome = desk.actor(grab=grab).perform(desk.look())
    assert outcome == Outcome("refused", "acting.cannot_look", {"problem": "The screen cannot be captured."})
    assert desk.pointer.done == []


def test_an_error_in_the_middle_releases_all(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        subprocess.run(["xdotool", "keydown", "ctrl", "mousedown", "2"], check=True)
        raise InputError("The mouse is gone.", "Plug it in.")

    monkeypatch.setattr(X11, "click", fail)
    monkeypatch.setattr(Recorded, "click", fail)
    outcome = desk.actor().perform(desk.look())
    assert outcome == Outcome("refused", "acting.input_failed", {"problem": "The mouse is gone."})
    connection = Display()
    assert connection.screen().root.query_pointer().mask == 0
    connection.close()


def test_a_target_on_the_second_monitor_is_clicked_at_its_pixel(desk: Desk) -> None:
    for name, place, output in (
        ("LEFT", "640/160x800/200+0+0", "screen"),
        ("RIGHT", "640/160x700/175+640+100", "none"),
    ):
        subprocess.run(["xrandr", "--setmonitor", name, place, output], check=True, stderr=subprocess.DEVNULL)
    desk.program.tell("open", "Right", [700, 300, 300, 200])
    desk.program.tell("draw", "Right", "\n Save this")
    desk.program.tell("react", "Right", "saved")
    order = desk.look(source=Screen(2), box=Box(710, 315, 60, 20))
    assert order.frame.origin == (640, 100)
    assert desk.actor().perform(order).kind == "done"
    assert desk.pressed() == [("Right", 1, 740, 325)]
    xrandr("--delmonitor", "RIGHT")
    xrandr("--delmonitor", "LEFT")


@pytest.fixture
def video(desk: Desk) -> Iterator[Desk]:
    """The desk with something that moves all the time in the lower part of its window."""
    ended = threading.Event()

    def play() -> None:
        for number in itertools.count():
            if ended.wait(0.005):
                return
            desk.program.tell("line", "Main", 14, str(10 + number % 90) * 30)  # digits are equally wide

    thread = threading.Thread(target=play)
    thread.start()
    yield desk
    ended.set()
    thread.join()


def test_a_video_in_the_same_window_neither_prevents_a_click_nor_counts_as_a_reaction(video: Desk) -> None:
    assert video.actor().perform(video.look()) == Outcome("unverified", "acting.unverified")
    assert video.pointer.done == ["move", "click", "release"]


def test_a_text_is_typed_into_what_was_clicked(desk: Desk, wait_for: Any) -> None:
    desk.program.tell("focus", "Main")
    order = desk.look("type", text="hello")
    assert desk.actor().perform(order).kind == "unverified"
    wait_for(lambda: len(desk.program.of("key")) == 5)
    assert desk.pointer.done == ["move", "click", "type", "release"]


def test_nothing_is_typed_into_another_program_that_took_the_keyboard(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = desk.look("type", text="secret")
    assert order.window is not None
    thief = replace(order.window, id=1, pid=1, app="thief")
    monkeypatch.setattr(windowing, "active_window", lambda: thief)
    assert desk.actor().perform(order) == Outcome("unverified", "acting.focus_elsewhere", {"app": "thief"})
    assert "type" not in desk.pointer.done


def test_typing_can_be_stopped(desk: Desk) -> None:
    desk.program.tell("focus", "Main")
    order = desk.look("type", text="a" * 450)
    stopper = threading.Timer(1.0, desk.stop.set)
    stopper.start()
    outcome = desk.actor().perform(order)
    stopper.join()
    assert outcome == Outcome("stopped", "acting.typing_stopped")
    assert 0 < len(desk.program.of("key")) < 450


def test_an_action_without_a_pointer_is_a_mistake_of_the_caller(desk: Desk) -> None:
    with pytest.raises(ValueError, match="copy"):
        desk.actor().perform(desk.look("copy"))


def test_every_reason_has_its_words() -> None:
    reasons = {"done", "moved", "dry_run", "unverified", "focus_elsewhere", "typing_failed", "typing_stopped"}
    reasons |= {"stopped", "corner", "unconfirmed", "outside", "pointer_moved", "window_changed", "window_moved"}
    reasons |= {"pixels_changed", "elevated", "excluded", "input_failed", "cannot_look"}
    assert {f"acting.{reason}" for reason in reasons} <= set(catalog("en"))
