"""`fingerpost bench cache`, `memory` and `gpu` on tiny models, as a user calls them."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.app.bench import cache as measurement
from fingerpost.app.bench.synthetic import WORDS, change, draw_screen
from fingerpost.app.cli import cli
from fingerpost.engine.errors import EngineError, ModelError
from fingerpost.engine.holotron import engine
from fingerpost.engine.holotron.conversation import ANSWER
from fingerpost.engine.holotron.grammar import Form, Number
from fingerpost.engine.holotron.prompt import form_of
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.holotron.state_cache import Start, StateCache
from fingerpost.engine.values import Box, FrameSize
from fingerpost.models.gguf.language import write_nemotron_h
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl
from fingerpost.models.profiles import Localization

TILE_TOKENS = 16
KEYS = {
    "cold_ms", "second_question_ms", "after_typing_ms", "stock_second_question_ms", "max_logit_difference",
    "tokens_evaluated", "tiles_encoded_after_one_change",
}  # fmt: skip


def bench(*args: str) -> Result:
    return CliRunner().invoke(cli, ["bench", *args])


def bench_cache(model: Path, rounds: int = 1) -> dict[str, Any]:
    result = bench("cache", "--rounds", str(rounds), "--model", str(model), "--json")
    assert result.exit_code == 0, result.output
    values: dict[str, Any] = json.loads(result.output)
    return values


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose tiles are a quarter as wide and high as they really are."""
    folder = tmp_path_factory.mktemp("small")
    write_nemotron_v2_vl(folder / "mmproj.gguf", VisionShape(32, 1, 2, 64, tile=128))
    return write_nemotron_h(folder / "model.gguf")


@pytest.fixture(scope="module")
def cache(small: Path) -> dict[str, Any]:
    return bench_cache(small)


@pytest.fixture
def two_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen that is measured, in place of a large one."""
    monkeypatch.setattr(measurement, "draw_screen", lambda: draw_screen(320, 180, 2))


def test_the_cache_changes_no_logit_and_a_second_question_is_faster(cache: dict[str, Any]) -> None:
    assert cache.keys() >= KEYS
    assert cache["max_logit_difference"] == 0
    assert cache["screen_tokens"] > 9 * TILE_TOKENS
    assert cache["second_question_ms"] < cache["cold_ms"]


def test_a_second_question_evaluates_itself_and_its_answer_only(small: Path, cache: dict[str, Any]) -> None:
    runtime = Runtime(Options(small, n_ctx=512))
    question = runtime.prompt.target(draw_screen().goals[-1].words).length
    runtime.close()
    assert cache["tokens_evaluated"] == question
    assert 0 < cache["answer_tokens"] <= ANSWER


@pytest.mark.usefixtures("two_buttons")
def test_what_a_second_question_evaluates_is_counted_not_supposed(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StateCache, "_find_start", lambda cache, path: Start(0))
    values = bench_cache(small)
    assert values["tokens_evaluated"] > values["tiles"] * TILE_TOKENS
    assert 0 < values["answer_tokens"] <= ANSWER


def test_the_answer_of_a_nearer_look_counts_as_that_looks(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def short_from_near(asking: Localization, size: FrameSize) -> Form:
        form = form_of(asking, size)
        return replace(form, x=Number(9), y=Number(9)) if size == FrameSize(256, 128) else form

    with closing(Runtime(Options(small, n_ctx=2048))) as runtime:
        measuring = measurement._Measurement(runtime, draw_screen(800, 450, 2))
        *usual, nearer = measuring._second_question_tokens()
        monkeypatch.setattr(engine, "form_of", short_from_near)
        *same, shorter = measuring._second_question_tokens()
    assert same == usual
    assert 2 * TILE_TOKENS < shorter < nearer


@pytest.mark.usefixtures("two_buttons")
def test_there_may_be_more_rounds_than_questions(small: Path) -> None:
    assert bench_cache(small, rounds=3)["max_logit_difference"] == 0


def test_one_changed_tile_of_nine_costs_it_and_the_thumbnail(cache: dict[str, Any]) -> None:
    assert cache["tiles"] == 9
    assert cache["tiles_encoded_after_one_change"] == 2
    assert cache["tokens_after_one_change"] == 3 * TILE_TOKENS  # the changed one is the last but one of its row


def test_keys_in_few_bits_need_flash_attention_and_then_change_no_logit_of_a_cold_run(tmp_path: Path) -> None:
    write_nemotron_v2_vl(tmp_path / "mmproj.gguf", VisionShape(32, 1, 2, 64, tile=64))
    call = ("cache", "--rounds", "1", "--model", str(write_nemotron_h(tmp_path / "m.gguf")), "--kv-type", "q8_0")
    assert isinstance(bench(*call).exception, ModelError)
    result = bench(*call, "--flash-attention", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["max_logit_difference"] == 0


def test_the_model_that_ships_is_measured_by_its_name() -> None:
    result = bench("cache", "--rounds", "1", "--model", "miniature", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["max_logit_difference"] == 0


def test_memory_is_measured_in_the_library_and_agrees_with_the_formula() -> None:
    result = bench("memory", "--json")
    assert result.exit_code == 0, result.output
    values = json.loads(result.output)
    assert values["holotron_measured"]["state"] == pytest.approx(143.94 * 2**20, rel=1e-4)
    assert values["holotron_measured"]["token"] == pytest.approx(24 * 1024, rel=0.001)
    assert values["holo2_measured"]["token"] == pytest.approx(144 * 1024, rel=0.001)
    for model in ("holotron", "holo2"):
        for part in ("state", "token"):
            assert values[f"{model}_measured"][part] == pytest.approx(values[f"{model}_formula"][part], rel=0.001)
    assert [row["tokens"] for row in values["rows"]] == [4096, 16384, 65536, 131072]
    assert [row["ratio"] for row in values["rows"]] == sorted(row["ratio"] for row in values["rows"])


def test_memory_is_drawn_for_people() -> None:
    output = bench("memory").output
    assert "143.94 MiB" in output
    assert "█" in output


def test_without_a_graphics_card_the_measurement_says_it_has_not_been_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from fingerpost.app.bench import gpu

    monkeypatch.setattr(gpu, "has_gpu", lambda: False)
    result = bench("gpu")
    assert isinstance(result.exception, EngineError)
    assert "has not been run" in result.exception.message


@pytest.mark.parametrize("name", ["cache", "memory", "gpu"])
def test_each_measurement_has_its_own_help(name: str) -> None:
    result = bench(name, "--help")
    assert result.exit_code == 0
    assert f"bench {name} [OPTIONS]" in result.output
    assert "Exit codes" in result.output


def test_a_file_of_cases_is_still_scored_whatever_its_name(tmp_path: Path) -> None:
    missing = bench(str(tmp_path / "cache"))
    assert missing.exit_code != 0
    assert "cold" not in missing.output


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000))
def test_synthetic_screens_have_buttons_apart_each_with_its_own_word(seed: int) -> None:
    screen = draw_screen(800, 600, 12, seed)
    assert len(screen.goals) >= 8
    assert len({goal.words for goal in screen.goals}) == len(screen.goals) <= len(WORDS)
    for number, goal in enumerate(screen.goals):
        assert goal.box.intersection(screen.frame.box) == goal.box
        assert all(goal.box.intersection(other.box).area == 0 for other in screen.goals[:number])


def test_the_same_seed_draws_the_same_screen_and_a_change_changes_only_its_box() -> None:
    one, same = draw_screen(seed=3), draw_screen(seed=3)
    assert (one.frame.pixels == same.frame.pixels).all()
    changed = change(one.frame, Box(10, 20, 5, 5)).pixels != one.frame.pixels
    assert changed[20:25, 10:15, :3].all()
    assert changed.any(axis=2).sum() == 25
