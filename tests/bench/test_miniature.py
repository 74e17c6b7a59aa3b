from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).with_name("miniature.py")


def run(*options: str) -> str:
    command = [sys.executable, str(BENCH), "--screens", "1", "--pictures", "1", *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_each_answer_is_told_with_what_was_asked() -> None:
    hits = json.loads(run("--few-bits", "--json"))
    assert {hit["model"] for hit in hits} == {"miniature", "Q4_K_M"}
    assert {hit["screens"] for hit in hits} == {"1 picture"}
    assert all(hit["inside"] in {True, False} and 0 <= hit["error"] <= 1 for hit in hits)


def test_people_get_tables() -> None:
    output = run()
    assert "| 1 picture" in output
    assert "%" in output
