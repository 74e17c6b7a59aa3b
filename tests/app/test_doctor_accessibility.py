"""The check of the accessibility bus, on session buses of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

import pytest

CHECK = """
import json
from dataclasses import asdict
from fingerpost.app import doctor
(check,) = [check for name, check in doctor.CHECKS if name == "Accessibility"]
print(json.dumps(asdict(check("Accessibility"))))
"""
ENABLE = "from fingerpost.engine import accessibility; assert accessibility.enable()\n"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the accessibility bus is a Linux thing")


def check(code: str = "", *wrapper: str, **env: str) -> dict[str, Any]:
    """The row that a fresh process makes, started by `wrapper`, after running `code`."""
    clean = {k: v for k, v in os.environ.items() if k not in {"DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"}}
    command = [*wrapper, sys.executable, "-c", code + CHECK]
    with tempfile.TemporaryDirectory() as home:  # the switch is remembered in the user's settings
        own = clean | {"HOME": home, "XDG_CONFIG_HOME": home, "GSETTINGS_BACKEND": "memory"} | env
        done = subprocess.run(command, env=own, capture_output=True, text=True, timeout=60, check=True)
    row: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return row


def test_without_a_session_bus_the_note_says_so() -> None:
    row = check()
    assert row["ok"] is None
    assert "no session bus" in row["detail"]
    assert "desktop session" in row["fix"]


def test_without_dbus_fast_the_note_says_how_to_get_it() -> None:
    row = check("import sys; sys.modules['dbus_fast'] = None\n")
    assert row["ok"] is None
    assert "pip install 'fingerpost[desktop]'" in row["fix"]


def test_a_bus_that_does_not_answer_is_a_note() -> None:
    row = check(DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent/bus")
    assert row["ok"] is None
    assert "does not answer" in row["detail"]


def test_a_session_with_accessibility_off_tells_how_to_turn_it_on() -> None:
    row = check("", "dbus-run-session", "--")
    assert row["ok"] is None
    assert "off" in row["detail"]
    assert "IsEnabled b true" in row["fix"]


def test_a_session_with_accessibility_on_is_fine() -> None:
    assert check(ENABLE, "dbus-run-session", "--")["ok"] is True
