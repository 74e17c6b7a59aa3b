from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

COMPARE = Path(__file__).with_name("compare.py")


def test_both_engines_are_scored_on_the_same_cases(tmp_path: Path) -> None:
    picture = Image.new("RGB", (320, 120), "#f0f0f0")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((40, 40, 139, 69), fill="#ffffff", outline="#808080")
    draw.text((90, 55), "Apply", fill="#101010", font=ImageFont.load_default(16), anchor="mm")
    picture.save(tmp_path / "window.png")
    cases = [
        {"id": "a", "image": "window.png", "instruction": 'the button "Apply"', "bbox": [40, 40, 100, 30]},
        {"id": "b", "image": "window.png", "instruction": 'the button "Print"', "absent": True},
    ]
    (tmp_path / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases), "utf-8")
    command = [sys.executable, COMPARE, tmp_path / "cases.jsonl", "--save", tmp_path, "--json"]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    results = json.loads(run.stdout)
    assert list(results) == ["baseline", "lite"]
    for name, result in results.items():
        assert result["score"]["overall_with_absent"] == 1
        assert result["cpu_s"] > 0
        saved = (tmp_path / f"{name}.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line)["found"] for line in saved] == [True, False]
