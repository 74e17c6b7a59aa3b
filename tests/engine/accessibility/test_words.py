"""The words of both systems in ours; the part for Windows as far as it runs without Windows."""

from __future__ import annotations

from typing import Any

import pytest

from fingerpost.engine.accessibility import atspi_roles, uia_words, windows
from fingerpost.engine.accessibility.nodes import plain_name
from fingerpost.engine.values import Box


@pytest.mark.parametrize(
    ("told", "plain"),
    [
        ("&File", "File"),
        ("Save &As...", "Save As..."),
        ("Search && Replace", "Search & Replace"),
        ("Reload (Ctrl+R)", "Reload"),
        ("Full Screen (F11)", "Full Screen"),
        ("Neu laden (Strg+R)", "Neu laden"),
        ("Open...\tCtrl+O", "Open..."),
        ("Undo      ", "Undo"),
        ("E&xit", "Exit"),
        ("R&D", "R&D"),
        ("Tom & Jerry", "Tom & Jerry"),
        ("my_file.txt", "my_file.txt"),
        ("_New", "New"),
        ("Copies (2)", "Copies (2)"),
        ("&", "&"),
        ("_", "_"),
        ("", ""),
    ],
)
def test_names_lose_their_keyboard_signs_and_nothing_else(told: str, plain: str) -> None:
    assert plain_name(told) == plain


@pytest.mark.parametrize(
    ("role", "parents", "states", "kind"),
    [
        ("menu item", ("window", "menu bar"), (), "menu"),
        ("menu", ("window", "menu bar"), (), "menu"),
        ("menu", ("window", "menu bar", "menu"), (), "menu item"),
        ("check menu item", ("menu popup",), (), "menu item"),
        ("menu", ("window",), (), "menu popup"),
        ("text", ("window",), ("editable",), "field"),
        ("text", ("window",), (), "text"),
        ("check box", ("window", "toolbar"), (), "toggle button"),
        ("check box", ("window", "filler"), (), "check box"),
        ("frame", (), (), "window"),
        ("frame", ("window",), (), "panel"),
        ("push button", ("dialog",), (), "button"),
        ("something new", ("window",), (), "something new"),
    ],
)
def test_roles_of_at_spi(role: str, parents: tuple[str, ...], states: tuple[str, ...], kind: str) -> None:
    assert atspi_roles.kind(role, parents, frozenset(states)) == kind


def test_states_come_in_words_of_32_bits() -> None:
    state = atspi_roles.bits([1 << 25 | 1 << 4, 1])
    assert atspi_roles.state_names(state) == {"showing", "checked"}
    assert state >> 32 & 1


def properties(**values: Any) -> dict[int, Any]:
    told = {
        uia_words.RECTANGLE: (10.0, 20.0, 90.0, 50.0),
        uia_words.CONTROL_TYPE: 50000,
        uia_words.NAME: "Save",
        uia_words.IS_ENABLED: True,
    }
    return told | {getattr(uia_words, name): value for name, value in values.items()}


def test_a_button_of_ui_automation() -> None:
    node = uia_words.node(properties(HELP_TEXT="Saves the file"), ("window",))
    assert node is not None
    assert (node.name, node.role, node.box) == ("Save", "button", Box(10, 20, 80, 30))
    assert (node.states, node.depth, node.description) == ({"showing", "enabled"}, 1, "Saves the file")


@pytest.mark.parametrize("values", [{"IS_OFFSCREEN": True}, {"RECTANGLE": (0, 0, 0, 0)}, {"RECTANGLE": (5, 5, 5, 40)}])
def test_what_is_not_on_the_screen_is_no_node(values: dict[str, Any]) -> None:
    assert uia_words.node(properties(**values), ()) is None


def test_a_field_tells_what_it_holds_and_a_password_does_not() -> None:
    field = properties(CONTROL_TYPE=50004, HAS_VALUE=True, VALUE="Jane", VALUE_IS_READ_ONLY=False)
    node = uia_words.node(field, ())
    assert node is not None
    assert node.text == "Jane"
    assert "editable" in node.states
    secret = uia_words.node(field | {uia_words.IS_PASSWORD: True}, ())
    assert secret is not None
    assert secret.text == ""


def test_a_slider_tells_its_value() -> None:
    node = uia_words.node(properties(CONTROL_TYPE=50015, HAS_RANGE_VALUE=True, RANGE_VALUE=42.0), ())
    assert node is not None
    assert (node.role, node.text) == ("slider", "42")


@pytest.mark.parametrize(
    ("control_type", "parents", "toggles", "kind"),
    [
        (50011, ("window", "menu bar"), False, "menu"),
        (50011, ("menu popup",), False, "menu item"),
        (50000, ("window",), True, "toggle button"),
        (50032, (), False, "window"),
        (50032, ("window",), False, "dialog"),
        (50029, ("table",), False, "list item"),
        (59999, (), False, "custom"),
    ],
)
def test_control_types(control_type: int, parents: tuple[str, ...], toggles: bool, kind: str) -> None:
    assert uia_words.kind(control_type, parents, toggles) == kind


def test_ui_automation_says_where_it_does_not_run() -> None:
    reader = windows.UiAutomation()
    assert reader.problem() == "this is not Windows"
    snapshot = reader.begin(5.0, None).result(10)
    assert snapshot.nodes == ()
