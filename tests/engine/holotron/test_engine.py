"""The engine on a tiny random model: it answers nonsense, but by the same path as a real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fingerpost.engine.holotron import engine as holotron
from fingerpost.engine.holotron.answers import Reading
from fingerpost.engine.holotron.engine import AS_LIKELY, HolotronEngine
from fingerpost.engine.holotron.llama import ContextFullError, StoppedError
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.holotron.segments import length
from fingerpost.engine.holotron.tiles import Grid
from fingerpost.engine.lite.scene import Element, Scene, TextLine
from fingerpost.engine.values import Answer, Box, Frame, Query

SAVE = Query("the Save button")


def noise(seed: int, width: int = 256, height: int = 128) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 255, (height, width, 4), np.uint8))


@pytest.fixture
def engine(runtime: Runtime) -> HolotronEngine:
    return HolotronEngine(runtime, least_sure=0.0)


def places(answer: Answer) -> list[tuple[int, int, float]]:
    return [(target.x, target.y, target.confidence) for target in answer.targets]


def test_an_answer_has_up_to_five_places_on_the_frame_best_first(engine: HolotronEngine) -> None:
    answer = engine.find(noise(1), SAVE)
    assert (answer.found, answer.engine) == (True, "holotron")
    assert 1 <= len(answer.targets) <= 5
    for target in answer.targets:
        assert target.box.contains(target.x, target.y)
        assert target.source == "model"
        assert 0 < target.confidence <= 1
    sure = [target.confidence for target in answer.targets]
    assert sure == sorted(sure, reverse=True)
    assert sum(target.confidence for target in answer.targets) <= 1.001


def test_the_same_question_has_the_same_answer_whatever_was_asked_between(engine: HolotronEngine) -> None:
    first = engine.find(noise(1), SAVE)
    engine.find(noise(1), Query("the menu File"))
    engine.find(noise(2), SAVE)
    engine.prefill(noise(3))
    assert places(engine.find(noise(1), SAVE)) == places(first)


def test_after_looking_ahead_a_question_costs_itself_and_its_answer(engine: HolotronEngine) -> None:
    frame = noise(4)
    engine.prefill(frame)
    runtime = engine.runtime
    encoded, before = runtime.vision.encoded, runtime.cache.statistics.tokens_evaluated
    engine.find(frame, SAVE)
    assert runtime.vision.encoded == encoded
    question = runtime.prompt.target(SAVE.text).length
    assert runtime.cache.statistics.tokens_evaluated - before < question + 13 * 64


def test_looking_ahead_twice_costs_nothing(engine: HolotronEngine) -> None:
    frame = noise(5)
    engine.prefill(frame)
    before = engine.runtime.cache.statistics.tokens_evaluated
    engine.prefill(frame)
    assert engine.runtime.cache.statistics.tokens_evaluated == before


def test_looking_ahead_stops_within_a_tile_and_goes_on_from_there(engine: HolotronEngine) -> None:
    frame, runtime = noise(6, 256, 192), engine.runtime
    asked = iter(range(100))
    with pytest.raises(StoppedError):
        engine.prefill(frame, stopped=lambda: next(asked) >= 6)
    done = runtime.cache.statistics.tokens_evaluated
    engine.prefill(frame)
    whole = length(runtime.prompt.screen(runtime.tiles.start_screen(()), Grid(1, 1).size))
    tiles = 13 * runtime.vision.tokens
    assert 0 < done < whole + tiles
    assert runtime.cache.statistics.tokens_evaluated <= whole + tiles + runtime.vision.tokens


def test_a_look_ahead_that_is_stopped_encodes_no_further_tile_and_reads_nothing(runtime: Runtime) -> None:
    sight = Painted()
    engine, frame = HolotronEngine(runtime, sight), noise(15, 256, 192)
    for tiles in (0, 1, 4):
        encoded = runtime.vision.encoded
        with pytest.raises(StoppedError):
            engine.prefill(frame, stopped=lambda limit=encoded + tiles: runtime.vision.encoded >= limit)
        assert runtime.vision.encoded - encoded == tiles
    assert sight.looks == 0
    engine.prefill(frame)
    assert (runtime.vision.encoded, sight.looks) == (13, 1)


def test_a_question_that_is_stopped_while_it_is_answered_writes_no_further_token(engine: HolotronEngine) -> None:
    frame, statistics = noise(16), engine.runtime.cache.statistics
    engine.prefill(frame)
    question = engine.runtime.prompt.target(SAVE.text).length
    limit = statistics.tokens_evaluated + question + 3
    with pytest.raises(StoppedError):
        engine.find(frame, SAVE, stopped=lambda: statistics.tokens_evaluated >= limit)
    assert statistics.tokens_evaluated == limit
    assert engine.find(frame, SAVE).found


def test_of_a_changed_screen_only_the_changed_tile_and_the_thumbnail_are_encoded(engine: HolotronEngine) -> None:
    before = noise(7, 256, 128)
    engine.prefill(before)
    pixels = before.pixels.copy()
    pixels[80:90, 140:150] = 255 - pixels[80:90, 140:150]
    encoded = engine.runtime.vision.encoded
    evaluated = engine.runtime.cache.statistics.tokens_evaluated
    engine.prefill(Frame(pixels))
    assert engine.runtime.vision.encoded - encoded == 2
    tail = engine.runtime.prompt.screen((), Grid(4, 2, 64).size)[-1].length
    assert engine.runtime.cache.statistics.tokens_evaluated - evaluated == 3 * engine.runtime.vision.tokens + tail


@pytest.mark.parametrize(("states", "saved"), [(2, 2), (8, 4), (12, 6), (30, 11)])
def test_of_large_states_fewer_are_saved_and_a_changed_screen_goes_on_from_the_nearest(
    weights: Path, states: int, saved: int
) -> None:
    measured = Runtime(Options(weights, n_ctx=512))
    state_bytes = measured.state_bytes
    measured.close()
    runtime = Runtime(Options(weights, n_ctx=2048, host_budget=states * (state_bytes + 4096)))
    engine, before = HolotronEngine(runtime, least_sure=0.0), noise(17, 256, 128)
    engine.prefill(before)
    assert runtime.cache.host_bytes // state_bytes == saved
    pixels = before.pixels.copy()
    pixels[80:90, 140:150] = 255 - pixels[80:90, 140:150]  # on the seventh tile
    evaluated = runtime.cache.statistics.tokens_evaluated
    engine.prefill(Frame(pixels))
    tail = runtime.prompt.screen((), Grid(4, 2, 64).size)[-1].length
    tiles = (runtime.cache.statistics.tokens_evaluated - evaluated - tail) / runtime.vision.tokens
    step = -(-10 // max(1, saved - 1))
    assert tiles == 3 + 6 % step
    runtime.close()


def test_a_screen_that_does_not_fit_is_one_sentence_and_the_engine_goes_on(weights: Path) -> None:
    runtime = Runtime(Options(weights, n_ctx=300))
    engine = HolotronEngine(runtime, least_sure=0.0)
    with pytest.raises(ContextFullError, match="300") as caught:
        engine.find(noise(1), SAVE)
    assert caught.value.hint
    assert caught.value.message.count(".") == 1
    runtime.close()


class Painted:
    """Sees one large button in the middle, or whatever it is given."""

    def __init__(self, *elements: Element, lines: tuple[TextLine, ...] = ()) -> None:
        self.elements = elements
        self.lines = lines
        self.looks = 0

    def see(self, frame: Frame) -> Scene:
        self.looks += 1
        return Scene(frame.size, self.lines, self.elements, (), 1.0)


def test_a_place_takes_the_box_the_name_and_the_kind_of_what_is_under_it(runtime: Runtime) -> None:
    frame = noise(8)
    spot = HolotronEngine(runtime, least_sure=0.0).find(frame, SAVE).targets[0]
    box = Box(spot.x - 30, spot.y - 10, 60, 20).intersection(frame.box)
    line = TextLine("Save all", Box(box.x + 2, box.y + 2, 20, 10).intersection(box), 0.9, ())
    answer = HolotronEngine(runtime, Painted(Element(box, "button", 0.9), lines=(line,)), 0.0).find(frame, SAVE)
    best = answer.targets[0]
    assert (best.box, best.kind, best.label) == (box, "button", "Save all")
    assert (best.x, best.y) == (spot.x, spot.y)


def test_looking_ahead_also_sees_what_places_will_be_snapped_to(runtime: Runtime) -> None:
    sight = Painted()
    HolotronEngine(runtime, sight).prefill(noise(14))
    assert sight.looks == 1


def test_a_model_that_is_not_sure_has_not_found_it(runtime: Runtime) -> None:
    answer = HolotronEngine(runtime, least_sure=1.1).find(noise(1), SAVE)
    assert not answer.found
    assert answer.targets == ()
    assert "the Save button" in answer.reason


@pytest.fixture
def chatty(weights: Path) -> Iterator[HolotronEngine]:
    """A model that nothing holds to the form, and this one says only nonsense."""
    from fingerpost.engine.holotron.header import read_header
    from fingerpost.engine.holotron.runtime import find_profile

    profile = find_profile(weights, read_header(weights))
    free = replace(profile, localization=replace(profile.localization, grammar=False))
    runtime = Runtime(Options(weights, n_ctx=2048, profile=free))
    yield HolotronEngine(runtime)
    runtime.close()


def test_an_answer_without_a_place_is_not_found_with_what_was_said(chatty: HolotronEngine) -> None:
    answer = chatty.find(noise(1), SAVE)
    assert not answer.found
    assert answer.reason.startswith("The model answered")


@pytest.mark.parametrize("surest", [0.3, 0.8, 1.0])
def test_a_place_is_never_surer_than_its_profile_allows(
    chatty: HolotronEngine, monkeypatch: pytest.MonkeyPatch, surest: float
) -> None:
    """Held to a form and not."""
    monkeypatch.setattr(holotron, "free_text", lambda *_: '{"x": 500, "y": 500}')
    monkeypatch.setattr(holotron, "answers", lambda *_, **__: [reading(0.5, 0.5, 0.99)])
    for grammar in (True, False):
        asking = replace(chatty.runtime.profile.localization, grammar=grammar, surest=surest)
        monkeypatch.setattr(chatty.runtime, "profile", replace(chatty.runtime.profile, localization=asking))
        assert chatty.find(noise(1), SAVE).targets[0].confidence == min(surest, 0.99 if grammar else 1.0)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"x": 1001, "y": 7}', "1001,7"),
        ('{"x": 7, "y": 1200.5}', "7,1200.5"),
        ("Click(-3, 12)", "-3,12"),
        ("x=5, y=-1", "5,-1"),
    ],
)
def test_a_place_outside_of_the_picture_is_not_found_and_said_so(
    chatty: HolotronEngine, monkeypatch: pytest.MonkeyPatch, text: str, place: str
) -> None:
    monkeypatch.setattr(holotron, "free_text", lambda *_: text)
    talk = chatty.converse()
    answer = chatty.find(noise(1), SAVE, conversation=talk)
    assert (answer.found, answer.targets) == (False, ())
    assert answer.reason == f"The model answered {place}, outside of the picture."
    assert talk.turns == 0


@pytest.mark.parametrize(("text", "pixel"), [("(0, 0)", (0, 0)), ("(1000, 1000)", (255, 127))])
def test_the_ends_of_the_range_are_places(
    chatty: HolotronEngine, monkeypatch: pytest.MonkeyPatch, text: str, pixel: tuple[int, int]
) -> None:
    monkeypatch.setattr(holotron, "free_text", lambda *_: text)
    (target,) = chatty.find(noise(1), SAVE).targets
    assert (target.x, target.y) == pixel


def test_a_large_screen_is_looked_at_again_pixel_for_pixel(engine: HolotronEngine) -> None:
    small, large = noise(9, 256, 128), noise(9, 1024, 512)
    encoded = engine.runtime.vision.encoded
    engine.find(small, SAVE)
    assert engine.runtime.vision.encoded - encoded == 9
    encoded = engine.runtime.vision.encoded
    answer = engine.find(large, SAVE)
    assert engine.runtime.vision.encoded - encoded == 9 + 3
    assert answer.targets[0].box.contains(answer.targets[0].x, answer.targets[0].y)


Say = Callable[[list[Reading], Reading], None]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> Say:
    """Lets the model say this of the whole screen, and that of what it sees from near."""

    def say(far: list[Reading], near: Reading) -> None:
        monkeypatch.setattr(holotron, "answers", lambda *_, most=None, fine=0.0: [near] if most == 1 else far)

    return say


def reading(x: float, y: float, confidence: float) -> Reading:
    return Reading("", x, y, confidence, (1, 2, 3))


@pytest.mark.parametrize("near", [0.1, 0.5, 1.0])
@pytest.mark.parametrize(
    ("far", "ambiguous"), [((0.55, 0.3), False), ((0.55, 0.4), True), ((0.1, 0.05), False), ((0.1, 0.1), True)]
)
def test_a_second_look_moves_the_best_place_and_makes_nothing_surer(
    engine: HolotronEngine, say: Say, far: tuple[float, float], near: float, ambiguous: bool
) -> None:
    say([reading(0.5, 0.5, far[0]), reading(0.1, 0.1, far[1])], reading(0.6, 0.5, near))
    answer = engine.find(noise(9, 1024, 512), SAVE)
    kept = min(far[0], near) / far[0]
    assert [target.confidence for target in answer.targets] == pytest.approx([far[0] * kept, far[1] * kept])
    assert answer.ambiguous == ambiguous
    assert (answer.targets[0].x != 512) == (near >= AS_LIKELY * far[0])


def test_a_place_that_a_second_look_moves_onto_another_ones_thing_is_that_thing_once(
    runtime: Runtime, say: Say
) -> None:
    button = Box(530, 246, 30, 20)
    say([reading(0.5, 0.5, 0.5), reading(535 / 1024, 0.5, 0.4)], reading(0.75, 0.5, 0.9))
    answer = HolotronEngine(runtime, Painted(Element(button, "button", 0.9))).find(noise(9, 1024, 512), SAVE)
    assert [target.box for target in answer.targets] == [button]
    assert not answer.ambiguous


def test_a_conversation_is_only_added_to_until_it_is_full_and_then_keeps_the_last_turns(weights: Path) -> None:
    runtime = Runtime(Options(weights, n_ctx=1500))
    engine = HolotronEngine(runtime, least_sure=0.0)
    talk = engine.converse()
    first, second = noise(10), noise(11)
    engine.find(first, SAVE, conversation=talk)
    before = runtime.cache.statistics.tokens_evaluated
    engine.find(first, Query("and the one next to it"), conversation=talk)
    assert talk.turns == 2
    assert runtime.cache.statistics.tokens_evaluated - before < 1000
    turns = 2
    while talk.restarts == 0:
        engine.find(second, Query("the other one"), conversation=talk)
        turns += 1
        assert turns < 20
    assert talk.turns <= 3
    assert engine.find(second, SAVE, conversation=talk).targets
    runtime.close()


def test_what_was_said_before_changes_what_is_answered_and_nothing_else_does(engine: HolotronEngine) -> None:
    def two_turns() -> list[tuple[int, int, float]]:
        talk = engine.converse()
        engine.find(noise(12), SAVE, conversation=talk)
        return places(engine.find(noise(12), Query("the other one"), conversation=talk))

    first = two_turns()
    engine.find(noise(13), SAVE)
    assert two_turns() == first
    assert places(engine.find(noise(12), Query("the other one"))) != first
