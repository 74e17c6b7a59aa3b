from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from fingerpost.app.cli import cli
from fingerpost.engine import capture
from fingerpost.engine.geometry import Layout, Monitor
from fingerpost.engine.values import Box

DESK = Layout(
    (
        Monitor(1, "DP-1", Box(0, 0, 1920, 1080), primary=True),
        Monitor(2, "HDMI-1", Box(-2560, -200, 2560, 1440), scale=1.5),
    )
)


@pytest.fixture(autouse=True)
def desk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "monitors", lambda: DESK)


def run(*options: str) -> Result:
    return CliRunner().invoke(cli, ["screens", *options])


def test_each_monitor_is_listed_with_its_place_and_drawn() -> None:
    first, second, *drawing = run().stdout.splitlines()
    assert first == "1  DP-1: 1920 × 1080 at 0,0, primary"
    assert second == "2  HDMI-1: 2560 × 1440 at -2560,-200"
    row = next(row for row in drawing if "2" in row)
    assert row.index("2") < max(map(len, drawing)) / 2  # the second stands left of the first
    assert any("1" in row for row in drawing)


def test_json_holds_the_agreed_fields() -> None:
    assert json.loads(run("--json").stdout) == [
        {"number": 1, "name": "DP-1", "box": [0, 0, 1920, 1080], "scale": 1.0, "primary": True},
        {"number": 2, "name": "HDMI-1", "box": [-2560, -200, 2560, 1440], "scale": 1.5, "primary": False},
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="a desktop without a display is a Linux thing")
def test_without_a_display_two_sentences_say_so() -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE")}
    command = [sys.executable, "-m", "fingerpost", "screens"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 2
    assert "Traceback" not in done.stderr
