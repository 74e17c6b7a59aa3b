"""Clicks and typing through the RemoteDesktop portal, in a real D-Bus conversation."""

from __future__ import annotations

from typing import Any

import pytest
from dbus_fast import Variant

from fingerpost.app.input import portal as pointing
from fingerpost.app.input.portal import Portal
from fingerpost.engine.errors import InputError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.portals import tokens
from fingerpost.engine.values import Box, FrameSize
from fingerpost.engine.wayland import session
from fingerpost.engine.wayland.space import Output

OUTPUTS = [
    Output("left", Box(0, 0, 1920, 1080), FrameSize(1920, 1080)),
    Output("right", Box(1920, 0, 1280, 720), FrameSize(2560, 1440)),
]
"""Uniform scale 2: the right monitor begins at desktop pixel 3840."""


def stream(node: int, x: int, y: int, width: int, height: int) -> list[Any]:
    return [node, {"position": Variant("(ii)", [x, y]), "size": Variant("(ii)", [width, height])}]


def agree(portal: Any, *streams: list[Any], token: str = "new", devices: int = 3) -> None:
    portal.answers["Start"] = (
        0,
        {
            "devices": Variant("u", devices),
            "streams": Variant("a(ua{sv})", list(streams) or [stream(41, 0, 0, 1920, 1080)]),
            "restore_token": Variant("s", token),
        },
    )


@pytest.fixture
def pointer(portal: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(session, "outputs", lambda: OUTPUTS)
    made = Portal()
    yield made
    made.close()


def notified(portal: Any) -> list[tuple[str, list[Any]]]:
    return [(name.removeprefix("Notify"), body[2:]) for name, body in portal.calls if name.startswith("Notify")]


def test_a_click_goes_to_the_monitor_s_stream_in_its_logical_units(portal: Any, pointer: Portal) -> None:
    agree(portal, stream(41, 0, 0, 1920, 1080), stream(42, 1920, 0, 1280, 720))
    pointer.click(DesktopPoint(3840 + 200, 100))
    pointer.click(DesktopPoint(10, 20), "right", 2)
    assert notified(portal) == [
        ("PointerMotionAbsolute", [42, 100.25, 50.25]),
        ("PointerButton", [0x110, 1]),
        ("PointerButton", [0x110, 0]),
        ("PointerMotionAbsolute", [41, 5.25, 10.25]),
        *[("PointerButton", [0x111, 1]), ("PointerButton", [0x111, 0])] * 2,
    ]
    assert len(portal.called("Start")) == 1
    assert pointer.position() is None


def test_the_token_spares_the_next_question(portal: Any, pointer: Portal) -> None:
    agree(portal, token="first")
    pointer.move(DesktopPoint(1, 1))
    pointer.close()
    agree(portal, token="second")
    pointer.move(DesktopPoint(1, 1))
    first, second = (body[1] for body in portal.called("SelectDevices"))
    assert first["persist_mode"].value == 2
    assert "restore_token" not in first
    assert second["restore_token"].value == "first"
    assert tokens.load("remote-desktop") == "second"


def test_a_portal_without_tokens_is_asked_without_them(portal: Any, pointer: Portal) -> None:
    portal.version = 1
    agree(portal)
    pointer.move(DesktopPoint(1, 1))
    ((_, options),) = portal.called("SelectDevices")
    assert set(options) == {"types", "handle_token"}


def test_a_user_who_says_no_gets_no_click(portal: Any, pointer: Portal) -> None:
    portal.answers["Start"] = (1, {})
    with pytest.raises(InputError, match="answered with no"):
        pointer.click(DesktopPoint(1, 1))
    assert notified(portal) == []


def test_after_a_dialogue_nothing_is_clicked_until_the_next_look(
    portal: Any, pointer: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pointing, "QUESTION_S", 0.0)
    agree(portal)
    with pytest.raises(InputError, match="now allows clicks"):
        pointer.click(DesktopPoint(1, 1))
    assert notified(portal) == []
    pointer.click(DesktopPoint(1, 1))
    assert len(notified(portal)) == 3


def test_a_monitor_that_is_not_shared_is_explained(portal: Any, pointer: Portal) -> None:
    agree(portal, stream(41, 0, 0, 1920, 1080))
    with pytest.raises(InputError, match="not shared"):
        pointer.click(DesktopPoint(3900, 5))
    with pytest.raises(InputError, match="on no monitor"):
        pointer.click(DesktopPoint(-5, 5))
    assert not portal.called("NotifyPointerButton")


def test_a_desktop_that_shares_only_the_keyboard_is_explained(portal: Any, pointer: Portal) -> None:
    agree(portal, devices=1)
    with pytest.raises(InputError, match="shares no pointer"):
        pointer.click(DesktopPoint(1, 1))


def test_text_is_typed_as_symbols_and_stops_when_told(portal: Any, pointer: Portal) -> None:
    agree(portal)
    pointer.type_text("aÄ\n€")
    typed = [body[0] for name, body in notified(portal) if name == "KeyboardKeysym" and body[1] == 1]
    assert typed == [ord("a"), ord("Ä"), 0xFF0D, 0x010020AC]
    answers = iter([False, True])
    pointer.type_text("x" * 20, stopped=lambda: next(answers))
    assert len([1 for name, _ in notified(portal) if name == "KeyboardKeysym"]) == 2 * (4 + 8)


def test_a_session_that_the_desktop_ended_is_opened_anew(portal: Any, pointer: Portal) -> None:
    agree(portal)
    pointer.click(DesktopPoint(1, 1))
    portal.refused.add("NotifyPointerMotionAbsolute")
    with pytest.raises(InputError, match="refused"):
        pointer.click(DesktopPoint(1, 1))
    portal.refused.clear()
    pointer.click(DesktopPoint(1, 1))
    assert len(portal.called("Start")) == 2


def test_the_button_is_released_when_the_press_fails(portal: Any, pointer: Portal) -> None:
    agree(portal)
    portal.refused.add("NotifyPointerButton")
    with pytest.raises(InputError):
        pointer.click(DesktopPoint(1, 1))
    assert [body[2:] for body in portal.called("NotifyPointerButton")] == [[0x110, 1], [0x110, 0]]
