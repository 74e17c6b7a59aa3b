"""A model that answers in another form needs another profile and no code: tiny models are held to each form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.header import read_header
from fingerpost.engine.holotron.runtime import Options, Runtime, find_profile
from fingerpost.engine.holotron.segments import Text
from fingerpost.engine.values import Answer, Box, Frame, Query, Target
from fingerpost.models.profiles.answer import AnswerForm

FRAME = Frame(np.random.default_rng(1).integers(0, 255, (128, 256, 4), np.uint8))
SAVE, OTHER = Query("the Save button"), Query("the other one")


@pytest.fixture(params=["click({x}, {y})", "<point>{x} {y}</point>", "[{x}, {y}]", "step 1: [{y}, {x}]"])
def engine(request: pytest.FixtureRequest, weights: Path) -> Iterator[HolotronEngine]:
    profile = find_profile(weights, read_header(weights))
    asking = replace(profile.localization, answer=AnswerForm.of(request.param), question="{target}")
    runtime = Runtime(Options(weights, n_ctx=2048, profile=replace(profile, localization=asking)))
    yield HolotronEngine(runtime, least_sure=0.0)
    runtime.close()


def test_the_answer_keeps_to_the_form_and_is_read_from_it(engine: HolotronEngine) -> None:
    conversation = engine.converse()
    answer = engine.find(FRAME, SAVE, conversation=conversation)
    assert answer.found
    form = engine.runtime.profile.localization.answer
    said = b"".join(engine.runtime.model.piece(token) for token in conversation.standing.said[0].answer).decode()
    place = form.place_in(said)
    assert place is not None
    assert form.ends(said)
    best = answer.targets[0]
    assert (best.x, best.y) == pytest.approx((place[0] / 1000 * 256, place[1] / 1000 * 128), abs=1)


def test_a_turn_that_is_recalled_is_written_in_the_form(engine: HolotronEngine) -> None:
    conversation = engine.converse()
    target = Target("Save", "button", 64, 96, Box(60, 90, 10, 10), 1.0, "text")
    conversation.recall("Save", Answer(True, False, "lite", 0.0, FRAME.size, (target,)))
    path = conversation.ask((), FRAME.size, OTHER.text)
    tokens = [token for segment in path if isinstance(segment, Text) for token in segment.tokens]
    text = b"".join(engine.runtime.model.piece(token) for token in tokens).decode("latin-1")
    assert engine.runtime.profile.localization.answer.place_in(text) == pytest.approx((250, 750), abs=5)
    assert engine.find(FRAME, OTHER, conversation=conversation).found
