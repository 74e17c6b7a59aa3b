"""Who answers: reading where it is exact, the model for the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.auto import AutoEngine, joined
from fingerpost.engine.conversing import Conversation
from fingerpost.engine.errors import ModelError
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.values import Answer, Box, Frame, FrameSize, Query, Target

FRAME = Frame(np.zeros((200, 400, 4), np.uint8))
SIZE = FrameSize(400, 200)


def target(x: int, y: int, confidence: float, source: str) -> Target:
    return Target("Save", "button", x, y, Box(x - 20, y - 10, 40, 20), confidence, source)


def answer(*targets: Target, engine: str = "lite", ambiguous: bool = False, reason: str = "") -> Answer:
    return Answer(bool(targets), ambiguous, engine, 1.0, SIZE, targets, reason)


class Says:
    """An engine that gives one answer, or fails."""

    def __init__(self, answer: Answer | ModelError) -> None:
        self.answer = answer
        self.standing = "before"
        self.asked = 0
        self.looked = 0
        self.warnings = ("0 of 62 layers of the model are on the GPU.",)
        self.recalled: list[tuple[str, Answer]] = []

    def see(self, frame: Frame) -> Scene:
        return Scene(frame.size, (), (), (), 1.0)

    def converse(self) -> Conversation:
        return self

    def recall(self, words: str, answer: Answer) -> None:
        self.recalled.append((words, answer))

    def prefill(self, frame: Frame, stopped: Callable[[], bool] = lambda: False) -> None:
        self.looked += 1
        if isinstance(self.answer, ModelError):
            raise self.answer

    def find(
        self,
        frame: Frame,
        query: Query,
        accessible: Sequence[AccessibleNode] = (),
        stopped: Callable[[], bool] = lambda: False,
        conversation: Conversation | None = None,
    ) -> Answer:
        self.asked += 1
        self.conversation = conversation
        if isinstance(self.answer, ModelError):
            raise self.answer
        if self.answer.found:
            self.standing = "after"
        return self.answer


MODEL_SAYS = answer(target(300, 100, 0.7, "model"), engine="holotron")


def timeless(answer: Answer) -> Answer:
    return replace(answer, elapsed_ms=0.0)


def ask(read: Answer, model: Says) -> Answer:
    return AutoEngine(Says(read), model).find(FRAME, Query("Save"))


FAILS = ModelError("The context is full.", "Choose a larger one.")


@pytest.mark.parametrize("source", ["text", "accessibility"])
def test_what_is_written_letter_for_letter_is_not_asked_of_the_model(source: str) -> None:
    model = Says(MODEL_SAYS)
    found = ask(answer(target(50, 50, 0.98, source)), model)
    assert (found.engine, found.targets[0].x, model.asked) == ("lite", 50, 0)


@pytest.mark.parametrize(
    "read",
    [
        answer(reason="Nothing that reads or looks like “Save” is seen."),
        answer(target(50, 50, 0.5, "text"), target(90, 50, 0.5, "text"), ambiguous=True),
        answer(target(50, 50, 0.6, "text")),
        answer(target(50, 50, 0.95, "icon")),
    ],
    ids=["nothing", "several", "similar", "a picture"],
)
def test_the_rest_is_asked_of_the_model(read: Answer) -> None:
    model = Says(MODEL_SAYS)
    found = ask(read, model)
    assert (found.engine, found.targets[0].x, model.asked) == ("holotron", 300, 1)


def test_of_several_that_were_read_the_model_chooses_one_by_its_own_box() -> None:
    read = answer(target(50, 50, 0.5, "text"), target(305, 104, 0.5, "text"), ambiguous=True, reason="2 places fit")
    found = ask(read, Says(MODEL_SAYS))
    assert (found.engine, found.ambiguous, found.reason) == ("holotron", False, "")
    assert [(t.x, t.y, t.source) for t in found.targets] == [(305, 104, "model"), (50, 50, "text")]


def test_when_the_model_finds_nothing_what_was_read_stands() -> None:
    read = answer(target(50, 50, 0.6, "text"))
    assert ask(read, Says(answer(engine="holotron", reason="unsure"))).targets == read.targets


def test_when_neither_finds_it_the_model_says_why() -> None:
    found = ask(answer(reason="nothing read"), Says(answer(engine="holotron", reason="unsure")))
    assert (found.found, found.engine, found.reason) == (False, "holotron", "unsure")


def test_a_model_that_cannot_answer_leaves_what_was_read_and_says_why() -> None:
    read = answer(target(50, 50, 0.6, "text"))
    found = ask(read, Says(FAILS))
    assert (found.engine, found.targets, found.reason) == ("lite", read.targets, "The context is full.")


def test_a_question_that_was_cancelled_is_not_answered_by_reading() -> None:
    engine = AutoEngine(Says(answer()), Says(ModelError("Cancelled.", "Ask again.")))
    with pytest.raises(ModelError):
        engine.find(FRAME, Query("Save"), stopped=lambda: True)


def test_looking_ahead_lets_both_look() -> None:
    model = Says(MODEL_SAYS)
    AutoEngine(Says(answer()), model).prefill(FRAME)
    assert model.looked == 1


def test_a_model_that_cannot_look_does_not_keep_others_from_looking() -> None:
    model = Says(FAILS)
    engine = AutoEngine(Says(answer(target(50, 50, 0.98, "text"))), model)
    engine.prefill(FRAME)
    assert model.looked == 1
    assert engine.find(FRAME, Query("Save")).found


def test_a_look_ahead_that_was_stopped_has_not_looked() -> None:
    with pytest.raises(ModelError):
        AutoEngine(Says(answer()), Says(FAILS)).prefill(FRAME, stopped=lambda: True)


@pytest.mark.parametrize("read", [(0.9, 0.3), (0.3, 0.9), (0.5, 0.5)])
@pytest.mark.parametrize("said", [(0.4, 0.1), (0.02, 0.02), (1.0, 0.0)])
def test_what_the_model_chose_comes_first_and_nothing_else_is_surer(
    read: tuple[float, float], said: tuple[float, float]
) -> None:
    """Of two that were read, the model chooses the second."""
    places = target(50, 50, read[0], "text"), target(300, 100, read[1], "icon")
    chosen = target(300, 100, said[0], "model"), target(200, 160, said[1], "model")
    found = ask(answer(*places, ambiguous=True), Says(answer(*chosen, engine="holotron")))
    first, *others = [(t.x, t.y) for t in found.targets]
    assert (first, sorted(others)) == ((300, 100), [(50, 50), (200, 160)])
    sure = [t.confidence for t in found.targets]
    assert sure[0] == max(read[1], said[0])
    assert sure == sorted(sure, reverse=True)


def test_the_conversation_is_the_models_and_learns_what_the_model_did_not_say() -> None:
    exact, similar = answer(target(50, 50, 0.98, "text")), answer(target(50, 50, 0.6, "text"))
    near, silent = answer(target(302, 98, 0.6, "text")), answer(engine="holotron", reason="unsure")
    both = joined(near, MODEL_SAYS)
    for read, model, recalled, standing in (
        (exact, Says(MODEL_SAYS), [exact], "before"),
        (similar, Says(MODEL_SAYS), [], "after"),
        (similar, Says(FAILS), [similar], "before"),
        (similar, Says(silent), [similar], "before"),
        (answer(), Says(silent), [], "before"),
        (near, Says(MODEL_SAYS), [both], "before"),
    ):
        engine = AutoEngine(Says(read), model)
        conversation = engine.converse()
        assert conversation is model
        engine.find(FRAME, Query("Save"), conversation=conversation)
        told = [(words, timeless(answer)) for words, answer in model.recalled]
        assert told == [("Save", timeless(answer)) for answer in recalled]
        assert model.standing == standing
        assert not model.asked or model.conversation is conversation


def test_what_is_to_be_known_of_the_model_is_told() -> None:
    assert AutoEngine(Says(answer()), Says(MODEL_SAYS)).warnings == ("0 of 62 layers of the model are on the GPU.",)
