"""A session with a model that converses: what was said before counts, however it was answered."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.auto import AutoEngine
from fingerpost.engine.geometry import ModelPoint, model_to_frame
from fingerpost.engine.holotron import engine as holotron
from fingerpost.engine.holotron.answers import Reading
from fingerpost.engine.holotron.conversation import ANSWER, Conversation
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.grammar import Form, Number
from fingerpost.engine.holotron.llama import StoppedError
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.holotron.segments import Text, length
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.process import Answered, EngineProcess, Event, Ready, Restarted
from fingerpost.engine.session import Session
from fingerpost.engine.values import Answer, Box, Frame, FrameSize, Query, Target
from fingerpost.models.profiles.answer import AnswerForm

JSON = AnswerForm.of('{"x": {x}, "y": {y}}')
SAVE, OPEN = Query("the Save button"), Query("the button Open")
FOLLOW_UP = Query("and the one for saving a copy")

Places = list[tuple[int, int, float]]


def noise(seed: int, width: int = 128, height: int = 64) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 255, (height, width, 4), np.uint8))


def places(answer: Answer) -> Places:
    return [(target.x, target.y, target.confidence) for target in answer.targets]


@pytest.fixture(scope="module")
def engine(weights: Path) -> Iterator[HolotronEngine]:
    runtime = Runtime(Options(weights, n_ctx=2048))
    yield HolotronEngine(runtime, least_sure=0.0)
    runtime.close()


def talk(engine: HolotronEngine | AutoEngine, frame: Frame, *queries: Query) -> list[Places]:
    session = Session()
    return [places(session.find(engine, frame, query)) for query in queries]


def test_a_follow_up_is_asked_as_the_next_turn_of_the_conversation(engine: HolotronEngine) -> None:
    frame = noise(1)
    conversation = engine.converse()
    engine.find(frame, SAVE, conversation=conversation)
    expected = places(engine.find(frame, FOLLOW_UP, conversation=conversation))
    said = talk(engine, frame, SAVE, FOLLOW_UP)
    assert said == [places(engine.find(frame, SAVE)), expected]
    assert said[1] != places(engine.find(frame, FOLLOW_UP))


def test_a_follow_up_costs_itself_and_its_answer(engine: HolotronEngine) -> None:
    frame, session = noise(2), Session()
    session.find(engine, frame, SAVE)
    statistics, encoded = engine.runtime.cache.statistics, engine.runtime.vision.encoded
    before = statistics.tokens_evaluated
    one = HolotronEngine(engine.runtime, least_sure=0.0, most=1)
    session.find(one, frame, FOLLOW_UP)
    prompt = engine.runtime.prompt
    size = engine.runtime.viewer.sent(frame.size)
    question = prompt.next_question(size)[0].length + prompt.target(FOLLOW_UP.text).length
    assert question < statistics.tokens_evaluated - before < question + 3 * 64
    assert engine.runtime.vision.encoded - encoded <= 4  # the nearer look


def test_a_line_in_the_making_follows_what_was_said_and_does_not_stay(engine: HolotronEngine) -> None:
    frame, session = noise(3), Session()
    session.find(engine, frame, SAVE)
    for end in (8, 20):
        session.find(engine, frame, Query(FOLLOW_UP.text[:end]), typing=True)
    typed = session.find(engine, frame, FOLLOW_UP, typing=True)
    assert places(typed) == talk(engine, frame, SAVE, FOLLOW_UP)[1]
    assert places(typed) != places(engine.find(frame, FOLLOW_UP))


@pytest.mark.parametrize("acted", [False, True])
def test_an_answer_that_was_acted_on_is_followed_and_one_that_was_not_is_typed_over(
    engine: HolotronEngine, acted: bool
) -> None:
    frame, session, longer = noise(10), Session(), Query(f"{SAVE.text} below")
    session.find(engine, frame, SAVE, typing=True)
    before = engine.runtime.cache.statistics.tokens_evaluated
    if acted:
        session.settle(SAVE.text)
    assert engine.runtime.cache.statistics.tokens_evaluated == before
    said = places(session.find(engine, frame, longer, typing=True))
    assert said == (talk(engine, frame, SAVE, longer)[1] if acted else places(engine.find(frame, longer)))


def test_a_follow_up_on_a_new_screen_costs_itself_and_what_was_said(engine: HolotronEngine) -> None:
    first, second, session = noise(11), noise(12), Session()
    one = HolotronEngine(engine.runtime, least_sure=0.0, most=1)
    session.find(one, first, SAVE)
    one.prefill(second)
    statistics, vision = engine.runtime.cache.statistics, engine.runtime.vision
    tokens, encoded = statistics.tokens_evaluated, vision.encoded
    conversation = session._continued(one, list(session.turns))
    path = conversation.ask(one._look(second).pictures, engine.runtime.viewer.sent(second.size), FOLLOW_UP.text)
    said = length(path) - length(one._look(second).path)
    one.runtime.cache.evaluate(path)
    assert statistics.tokens_evaluated - tokens == said
    assert vision.encoded == encoded
    kept = engine.runtime.cache.evaluate(path)
    engine.runtime.cache.clear()
    assert np.array_equal(kept, engine.runtime.cache.evaluate(path))


def test_while_a_follow_up_is_typed_only_the_line_is_evaluated(engine: HolotronEngine) -> None:
    """What was said before it is evaluated once for all forms of the line."""
    frame, session = noise(13), Session()
    one = HolotronEngine(engine.runtime, least_sure=1.1, most=1)  # no second look
    told = HolotronEngine(engine.runtime, least_sure=0.0, most=1)
    session.find(told, noise(14), SAVE)
    statistics, prompt = engine.runtime.cache.statistics, engine.runtime.prompt
    session.find(one, frame, Query("and the"), typing=True)
    for text in ("and the one for", "and the one for saving"):
        before = statistics.tokens_evaluated
        session.find(one, frame, Query(text), typing=True)
        assert statistics.tokens_evaluated - before <= prompt.target(text).length + ANSWER


def test_an_answer_that_nobody_waited_for_is_forgotten(engine: HolotronEngine) -> None:
    frame, session = noise(4), Session()
    session.ask(engine, frame, OPEN)
    assert places(session.find(engine, frame, SAVE)) == places(engine.find(frame, SAVE))


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9, 1.0])
def test_a_question_that_was_stopped_at_any_time_was_never_said(engine: HolotronEngine, share: float) -> None:
    frame, conversation = noise(17, 512, 256), engine.converse()
    times = 0

    def stopped() -> bool:
        nonlocal times
        times += 1
        return times > last

    last = sys.maxsize
    engine.find(frame, OPEN, (), stopped)
    last, times = round(share * (times - 1)), 0
    before = conversation.standing
    with pytest.raises(StoppedError):
        engine.find(frame, OPEN, (), stopped, conversation)
    assert conversation.standing is before
    assert places(engine.find(frame, SAVE, conversation=conversation)) == places(engine.find(frame, SAVE))


def test_what_was_chosen_by_words_is_known_to_the_model(engine: HolotronEngine) -> None:
    frame, session = noise(5), Session()
    first = session.find(engine, frame, SAVE)
    chosen = session.find(engine, frame, Query("the other one"))
    assert chosen.targets[0] != first.targets[0]
    conversation = engine.converse()
    engine.find(frame, SAVE, conversation=conversation)
    conversation.recall("the other one", chosen)
    expected = engine.find(frame, FOLLOW_UP, conversation=conversation)
    assert places(session.find(engine, frame, FOLLOW_UP)) == places(expected)


def test_a_session_of_earlier_turns_tells_them_to_the_model(engine: HolotronEngine) -> None:
    frame, session = noise(6), Session()
    first = session.find(engine, frame, SAVE)
    conversation = engine.converse()
    conversation.recall(SAVE.text, first)
    expected = places(engine.find(frame, FOLLOW_UP, conversation=conversation))
    assert places(Session(session.turns).find(engine, frame, FOLLOW_UP)) == expected
    assert expected != places(engine.find(frame, FOLLOW_UP))


@pytest.mark.parametrize(
    ("texts", "meant"),
    [
        (["the S", "the Sa", SAVE.text], [SAVE.text]),
        (["the Sb", "the S", SAVE.text], [SAVE.text]),
        ([SAVE.text, "the", "the ot", "the other one"], [SAVE.text, "the other one"]),
        ([SAVE.text, "the b", "the butto", OPEN.text], [SAVE.text, OPEN.text]),
    ],
)
@pytest.mark.parametrize("earlier", [False, True])
def test_the_model_is_told_what_was_meant_and_nothing_that_was_typed_on_the_way(
    engine: HolotronEngine, texts: list[str], meant: list[str], earlier: bool
) -> None:
    """Whether it answered that itself or an earlier process did."""
    frame, session = noise(18), Session()
    for text in texts:
        session.find(engine, frame, Query(text), typing=True)
        if text in meant:
            session.settle(text)
    session = Session(session.turns) if earlier else session
    session.find(engine, frame, FOLLOW_UP, typing=True)
    conversation = session._conversation
    assert conversation is not None
    tokens = [[*said.target.tokens] for said in conversation.standing.said]
    target = engine.runtime.prompt.target
    assert tokens == [[*target(text).tokens] for text in (*meant, FOLLOW_UP.text)]


def test_a_turn_is_recalled_as_the_model_would_have_said_it(engine: HolotronEngine) -> None:
    frame = noise(7)
    target = Target("Save", "button", 64, 16, Box(60, 10, 10, 10), 1.0, "text")
    conversation = engine.converse()
    conversation.recall("nothing", Answer(False, False, "lite", 0.0, frame.size))
    conversation.recall("Save", Answer(True, False, "lite", 0.0, frame.size, (target,)))
    path = conversation.ask((), frame.size, FOLLOW_UP.text)
    tokens = [token for segment in path if isinstance(segment, Text) for token in segment.tokens]
    text = b"".join(engine.runtime.model.piece(token) for token in tokens).decode("latin-1")
    assert conversation.turns == 1
    assert '{"x": 504, "y": 258}' in text
    assert text.index("Save") < text.index("258") < text.index(FOLLOW_UP.text)


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from([Number(1000), Number(1, 4), Number(511)]))
def test_a_place_is_written_in_the_form_and_read_back(x: float, y: float, number: Number) -> None:
    form = Form(number, number, JSON)
    text = form.written(x, y)
    assert form.matches(text)
    near = 0.51 * 10.0**-number.decimals
    assert form.point(text) == (pytest.approx(x * number.most, abs=near), pytest.approx(y * number.most, abs=near))


@settings(deadline=None)
@given(st.integers(1, 5000), st.integers(1, 5000), st.data())
def test_a_turn_is_recalled_with_the_very_pixel_or_with_what_the_model_said(
    engine: HolotronEngine, width: int, height: int, data: st.DataObject
) -> None:
    """On a small frame the pixel is the coarser of the two, on a large one the model's thousandths are."""
    conversation, form, most = engine.converse(), Form(Number(1000), Number(1000), JSON), 1000
    size = FrameSize(width, height)

    def recalled(x: int, y: int) -> tuple[float, float]:
        target = Target("", "place", x, y, Box(x, y, 1, 1), 1.0, "model")
        tokens = conversation.written(Answer(True, False, "holotron", 0.0, size, (target,)))
        return form.point(b"".join(map(engine.runtime.model.piece, tokens)).decode())

    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    left, top = recalled(x, y)
    again = model_to_frame(size, ModelPoint(left, top, most))
    assert width >= most or again.x == x
    assert height >= most or again.y == y
    words = data.draw(st.integers(0, most - 1)), data.draw(st.integers(0, most - 1))
    point = model_to_frame(size, ModelPoint(words[0], words[1], most))
    for said, meant, side in zip(recalled(point.x, point.y), words, (width, height), strict=True):
        assert side <= most or said == meant


def told(engine: HolotronEngine | AutoEngine, frame: Frame, session: Session) -> list[tuple[Text, tuple[int, ...]]]:
    """What the model knows of a session when it is asked the next question."""
    conversation = session._continued(engine, list(session.turns))
    assert isinstance(conversation, Conversation)
    conversation.ask((), frame.size, FOLLOW_UP.text)
    return [(said.target, said.answer) for said in conversation.standing.said]


def reading(x: float, y: float, confidence: float = 0.9) -> Reading:
    return Reading("", x, y, confidence, (1, 2, 3))


@pytest.mark.parametrize("least_sure", [0.05, 0.95])
@pytest.mark.parametrize("near", [(0.25, 0.25), (0.75, 0.5)])
def test_the_model_knows_the_place_that_was_shown_also_after_a_restart(
    engine: HolotronEngine, monkeypatch: pytest.MonkeyPatch, near: tuple[float, float], least_sure: float
) -> None:
    """Not the one that a second look has corrected, and none where it was not sure of any."""
    frame, session = noise(19, 1024, 512), Session()
    asked = HolotronEngine(engine.runtime, least_sure=least_sure)
    monkeypatch.setattr(
        holotron, "answers", lambda *_, most=None, **__: [reading(*(near if most == 1 else (0.5, 0.5)))]
    )
    shown = session.find(asked, frame, SAVE)
    assert shown.found == (least_sure < 0.9)
    expected = told(asked, frame, Session(session.turns))
    assert told(asked, frame, session) == expected
    assert len(expected) == shown.found


class Reads:
    """Finds Save by its letters, and nothing else."""

    def see(self, frame: Frame) -> Scene:
        return Scene(frame.size, (), (), (), 1.0)

    def find(self, frame: Frame, query: Query, accessible: Sequence[AccessibleNode] = ()) -> Answer:
        found = (Target("Save", "button", 64, 16, Box(60, 10, 10, 10), 0.99, "text"),)
        targets = found if query == SAVE else ()
        return Answer(bool(targets), False, "lite", 0.0, frame.size, targets)


def test_what_auto_read_by_itself_is_known_to_the_model(engine: HolotronEngine) -> None:
    auto, frame, session = AutoEngine(Reads(), engine), noise(8), Session()
    read = session.find(auto, frame, SAVE)
    assert read.engine == "lite"
    conversation = engine.converse()
    conversation.recall(SAVE.text, read)
    expected = places(engine.find(frame, FOLLOW_UP, conversation=conversation))
    said = session.find(auto, frame, FOLLOW_UP)
    assert (said.engine, places(said)) == ("holotron", expected)
    assert expected != places(engine.find(frame, FOLLOW_UP))


class Sees(Reads):
    """Finds something like Save, not exactly."""

    def find(self, frame: Frame, query: Query, accessible: Sequence[AccessibleNode] = ()) -> Answer:
        answer = super().find(frame, query)
        return replace(answer, targets=tuple(replace(target, confidence=0.6) for target in answer.targets))


@pytest.mark.parametrize("least_sure", [0.0, 1.1])
@pytest.mark.parametrize("said", [(0.5, 0.27), (0.9, 0.9)])
def test_the_model_knows_the_place_that_auto_has_shown_whoever_found_it(
    engine: HolotronEngine, monkeypatch: pytest.MonkeyPatch, said: tuple[float, float], least_sure: float
) -> None:
    frame, session = noise(20), Session()
    monkeypatch.setattr(holotron, "answers", lambda *_, **__: [reading(*said)])
    auto = AutoEngine(Sees(), HolotronEngine(engine.runtime, least_sure=least_sure))
    shown = session.find(auto, frame, SAVE)
    assert shown.engine == ("lite" if least_sure else "holotron")
    ((_, tokens),) = told(auto, frame, session)
    is_as_said = (shown.targets[0].x, shown.targets[0].y) == (int(said[0] * 128), int(said[1] * 64))
    assert tokens == ((1, 2, 3) if is_as_said else engine.converse().written(shown))


@pytest.fixture
def started(
    weights: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[EngineProcess, Callable[[type[Event]], Event]]]:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    events: SimpleQueue[Event] = SimpleQueue()
    process = EngineProcess(events.put, str(weights), 1, factory="unsure_model:load")

    def wait(kind: type[Event]) -> Event:
        while not isinstance(event := events.get(timeout=60), kind):
            pass
        return event

    process.start()
    yield process, wait
    process.close()


def test_after_a_restart_of_its_process_the_model_still_knows_what_was_said(
    started: tuple[EngineProcess, Callable[[type[Event]], Event]], engine: HolotronEngine
) -> None:
    process, wait = started
    ready = wait(Ready)
    assert isinstance(ready, Ready)
    assert ready.warnings == engine.warnings != ()
    frame = noise(9)
    frame_id = process.look(frame)

    def ask(query: Query, session: int) -> Answer:
        process.find(frame_id, query.text, session, typing=False)
        answered = wait(Answered)
        assert isinstance(answered, Answered)
        return answered.answer

    first = ask(SAVE, 1)
    (child,) = (child for child in active_children() if child.name == "fingerpost-engine")
    os.kill(child.pid or 0, signal.SIGKILL)
    wait(Restarted)
    said = ask(FOLLOW_UP, 1)
    before = Session()
    assert places(before.find(engine, frame, SAVE)) == places(first)
    assert places(said) == places(Session(before.turns).find(engine, frame, FOLLOW_UP))
    assert places(said) != places(ask(FOLLOW_UP, 2))


def test_in_its_process_a_question_that_was_acted_on_is_followed_on_the_next_screen_also_after_a_restart(
    started: tuple[EngineProcess, Callable[[type[Event]], Event]], engine: HolotronEngine
) -> None:
    process, wait = started
    wait(Ready)
    first, second = noise(15), noise(16)
    here = Session()

    def typed(frame_id: int, frame: Frame, *texts: str) -> tuple[Places, Places]:
        """In the process, and in this one."""
        for text in texts:
            process.find(frame_id, text, 1)
            answered = wait(Answered)
            assert isinstance(answered, Answered)
            expected = here.find(engine, frame, Query(text), typing=True)
        return places(answered.answer), places(expected)

    said, expected = typed(process.look(first), first, "the Sa", SAVE.text)
    assert said == expected == places(engine.find(first, SAVE))
    process.settle(1, SAVE.text)
    here.settle(SAVE.text)
    frame_id = process.look(second)
    longer = f"{SAVE.text} below"
    said, expected = typed(frame_id, second, longer)
    assert said == expected != places(engine.find(second, Query(longer)))
    process.settle(1, longer)
    here.settle(longer)
    (child,) = (child for child in active_children() if child.name == "fingerpost-engine")
    os.kill(child.pid or 0, signal.SIGKILL)
    wait(Restarted)
    here = Session(here.turns)
    said, expected = typed(frame_id, second, f"{longer} it")
    assert said == expected != places(engine.find(second, Query(f"{longer} it")))
