"""`fingerpost find` and `fingerpost read` as a user meets them: in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fingerpost.models.miniature import demo


def run(*arguments: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fingerpost", *map(str, arguments)]
    clean = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=clean | env)


def said(result: subprocess.CompletedProcess[str]) -> str:
    """The error output, which must be sentences and no traceback."""
    assert "Traceback" not in result.stderr
    return result.stderr


def test_find_prints_the_documented_object(screenshot: Path) -> None:
    result = run("find", "the Replace button", "--image", screenshot, "--json")
    assert result.returncode == 0, result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    assert set(answer) == {"found", "ambiguous", "engine", "elapsed_ms", "frame", "targets"}
    assert (answer["found"], answer["ambiguous"], answer["engine"]) == (True, False, "lite")
    assert answer["frame"] == {"width": 1280, "height": 800}
    target = answer["targets"][0]
    assert set(target) == {"label", "kind", "x", "y", "box", "confidence", "source"}
    x, y, width, height = target["box"]
    assert x <= target["x"] < x + width
    assert y <= target["y"] < y + height


def test_a_model_that_is_named_answers_instead_of_reading() -> None:
    """The shipped one, on its shipped screen: where things are is known from how it was drawn."""
    (circle,) = [thing for thing in demo.draw().things if (thing.colour, thing.name) == ("red", "circle")]
    result = run("find", "the red circle", "--model", "miniature", "--image", demo.PICTURE, "--json")
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert answer["engine"] == "holotron"
    best, (left, top, right, bottom) = answer["targets"][0], circle.rect
    assert best["source"] == "model"
    assert not result.stderr
    assert left <= best["x"] <= right
    assert top <= best["y"] <= bottom


def test_with_the_engine_auto_what_is_written_is_still_read(screenshot: Path) -> None:
    command = ("find", "Wrap around", "--engine", "auto", "--model", "miniature", "--image", screenshot, "--json")
    assert json.loads(run(*command).stdout)["engine"] == "lite"


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (("--engine", "auto:a.gguf", "--model", "b.gguf"), 2, "names a model"),
        (("--engine", "lite", "--model", "miniature"), 3, "The engine lite takes no model."),
        (("--model", "no-such-file.gguf"), 3, "no-such-file.gguf cannot be read"),
        (("--model", ""), 2, "--model names no model"),
        (("--model", " ", "--engine", "auto"), 2, "--model names no model"),
    ],
)
def test_a_model_that_cannot_answer_is_said(
    screenshot: Path, options: tuple[str, ...], code: int, sentence: str
) -> None:
    result = run("find", "Save", "--image", screenshot, *options)
    assert result.returncode == code
    assert sentence in said(result)


def test_not_found_is_an_answer_with_its_own_exit_code(screenshot: Path) -> None:
    result = run("find", "Xyzzy", "--image", screenshot, "--json")
    assert result.returncode == 1
    assert json.loads(result.stdout)["targets"] == []
    assert not result.stderr


def test_the_annotated_picture_differs_around_the_target(screenshot: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert run("find", "Wrap around", "--image", screenshot, "--annotate", out).returncode == 0
    with Image.open(out) as drawn, Image.open(screenshot) as plain:
        assert drawn.size == plain.size
        assert drawn.convert("RGB").getpixel((5, 5)) != plain.convert("RGB").getpixel((5, 5))  # dimmed
        inside = (600, 453)
        assert drawn.convert("RGB").getpixel(inside) == plain.convert("RGB").getpixel(inside)


def test_read_lists_texts_and_elements(screenshot: Path, tmp_path: Path) -> None:
    out = tmp_path / "seen.png"
    result = run("read", "--image", screenshot, "--json", "--annotate", out)
    scene = json.loads(result.stdout)
    assert {"frame", "ui_scale", "texts", "elements", "containers"} == set(scene)
    assert "Match whole word" in {text["text"] for text in scene["texts"]}
    assert {"check box", "button"} <= {element["kind"] for element in scene["elements"]}
    assert out.is_file()


@pytest.fixture
def bad_files(tmp_path: Path, screenshot: Path) -> dict[str, Path]:
    """Files that are no pictures, or hardly."""
    files = {name: tmp_path / name for name in ("cut.png", "text.png", "empty.png", "one.png")}
    files["cut.png"].write_bytes(screenshot.read_bytes()[:20_000])
    files["text.png"].write_text("not a picture")
    files["empty.png"].touch()
    Image.new("RGB", (1, 1)).save(files["one.png"])
    return {**files, "missing.png": tmp_path / "missing.png", "folder": tmp_path}


@pytest.mark.parametrize("name", ["cut.png", "text.png", "empty.png", "missing.png", "folder"])
def test_an_unusable_picture_is_one_clear_error(bad_files: dict[str, Path], name: str) -> None:
    result = run("find", "Save", "--image", bad_files[name])
    assert result.returncode == 3
    assert name in said(result)
    assert len(said(result).strip().splitlines()) == 2


def test_a_picture_of_one_pixel_has_nothing_on_it(bad_files: dict[str, Path]) -> None:
    result = run("find", "Save", "--image", bad_files["one.png"])
    assert (result.returncode, said(result)) == (1, "")


@pytest.mark.parametrize("query", ["", "   ", "x" * 10_000])
def test_an_impossible_query_is_wrong_use(screenshot: Path, query: str) -> None:
    result = run("find", query, "--image", screenshot)
    assert result.returncode == 2
    assert len(said(result).strip().splitlines()) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--region", "1,2,3"),
        ("--region", "0,0,0,5"),
        ("--screen", "0"),
        ("--screen", "-3"),
        ("--screen", " "),
        ("--device", "toaster"),
        ("--image", "a.png", "--screen", "1"),
        ("--frobnicate",),
    ],
)
def test_wrong_options_are_wrong_use(arguments: tuple[str, ...]) -> None:
    result = run("find", "Save", *arguments)
    assert result.returncode == 2
    assert said(result)


def test_an_unknown_engine_names_the_known_ones(screenshot: Path) -> None:
    result = run("find", "Save", "--image", screenshot, "--engine", "psychic")
    assert result.returncode == 3
    assert "lite" in said(result)


def test_a_card_that_is_not_there_is_one_sentence_and_the_answer_comes_all_the_same(screenshot: Path) -> None:
    result = run("find", "the Replace button", "--image", screenshot, "--device", "cuda", "--json")
    assert result.returncode == 0
    assert json.loads(result.stdout)["found"]
    if said(result):  # a machine with a card says nothing
        assert len(said(result).strip().splitlines()) == 1
        assert "the processor is" in said(result)


def test_a_screen_may_be_named_and_an_unknown_one_lists_them(x_display: str) -> None:
    result = run("find", "Save", "--screen", "Projector", DISPLAY=x_display)
    assert result.returncode == 2
    assert "“Projector”: this desktop has 1, 1 (" in said(result)


def test_without_a_display_find_says_so_and_does_not_hang() -> None:
    result = run("find", "Save")
    assert result.returncode == 3
    assert "display" in said(result)


def test_find_works_on_a_live_screen(x_display: str, screenshot: Path) -> None:
    viewer = subprocess.Popen(["display", "-backdrop", screenshot], env={**os.environ, "DISPLAY": x_display})
    try:
        for _ in range(40):
            result = run("find", "the Replace button", "--json", DISPLAY=x_display)
            if result.returncode == 0:
                break
        target = json.loads(result.stdout)["targets"][0]
        assert abs(target["x"] - 610) < 45
        assert abs(target["y"] - 612) < 20
    finally:
        viewer.terminate()
        viewer.wait()
