"""Impatient users, and an end that comes at the wrong moment."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from app_driver import AppDriver, running_app
from desktop_session import DesktopSession, wait_until
from programs import Program
from x11_events import held_down


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_in_the_middle_of_a_click_leaves_nothing_behind(
    desktop: DesktopSession, kcalc: Program, number: signal.Signals
) -> None:
    kcalc.clear()  # of a click that the signal came too late for
    with running_app(desktop) as one:
        one.find("5")
        engine = Path(f"/proc/{one.engine()}/cmdline")
        desktop.key("Return")
        one.wait("state", state="acting")
        one.process.send_signal(number)
        assert one.process.wait(10) == 0
        assert held_down(desktop) == ()
        wait_until(lambda: not engine.exists() or not engine.read_bytes(), 10, "the end of the engine")
        assert list((desktop.home / ".runtime" / "fingerpost").glob("*.socket")) == []


def test_an_escape_as_soon_as_the_palette_is_seen_closes_it(desktop: DesktopSession, app: AppDriver) -> None:
    for _ in range(15):
        app.open()
        desktop.key("Escape")
        wait_until(lambda: app.state == "idle", 5, "a closed palette")


def test_a_hotkey_that_is_held_down_opens_the_palette_once(desktop: DesktopSession, app: AppDriver) -> None:
    app.leave()
    app.forget()
    desktop.key("--delay", "1500", "super+space")
    desktop.settled()
    assert [entry["state"] for entry in app.recent if entry["event"] == "state"] == ["open"]
    app.leave()
