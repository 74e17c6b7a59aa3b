"""Nothing leaves the machine, and nothing is stored: ONNX Runtime, for one, would report to its maker by itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

IN_A_PROGRAM = "from fingerpost import Finder; import sys; assert Finder().find(sys.argv[1], 'Replace').found"
SWITCHES = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "XDG_CACHE_HOME")
"""What would keep it quiet, or send its files elsewhere."""


def at_home(home: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A Python process as a user's machine runs it, with a home of its own."""
    gone = {"DISPLAY", "WAYLAND_DISPLAY", *SWITCHES}
    clean = {key: value for key, value in os.environ.items() if key not in gone}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**clean, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
    )


@pytest.mark.skipif(os.name != "posix", reason="a home folder is chosen as POSIX systems have it")
def test_looking_leaves_no_trace_in_the_home_folder(tmp_path: Path, screenshot: Path) -> None:
    assert at_home(tmp_path, "-m", "fingerpost", "find", "Replace", "--image", screenshot).returncode == 0
    assert at_home(tmp_path, "-c", IN_A_PROGRAM, screenshot).returncode == 0
    at_home(tmp_path, "-m", "fingerpost", "doctor", "--json")
    assert [str(path) for path in tmp_path.rglob("*")] == []
