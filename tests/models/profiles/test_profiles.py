"""The profiles that ship, which one a model file gets, and what is remembered of a calibration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fingerpost.models import profiles as module
from fingerpost.models.errors import ModelFileError
from fingerpost.models.profiles import (
    Calibration,
    Profile,
    calibrated,
    profile_for,
    profiles,
    read_calibration,
    store_calibration,
)

MEASURED = Calibration("unit", 6, 0.01, 0.9)


@pytest.mark.parametrize("profile", profiles(), ids=lambda profile: profile.key)
def test_a_profile_asks_with_the_schema_and_the_target(profile: Profile) -> None:
    question = profile.localization.question
    assert question.count("{target}") == 1
    assert question.count("{schema}") == 1 or profile.key == "miniature"  # which has never read a schema
    assert question.endswith("{target}")
    assert "{system}" in profile.template.head or not profile.localization.system


@pytest.mark.parametrize(
    ("architecture", "names", "key"),
    [
        ("nemotron_h", "Holotron-12B-Q4_K_M.gguf", "holotron-12b"),
        ("nemotron_h", "NVIDIA-Nemotron-Nano-12B-v2-VL-BF16", "nemotron-nano-12b-v2-vl"),
        ("nemotron_h_moe", "holotron-3-nano", "holotron-3-nano"),
        ("qwen3vl", "Holo2 4B", "holo2-4b"),
        ("qwen3vl", "holo2-8b.Q5_K_M.gguf", "holo2-8b"),
        ("qwen35", "Holo-3.1-4B-GGUF", "holo-3.1"),
        ("qwen35moe", "Holo-3.1-35B-A3B", "holo-3.1"),
    ],
)
def test_a_model_file_gets_its_profile(architecture: str, names: str, key: str) -> None:
    assert profile_for(architecture, names).key == key


def test_an_unnamed_file_of_a_known_kind_still_gets_a_profile() -> None:
    assert "nemotron_h" in profile_for("nemotron_h", "model.gguf").architectures


def test_a_model_of_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ModelFileError) as caught:
        profile_for("llama", "Llama-3")
    assert "llama" in caught.value.message
    assert "nemotron_h" in caught.value.hint


def test_a_calibration_takes_precedence_and_verifies(tmp_path: Path) -> None:
    weights = tmp_path / "model.Q4_K_M.gguf"
    weights.write_bytes(b"weights")
    store_calibration(tmp_path / "kept", weights, MEASURED)
    profile = calibrated(profile_for("nemotron_h", "holotron"), read_calibration(tmp_path / "kept", weights))
    assert profile.verified
    assert (profile.localization.coordinates, profile.pictures.max_tiles) == ("unit", 6)


def kept(coordinates: object, max_tiles: object) -> str:
    """A file of a calibration as `store_calibration` writes it, of weights of seven bytes."""
    measured = {"median_error": 0.01, "hit_rate": 0.9}
    return json.dumps({"bytes": 7, "coordinates": coordinates, "max_tiles": max_tiles, **measured})


def test_what_was_kept_is_read(tmp_path: Path) -> None:
    weights = tmp_path / "model.gguf"
    weights.write_bytes(b"weights")
    (tmp_path / "model.json").write_text(kept("unit", 6))
    assert read_calibration(tmp_path, weights) == MEASURED


@pytest.mark.parametrize(
    "content",
    [
        "", "{}", "[]", "\x00", '{"bytes": 7, "coordinates": "unit", "max_tiles": 6}',
        kept("miles", 6), kept(["unit"], 6), kept(None, 6),
        kept("unit", 0), kept("unit", -1), kept("unit", 2.5), kept("unit", 6.0),
        kept("unit", "6"), kept("unit", None), kept("unit", [6]),
        kept("unit", 10**9), kept("unit", float("inf")), kept("unit", float("nan")),
    ],
)  # fmt: skip
def test_a_damaged_calibration_counts_as_none(tmp_path: Path, content: str) -> None:
    weights = tmp_path / "model.gguf"
    weights.write_bytes(b"weights")
    (tmp_path / "model.json").write_text(content)
    assert read_calibration(tmp_path, weights) is None
    profile = profile_for("nemotron_h", "holotron")
    assert calibrated(profile, None) is profile


def test_a_calibration_of_other_weights_of_the_same_name_counts_as_none(tmp_path: Path) -> None:
    weights = tmp_path / "model.gguf"
    weights.write_bytes(b"weights")
    store_calibration(tmp_path, weights, MEASURED)
    assert read_calibration(tmp_path, weights) == MEASURED
    weights.write_bytes(b"other weights")
    assert read_calibration(tmp_path, weights) is None


def test_a_profile_with_a_mistake_names_the_file(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text('name = "x"')
    with pytest.raises(ModelFileError, match=r"broken\.toml"):
        module._load(broken)


@pytest.mark.parametrize(
    ("wrong", "mistake"),
    [
        ("[{x}]", "each once"),
        ("[{x}, {y}, {y}]", "each once"),
        ("[{x}{y}]", "touch"),
        ("{x}, {y}", "end"),
        ("click({x}, {y})", "no JSON"),
    ],
)
def test_a_profile_whose_answers_have_no_readable_form_is_refused(tmp_path: Path, wrong: str, mistake: str) -> None:
    right = (module.FOLDER / "holotron-12b.toml").read_text("utf-8")
    path = tmp_path / "wrong.toml"
    path.write_text(right.replace('{"x": {x}, "y": {y}}', wrong), "utf-8")
    with pytest.raises(ModelFileError, match=rf"wrong\.toml.*{mistake}"):
        module._load(path)


@pytest.mark.parametrize(
    ("question", "mistake"),
    [
        ("Where is it?", "{target}, once"),
        ("Where is {target}? {target}!", "{target}, once"),
        ("Where is {target}? Answer as {schema}.", "before its {target}"),
        ("{schema} Where is {target}? Answer as {schema}.", "before its {target}"),
    ],
)
def test_a_profile_whose_question_cannot_be_filled_in_is_refused(tmp_path: Path, question: str, mistake: str) -> None:
    asking = profile_for("nemotron_h", "holotron").localization.question
    right = (module.FOLDER / "holotron-12b.toml").read_text("utf-8")
    path = tmp_path / "wrong.toml"
    path.write_text(right.replace(asking.strip(), question), "utf-8")
    with pytest.raises(ModelFileError, match=rf"wrong\.toml.*{mistake}"):
        module._load(path)


@pytest.mark.parametrize("answer", ["click({x}, {y})", "<point>{x} {y}</point>", "[{y}, {x}]"])
def test_a_profile_without_a_schema_may_have_any_form(tmp_path: Path, answer: str) -> None:
    right = (module.FOLDER / "holotron-12b.toml").read_text("utf-8")
    path = tmp_path / "other.toml"
    path.write_text(right.replace('{"x": {x}, "y": {y}}', answer).replace("{schema}", answer), "utf-8")
    assert module._load(path).localization.answer.text == answer
