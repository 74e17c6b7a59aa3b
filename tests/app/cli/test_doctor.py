from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from fingerpost.app import doctor
from fingerpost.app.cli import cli
from fingerpost.app.doctor import NEEDED_FOR_PICTURES, Check


def run(monkeypatch: pytest.MonkeyPatch, checks: list[Check], *options: str) -> Result:
    monkeypatch.setattr(doctor, "run_checks", lambda: tuple(checks))
    return CliRunner().invoke(cli, ["doctor", *options])


def test_each_check_is_a_row_with_its_outcome_in_words_and_its_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = [
        Check("Model files", True, "all whole"),
        Check("Qt", None, "not installed", "Only needed for the window."),
        Check("Screen capture", False, "no [display]", "Set DISPLAY."),
    ]
    rows = [row.strip() for row in run(monkeypatch, checks).stdout.splitlines()]
    assert [row.split()[0] for row in rows] == ["ok", "note", "->", "fail", "->"]
    assert rows[3].endswith("no [display]")
    assert rows[4] == "-> Set DISPLAY."


@pytest.mark.parametrize("name", NEEDED_FOR_PICTURES)
def test_the_exit_code_says_whether_pictures_can_be_searched(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    fails, no_screen = Check(name, False, "broken"), Check("Screen capture", False, "no display")
    assert run(monkeypatch, [Check(name, True, "fine"), no_screen]).exit_code == 0
    assert run(monkeypatch, [fails, no_screen]).exit_code == 3
    assert json.loads(run(monkeypatch, [fails], "--json").stdout)["ok"] is False


def test_json_holds_the_agreed_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    said = json.loads(run(monkeypatch, [Check("Qt", None, "not installed", "Install it.")], "--json").stdout)
    check = {"name": "Qt", "ok": None, "detail": "not installed", "fix": "Install it."}
    assert said == {"ok": True, "checks": [check]}


@pytest.mark.skipif(sys.platform != "linux", reason="a desktop without a display is a Linux thing")
def test_without_a_display_pictures_still_work() -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE")}
    command = [sys.executable, "-m", "fingerpost", "doctor", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    checks = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    assert all(checks[name]["ok"] for name in NEEDED_FOR_PICTURES)
    assert checks["Screen capture"]["ok"] is False
    assert checks["Screen capture"]["fix"]
