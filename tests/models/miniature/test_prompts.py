"""What the miniature was trained on is what the engine gives it, token by token and pixel by pixel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.holotron.llama import Model
from fingerpost.engine.holotron.prompt import Prompt, form_of
from fingerpost.engine.holotron.tiles import choose_grid
from fingerpost.engine.holotron.tiles import cut as engine_cut
from fingerpost.engine.values import FrameSize
from fingerpost.models import miniature
from fingerpost.models.miniature import prompts
from fingerpost.models.miniature.training.cutting import MAX_TILES, cut, grid_of
from fingerpost.models.miniature.vocabulary import vocabulary
from fingerpost.models.miniature.words import (
    COLOURS,
    FIRST,
    ICONS,
    LABELS,
    LETTERS,
    ORDINALS,
    PIECES,
    SHAPES,
    SIDES,
    WORDS,
)
from fingerpost.models.profiles import profile_for

SIZE = FrameSize(1920, 1080)
QUESTIONS = (
    *(f"the {colour} {shape}" for colour in COLOURS for shape in SHAPES),
    *(f"the {ordinal} red ring from the {side}" for ordinal in ORDINALS for side in SIDES),
    *(f"button {letter}" for letter in LETTERS),
    *(f"{thing} {label}" for thing in ("the word", "field") for label in LABELS),
    *(f"the {icon} icon" for icon in ICONS),
)


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    loaded = Model(miniature.weights())
    yield loaded
    loaded.close()


@pytest.fixture(scope="module")
def prompt(model: Model) -> Prompt:
    return Prompt(profile_for("nemotron_h", "Fingerpost miniature"), model.tokenize)


def test_the_file_has_the_vocabulary_that_was_trained(model: Model) -> None:
    tokens = vocabulary().tokens
    assert model.n_vocab == len(tokens)
    assert vocabulary().ids["<SPECIAL_12>"] == 12
    assert model.ends(12)


@pytest.mark.parametrize("word", [*WORDS, *FIRST])
def test_each_word_is_one_token_behind_another(model: Model, word: str) -> None:
    assert model.tokenize(f" {word}", False) == (vocabulary().ids[f"Ġ{word}"],)


@pytest.mark.parametrize("word", [*FIRST, *PIECES])
def test_what_can_begin_a_text_is_one_token_there(model: Model, word: str) -> None:
    assert model.tokenize(word, True) == (vocabulary().ids[word],)


@pytest.mark.parametrize("words", [*QUESTIONS, "the Zebra", "buttons", ""])
def test_a_question_has_the_tokens_of_training(prompt: Prompt, words: str) -> None:
    assert prompt.target(words).tokens == tuple(prompts.question(words))


def test_what_stands_around_the_tiles_has_the_tokens_of_training(prompt: Prompt) -> None:
    head, behind = prompt.screen((), SIZE)
    assert list(head.tokens) == prompts.ids(prompts.HEAD)
    assert list(behind.tokens) == prompts.ids(prompts.BEHIND)


def test_the_next_turn_has_the_tokens_of_training(prompt: Prompt) -> None:
    (between,) = prompt.next_question(SIZE)
    assert list(between.tokens) == prompts.ids(prompts.NEXT)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_an_answer_in_the_trained_tokens_reads_as_its_place(model: Model, x: int, y: int) -> None:
    text = b"".join(model.piece(token) for token in prompts.answer(x, y))
    assert text.decode() == f'{{"x":{x},"y":{y}}}'


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(0, 1000))
def test_an_answer_that_is_recalled_has_the_tokens_of_training(prompt: Prompt, x: int, y: int) -> None:
    text = form_of(prompt.profile.localization, SIZE).written(x / 1000, y / 1000)
    assert list(prompt.tokenize(text, False)) == prompts.answer(x, y)


@given(st.integers(1, 4000), st.integers(1, 4000), st.sampled_from((64, 128, 512)))
def test_the_grid_of_training_is_the_engines(width: int, height: int, side: int) -> None:
    grid = choose_grid(FrameSize(width, height), MAX_TILES, side)
    assert grid_of(width, height, side) == (grid.columns, grid.rows)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 700), st.integers(1, 500), st.integers(0, 2**32))
def test_a_screen_is_cut_in_training_as_by_the_engine(width: int, height: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)
    tiles = engine_cut(pixels, choose_grid(FrameSize(width, height), MAX_TILES, 64))
    assert (cut(np.ascontiguousarray(pixels[..., 2::-1]), 64) == np.stack(tiles)).all()
