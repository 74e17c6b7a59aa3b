"""Questions to portals: every way the answer may come, and every way it may not."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from dbus_fast import Variant
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.portals import bus, screenshot, tokens
from fingerpost.engine.portals.errors import PortalError, RefusedError
from fingerpost.engine.portals.request import request, request_path

SCREENSHOT = screenshot.INTERFACE


def ask(timeout_s: float = 10.0) -> dict[str, Any]:
    return bus.ask(lambda connection: request(connection, SCREENSHOT, "Screenshot", "sa{sv}", "", {}), timeout_s)


@pytest.mark.parametrize("how", ["after the call", "before the call returns", "on an old portal's path"])
def test_the_answer_is_heard(portal: Any, how: str) -> None:
    portal.answers["Screenshot"] = (0, {"uri": Variant("s", "file:///x")})
    portal.hasty, portal.old_path = how.startswith("before"), how.startswith("on an old")
    assert ask() == {"uri": "file:///x"}


@pytest.mark.parametrize(("code", "error"), [(1, RefusedError), (2, PortalError)])
def test_no_and_failure_are_told_apart(portal: Any, code: int, error: type[PortalError]) -> None:
    portal.answers["Screenshot"] = (code, {})
    with pytest.raises(PortalError) as caught:
        ask()
    assert type(caught.value) is error


def test_a_dialogue_that_nobody_answers_is_closed(portal: Any) -> None:
    with pytest.raises(PortalError, match="does not answer"):
        ask(timeout_s=0.3)
    until = time.monotonic() + 10
    while not portal.closed_requests and time.monotonic() < until:
        time.sleep(0.01)
    assert len(portal.closed_requests) == 1
    assert "/request/" in portal.closed_requests[0]


@pytest.mark.usefixtures("session_bus")
def test_without_a_portal_one_sentence_says_so() -> None:
    with pytest.raises(PortalError, match="ServiceUnknown"):
        ask()
    assert bus.portal_problem(SCREENSHOT) == "this desktop has no portal Screenshot"


def test_a_portal_that_is_there_is_no_problem_and_gets_our_name(portal: Any) -> None:
    assert bus.portal_problem(SCREENSHOT) is None
    assert portal.called("Register") == [[bus.APP_ID, {}]]


def test_without_a_bus_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-of-the-test")
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert bus.portal_problem(SCREENSHOT) == "this session has no D-Bus"
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/nothing")
    with pytest.raises(PortalError, match="session bus cannot be reached"):
        bus.Bus()


def test_the_path_of_an_answer_is_made_of_our_name_and_the_token() -> None:
    assert request_path(":1.42", "abc") == "/org/freedesktop/portal/desktop/request/1_42/abc"


def test_the_screenshot_is_read_and_then_deleted(portal: Any, tmp_path: Path) -> None:
    file = tmp_path / "Bild schön 1.png"
    file.write_bytes(b"picture")
    portal.answers["Screenshot"] = (0, {"uri": Variant("s", file.as_uri())})
    assert screenshot.take() == b"picture"
    assert not file.exists()
    ((_window, options),) = portal.called("Screenshot")
    assert options["interactive"].value is False


@pytest.mark.parametrize("uri", ["file:///nowhere/at all.png", "https://example.org/x.png", ""])
def test_a_screenshot_that_cannot_be_read_is_explained(portal: Any, uri: str) -> None:
    portal.answers["Screenshot"] = (0, {"uri": Variant("s", uri)})
    with pytest.raises(PortalError):
        screenshot.take()


@given(st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1))
def test_every_name_of_a_file_comes_back_from_its_uri(name: str) -> None:
    path = Path("/somewhere") / name
    assert screenshot.path_of(path.as_uri()) == path


def test_tokens_are_kept_for_the_user_only_and_forgotten_when_empty(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert tokens.load("remote-desktop") == ""
    tokens.save("remote-desktop", "secret")
    assert tokens.load("remote-desktop") == "secret"
    (file,) = (tmp_path / "state" / "fingerpost").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    tokens.save("remote-desktop", "")
    assert tokens.load("remote-desktop") == ""
