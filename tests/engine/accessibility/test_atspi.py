"""Trees of real programs over a real accessibility bus, also where something hangs, ends or is missing."""

from __future__ import annotations

import os
import signal

import pytest
from desktop_session import DesktopSession, desktop_session, wait_until

from fingerpost.engine import accessibility
from fingerpost.engine.accessibility import Snapshot, find_node
from fingerpost.engine.deadline import within

PATIENCE_S = 10.0


def test_every_button_of_the_toolbar_is_told_with_its_kind(file_manager) -> None:
    told = {node.name: node.role for node in file_manager.snapshot.nodes}
    assert told["Go Up"] == told["Reload"] == told["New Tab"] == "button"
    assert told["Icon View"] == "toggle button"
    assert told["Bookmarks"] in {"menu", "list item"}
    assert told["letters.txt"] == "list item"
    assert file_manager.snapshot.complete
    assert file_manager.snapshot.app == "pcmanfm-qt"


def test_titles_in_a_menu_bar_are_menus(file_manager) -> None:
    assert find_node(file_manager.snapshot.nodes, "menu", "Tools") is not None
    assert find_node(file_manager.snapshot.nodes, "menu item", "Tools") is None


def test_boxes_lie_where_the_picture_shows_the_texts(file_manager, lite) -> None:
    lines = lite.see(file_manager.frame).lines
    compared = 0
    for node in file_manager.snapshot.nodes:
        same = [line.box for line in lines if node.name and line.text == node.name]
        if node.role in {"menu", "list item"} and len(same) == 1:
            assert node.box.contains(*same[0].centre), node
            compared += 1
    assert compared >= 8


def test_entries_of_a_closed_list_are_not_told(file_manager) -> None:
    assert find_node(file_manager.snapshot.nodes, "combo", "Lists") is not None
    assert find_node(file_manager.snapshot.nodes, None, "Directory Tree") is None


def test_no_node_is_without_a_place(file_manager) -> None:
    assert all(node.box.width > 0 and node.box.height > 0 for node in file_manager.snapshot.nodes)


def test_a_process_is_found_by_its_number(file_manager) -> None:
    assert accessibility.snapshot(PATIENCE_S, pid=file_manager.pid).window == file_manager.snapshot.window
    assert accessibility.snapshot(PATIENCE_S, pid=os.getpid()).nodes == ()


def test_a_walk_goes_on_while_something_else_is_done(file_manager) -> None:
    pending = accessibility.begin(PATIENCE_S)
    wait_until(lambda: pending.done, PATIENCE_S)
    assert pending.result().complete
    assert pending.result() is pending.result()


def test_an_open_menu_is_part_of_the_snapshot(desktop: DesktopSession) -> None:
    editor = desktop.launch("mousepad")
    _wait_for(editor.pid, "File")
    desktop.settled()
    desktop.key("alt+f")
    _wait_for(editor.pid, "Save As...")
    nodes = accessibility.snapshot(PATIENCE_S).nodes
    entry = find_node(nodes, "menu item", "Save As...")
    assert entry is not None
    assert entry.description == "Save current document as another file"
    assert find_node(nodes, "menu", "Edit") is not None


def test_a_context_menu_in_a_window_of_its_own_is_part_of_the_snapshot(desktop: DesktopSession) -> None:
    editor = desktop.launch("mousepad")
    _wait_for(editor.pid, "File")
    desktop.settled()
    desktop.key("shift+F10")
    _wait_for(editor.pid, "Select All")
    nodes = accessibility.snapshot(PATIENCE_S).nodes
    assert find_node(nodes, "menu item", "Select All") is not None
    assert find_node(nodes, "menu", "Document") is not None


def test_the_effect_of_a_click_is_read_back(desktop: DesktopSession) -> None:
    calculator = desktop.launch("kcalc")
    _wait_for(calculator.pid, "7")
    desktop.settled()
    for digit in ("7", "8"):
        button = accessibility.read_back(digit, "button", calculator.pid, PATIENCE_S)
        assert button is not None
        desktop.click(*button.box.centre)

    def display() -> str:
        node = accessibility.read_back("Result Display", None, calculator.pid, PATIENCE_S)
        return "" if node is None else node.name

    wait_until(lambda: display() == "78", 10, "78 on the display")


def test_a_state_that_a_click_changes_is_read_back(desktop: DesktopSession) -> None:
    editor = desktop.launch("mousepad")
    _wait_for(editor.pid, "File")
    desktop.settled()
    desktop.key("ctrl+f")
    _wait_for(editor.pid, "Match case")

    def checked() -> bool:
        box = accessibility.read_back("Match case", None, editor.pid, PATIENCE_S)
        return box is not None and "checked" in box.states

    assert not checked()
    box = accessibility.read_back("Match case", None, editor.pid, PATIENCE_S)
    assert box is not None
    desktop.click(*box.box.centre)
    wait_until(checked, 10, "the check mark")


def test_a_program_that_hangs_costs_the_deadline_and_no_more(desktop: DesktopSession) -> None:
    stopped = desktop.launch("kcalc")
    _wait_for(stopped.pid, "7")
    os.kill(stopped.pid, signal.SIGSTOP)
    snapshot = within(PATIENCE_S, lambda: accessibility.snapshot(0.3, pid=stopped.pid))
    assert snapshot.nodes == ()
    assert not snapshot.complete
    os.kill(stopped.pid, signal.SIGCONT)
    wait_until(lambda: accessibility.snapshot(PATIENCE_S, pid=stopped.pid).complete, 20)


def test_another_program_that_hangs_does_not_matter(desktop: DesktopSession) -> None:
    stopped = desktop.launch("kcalc")
    _wait_for(stopped.pid, "7")
    other = desktop.launch("qpdfview")
    _wait_for(other.pid, "Zoom in")
    os.kill(stopped.pid, signal.SIGSTOP)
    wait_until(lambda: find_node(accessibility.snapshot(2.0).nodes, "button", "Zoom in") is not None, 20)


def test_what_arrived_before_the_deadline_is_used(file_manager) -> None:
    """Far too short for the whole tree; how much arrives depends on the machine, but never more than there is."""
    everything = {(node.role, node.name) for node in file_manager.snapshot.nodes}
    lengths = set()
    for milliseconds in (0, 1, 5, 10, 15, 20, 30):
        part = accessibility.snapshot(milliseconds / 1000)
        assert {(node.role, node.name) for node in part.nodes} <= everything
        lengths.add(len(part.nodes))
    assert min(lengths) < len(file_manager.snapshot.nodes)


def test_without_a_bus_the_snapshot_is_empty_and_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    assert accessibility.snapshot().nodes == ()
    assert accessibility.problem() == "no session bus: DBUS_SESSION_BUS_ADDRESS is not set"


def test_a_bus_that_does_not_answer_is_a_problem_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/gone")
    assert accessibility.snapshot().nodes == ()
    assert accessibility.problem() == "the session bus does not answer"
    assert accessibility.enable() is False


def test_a_bus_that_goes_away_and_comes_back_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with desktop_session() as desktop:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", desktop.env["DBUS_SESSION_BUS_ADDRESS"])
        calculator = desktop.launch("kcalc")
        _wait_for(calculator.pid, "7")
    assert accessibility.snapshot().nodes == ()
    with desktop_session() as desktop:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", desktop.env["DBUS_SESSION_BUS_ADDRESS"])
        calculator = desktop.launch("kcalc")
        _wait_for(calculator.pid, "7")


def test_a_program_that_ends_while_it_is_read_leaves_no_trace(desktop: DesktopSession) -> None:
    calculator = desktop.launch("kcalc")
    _wait_for(calculator.pid, "7")
    pending = accessibility.begin(PATIENCE_S)
    calculator.kill()
    assert isinstance(pending.result(), Snapshot)
    wait_until(lambda: accessibility.snapshot(PATIENCE_S, pid=calculator.pid).nodes == (), 20)


def test_accessibility_can_be_switched_on_for_the_session(desktop: DesktopSession) -> None:
    assert accessibility.problem() == "accessibility is off in this session: Qt programs tell nothing"
    assert accessibility.enable() is True
    assert accessibility.problem() is None


def _wait_for(pid: int, name: str) -> None:
    wait_until(lambda: accessibility.read_back(name, pid=pid, deadline_s=2.0) is not None, 30, f"a node called {name}")
