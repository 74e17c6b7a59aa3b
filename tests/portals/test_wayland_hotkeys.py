"""Global keys over D-Bus: the GlobalShortcuts portal and KDE's own service, in real conversations."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Any

import pytest
from dbus_fast import Variant

from fingerpost.app.hotkeys import Bound, Chord, Conflict, NeedsUser
from fingerpost.app.hotkeys import portal as over_portal
from fingerpost.app.hotkeys.kglobalaccel import KGlobalAccel, key_code
from fingerpost.app.hotkeys.portal import Portal, trigger

CHORD = Chord.parse("Ctrl+Alt+Space")
SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
DESKTOP = "/org/freedesktop/portal/desktop"


@pytest.fixture
def pressed() -> queue.Queue[str]:
    return queue.Queue()


@pytest.fixture
def way() -> Iterator[Portal]:
    made = Portal()
    yield made
    made._release()


def give(portal: Any, *shortcuts: tuple[str, str]) -> None:
    told = [[name, {"trigger_description": Variant("s", key)}] for name, key in shortcuts]
    portal.answers["BindShortcuts"] = (0, {"shortcuts": Variant("a(sa{sv})", told)})


def press(portal: Any, shortcut: str = "find", session: str = "") -> None:
    path = session or portal.called("BindShortcuts")[-1][0]
    portal.signal(DESKTOP, SHORTCUTS, "Activated", "osta{sv}", path, shortcut, 7, {})


def test_the_portal_s_key_calls_us(portal: Any, way: Portal, pressed: queue.Queue[str]) -> None:
    give(portal, ("find", "Ctrl+Alt+Space"))
    result = way.bind(CHORD, lambda: pressed.put("find"))
    assert result == Bound(CHORD, "portal GlobalShortcuts: Ctrl+Alt+Space")
    ((_, ((name, wish),), _, _),) = portal.called("BindShortcuts")
    assert (name, wish["preferred_trigger"].value) == ("find", "CTRL+ALT+space")
    press(portal, "another")
    press(portal, session=f"{DESKTOP}/session/x/another")
    press(portal)
    assert pressed.get(timeout=10) == "find"
    assert pressed.empty()


def test_a_released_key_calls_nobody(portal: Any, way: Portal, pressed: queue.Queue[str]) -> None:
    give(portal, ("find", "Ctrl+Alt+Space"))
    result = way.bind(CHORD, lambda: pressed.put("find"))
    assert isinstance(result, Bound)
    result.release()
    result.release()
    press(portal)
    assert pressed.empty()


def test_a_refusal_is_explained(portal: Any, way: Portal) -> None:
    portal.answers["BindShortcuts"] = (1, {})
    result = way.bind(CHORD, lambda: None)
    assert isinstance(result, NeedsUser)
    assert "allow it" in result.hint


def test_a_desktop_that_gives_no_key_yet_says_where_to_set_it_and_its_key_works_later(
    portal: Any, way: Portal, pressed: queue.Queue[str]
) -> None:
    give(portal)
    result = way.bind(CHORD, lambda: pressed.put("find"))
    assert isinstance(result, NeedsUser)
    assert "settings of your desktop" in result.hint
    press(portal)
    assert pressed.get(timeout=10) == "find"


def test_a_question_that_stays_open_does_not_hold_the_program(
    portal: Any, way: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(over_portal, "PATIENCE_S", 0.3)
    result = way.bind(CHORD, lambda: None)
    assert isinstance(result, NeedsUser)
    assert "asking" in result.hint


@pytest.mark.usefixtures("session_bus")
def test_a_desktop_without_either_says_so() -> None:
    assert Portal().problem() == "this desktop has no portal GlobalShortcuts"
    assert KGlobalAccel().problem() == "this is not KDE"
    assert isinstance(Portal().bind(CHORD, lambda: None), NeedsUser)
    assert isinstance(KGlobalAccel().bind(CHORD, lambda: None), NeedsUser)


@pytest.mark.parametrize(
    ("chord", "written"),
    [("Ctrl+Alt+Space", "CTRL+ALT+space"), ("Super+F", "LOGO+f"), ("Ctrl+Shift+PageUp", "CTRL+SHIFT+Page_Up"),
     ("F9", "F9"), ("Ctrl+Ö", "CTRL+U00F6"), ("Ctrl++", "CTRL+U002B")],
)  # fmt: skip
def test_chords_as_portals_write_them(chord: str, written: str) -> None:
    assert trigger(Chord.parse(chord)) == written


def be_kde(kde: Any, owner: list[str], given: list[int] | None = None) -> None:
    kde.replies.update(
        action=lambda message: ("as", [owner]),
        doRegister=lambda message: ("", []),
        setShortcut=lambda message: ("ai", [message.body[1] if given is None else given]),
        setInactive=lambda message: ("", []),
    )


def press_kde(kde: Any, component: str = "fingerpost", action: str = "find") -> None:
    interface = "org.kde.kglobalaccel.Component"
    kde.signal(f"/component/{component}", interface, "globalShortcutPressed", "ssx", component, action, 7)


@pytest.mark.parametrize("owner", [[], ["fingerpost", "find", "Fingerpost", "Find on the screen"]])
def test_kde_s_key_calls_us_until_it_is_released(kde: Any, owner: list[str], pressed: queue.Queue[str]) -> None:
    be_kde(kde, owner)
    way = KGlobalAccel()
    assert way.problem() is None
    result = way.bind(CHORD, lambda: pressed.put("find"))
    assert result == Bound(CHORD, way.name)
    ((_, keys, flags),) = kde.called("setShortcut")
    assert (keys, flags) == ([0x0C000020], 6)
    press_kde(kde, "konsole", "find")
    press_kde(kde)
    assert pressed.get(timeout=10) == "find"
    assert pressed.empty()
    result.release()
    result.release()
    assert len(kde.called("setInactive")) == 1


def test_a_key_that_is_taken_on_kde_names_its_owner(kde: Any) -> None:
    be_kde(kde, ["kwin", "Expose", "KWin", "Show all windows"])
    assert KGlobalAccel().bind(CHORD, lambda: None) == Conflict(CHORD, "KWin owns Ctrl+Alt+Space.")
    assert kde.called("setShortcut") == []


def test_a_key_that_kde_does_not_give_is_a_conflict(kde: Any) -> None:
    be_kde(kde, [], given=[0])
    assert isinstance(KGlobalAccel().bind(CHORD, lambda: None), Conflict)


@pytest.mark.parametrize(
    ("chord", "number"),
    [("Ctrl+Alt+Space", 0x0C000020), ("Super+F", 0x10000046), ("Ctrl+Shift+F12", 0x0600003B | 0x01000000),
     ("Alt+PageDown", 0x09000017), ("Ctrl+Ö", 0x040000D6)],
)  # fmt: skip
def test_chords_as_qt_numbers_them(chord: str, number: int) -> None:
    assert key_code(Chord.parse(chord)) == number


def test_every_named_key_has_a_number_of_qt_s() -> None:
    qt = pytest.importorskip("PySide6.QtCore")
    from fingerpost.app.hotkeys.chord import NAMED_KEYS

    names = {"Enter": "Key_Return"}
    for key in NAMED_KEYS:
        expected = getattr(qt.Qt.Key, names.get(key, f"Key_{key}")).value
        assert key_code(Chord((), key)) == expected, key
