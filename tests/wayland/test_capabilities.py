"""What the session at hand allows, said in one sentence each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingerpost.app.text import LANGUAGES, use
from fingerpost.app.wayland.capabilities import DIALOGUE, UNAVAILABLE, WORKS, Capability, capabilities
from fingerpost.engine import capture
from fingerpost.engine.capture.wayland_portal import WaylandPortal
from fingerpost.engine.portals import bus
from fingerpost.engine.wayland import session


def states() -> dict[str, str]:
    return {capability.part: capability.state for capability in capabilities()}


def test_sway_allows_all_but_a_key(
    desktop: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))  # no session bus
    found = {capability.part: capability for capability in capabilities()}
    assert {part: one.state for part, one in found.items()} == {
        "hotkey": UNAVAILABLE,
        "capture": WORKS,
        "overlay": WORKS,
        "click": WORKS,
    }
    assert found["capture"].how == "Wayland (wlr-screencopy)"
    assert "fingerpost app --toggle" in found["hotkey"].hint


def test_x11_allows_all(x_display: str) -> None:
    assert x_display
    assert set(states().values()) == {WORKS}


def test_a_desktop_with_portals_asks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session as on GNOME: portals, no protocols of the wlroots family."""
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(session, "problem", lambda *needed: f"no {needed[0]}" if needed else None)
    monkeypatch.setattr(bus, "portal_problem", lambda interface: None)
    monkeypatch.setattr("fingerpost.app.hotkeys.portal.portal_problem", lambda interface: None)
    monkeypatch.setattr("fingerpost.app.hotkeys.kglobalaccel.not_here", lambda: "this is not KDE")
    assert states() == {"hotkey": DIALOGUE, "capture": DIALOGUE, "overlay": UNAVAILABLE, "click": DIALOGUE}
    assert isinstance(capture.handler(), WaylandPortal)


def test_without_a_desktop_nothing_but_the_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    found = {capability.part: capability for capability in capabilities()}
    assert found["capture"].state == found["click"].state == UNAVAILABLE
    assert found["capture"].hint
    assert found["capture"].how == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_has_its_sentence(language: str) -> None:
    use(language)
    try:
        for part in ("capture", "click", "overlay", "hotkey"):
            sentences = {Capability(part, state).sentence for state in (WORKS, DIALOGUE, UNAVAILABLE)}
            assert len(sentences) == 3
            assert all(sentence.endswith(".") for sentence in sentences)
    finally:
        use("en")
