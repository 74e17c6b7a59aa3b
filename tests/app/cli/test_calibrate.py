"""`fingerpost calibrate` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fingerpost.app.cli import cli
from fingerpost.engine.errors import OutputError
from fingerpost.engine.holotron import calibration
from fingerpost.engine.holotron.calibration import Ask, Said, Shown
from fingerpost.engine.holotron.runtime import Runtime
from fingerpost.engine.values import FrameSize
from fingerpost.models import miniature
from fingerpost.models.gguf.language import write_nemotron_h, write_qwen3vl
from fingerpost.models.gguf.qwen_vision import write_qwen3vl_merger
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl
from fingerpost.models.profiles import calibration_folder, read_calibration


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    write_nemotron_v2_vl(tmp_path / "tiny-mmproj.gguf", VisionShape(32, 1, 2, 64, tile=32))
    return write_nemotron_h(tmp_path / "tiny.gguf")


def test_a_model_that_sees_nothing_is_not_verified(weights: Path) -> None:
    result = CliRunner().invoke(cli, ["calibrate", str(weights), "--targets", "1", "--tiles", "1"])
    assert result.exit_code == 1
    assert result.output.count("median error") == 9 + 1
    assert read_calibration(calibration_folder(), weights) is None


@pytest.fixture
def good_eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model answers in decimals, and right."""

    def ask_model(runtime: Runtime) -> Ask:
        def ask(shown: Shown, asked: str, max_tiles: int) -> list[Said]:
            size = shown.frame.size
            places = [(goal.box.centre[0] / size.width, goal.box.centre[1] / size.height) for goal in shown.goals]
            texts = [f'{{"x": {x:.4f}, "y": {y:.4f}}}' for x, y in places]
            return [Said(goal, FrameSize(64, 64), text) for goal, text in zip(shown.goals, texts, strict=True)]

        return ask

    monkeypatch.setattr(calibration, "ask_model", ask_model)


@pytest.mark.usefixtures("good_eyes")
def test_what_was_measured_is_remembered_for_this_file(weights: Path) -> None:
    result = CliRunner().invoke(cli, ["calibrate", str(weights), "--tiles", "4"])
    assert result.exit_code == 0
    kept = read_calibration(calibration_folder(), weights)
    assert kept is not None
    assert (kept.coordinates, kept.max_tiles, kept.hit_rate) == ("unit", 4, 1.0)


@pytest.mark.usefixtures("good_eyes")
def test_a_dry_run_remembers_nothing(weights: Path) -> None:
    assert CliRunner().invoke(cli, ["calibrate", str(weights), "--tiles", "4", "--dry-run"]).exit_code == 0
    assert read_calibration(calibration_folder(), weights) is None


@pytest.mark.usefixtures("good_eyes")
def test_a_home_that_cannot_be_written_is_told_before_anything_is_measured(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_bytes(b"")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "a file"))
    result = CliRunner().invoke(cli, ["calibrate", str(weights), "--tiles", "4"])
    assert isinstance(result.exception, OutputError)
    assert "a file/fingerpost/calibration (Not a directory)" in result.exception.message
    assert "median error" not in result.output
    assert CliRunner().invoke(cli, ["calibrate", str(weights), "--tiles", "4", "--dry-run"]).exit_code == 0


@pytest.mark.usefixtures("weights")
def test_the_model_that_ships_is_measured_by_its_name_and_answers_in_thousandths() -> None:
    result = CliRunner().invoke(cli, ["calibrate", "miniature", "--tiles", "12", "--targets", "6"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Miniature:")
    kept = read_calibration(calibration_folder(), miniature.weights())
    assert kept is not None
    assert kept.coordinates == "thousandths"


@pytest.fixture
def one_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model that is shown a screen as one picture, not as tiles."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    write_qwen3vl_merger(tmp_path / "holo2-mmproj.gguf")
    return write_qwen3vl(tmp_path / "holo2.gguf")


@pytest.mark.usefixtures("good_eyes")
def test_a_model_that_is_shown_one_picture_is_shown_each_screen_once_in_each_convention(one_picture: Path) -> None:
    result = CliRunner().invoke(cli, ["calibrate", str(one_picture)])
    assert result.exit_code == 0
    trials = [line for line in result.output.splitlines() if line.startswith("one picture, asked for")]
    assert len(trials) == 3 * 3
    assert len(set(trials)) == len(trials)
    assert "tiles" not in result.output
    kept = read_calibration(calibration_folder(), one_picture)
    assert kept is not None
    assert kept.max_tiles == 1


def test_tiles_are_refused_for_a_model_that_is_shown_one_picture(one_picture: Path) -> None:
    result = CliRunner().invoke(cli, ["calibrate", str(one_picture), "--tiles", "6"])
    assert result.exit_code == 2
    assert "is shown a screen as one picture: leave out --tiles." in result.output
    assert "median error" not in result.output


@pytest.mark.usefixtures("good_eyes")
def test_the_same_number_of_tiles_twice_is_tried_once(weights: Path) -> None:
    result = CliRunner().invoke(cli, ["calibrate", str(weights), "--tiles", "4", "--tiles", "4"])
    assert result.exit_code == 0
    assert result.output.count("4 tiles, asked for") == 3 * 3 + 1
