"""The engine by its name, in this process and in one of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest

from fingerpost.engine import finder
from fingerpost.engine.auto import AutoEngine
from fingerpost.engine.errors import EngineError, FingerpostError, ModelError
from fingerpost.engine.finder import make_engine
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.loading import CONTEXT, FLASH_ATTENTION, KV_TYPE, HolotronWarning, options
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.process import Answered, EngineProcess, Event, Failed, Loading, Ready, Seen
from fingerpost.engine.process.inbox import Inbox
from fingerpost.engine.process.messages import DropFrame, Find, TakeFrame
from fingerpost.engine.values import Frame, Query

PATIENCE_S = 60.0


def noise(seed: int) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 255, (64, 128, 4), np.uint8))


def test_without_a_model_auto_is_lite() -> None:
    assert isinstance(make_engine("auto"), LiteEngine)


@pytest.mark.filterwarnings("ignore::fingerpost.engine.holotron.loading.HolotronWarning")
def test_with_a_model_auto_reads_first_and_holotron_does_not(weights: Path) -> None:
    auto, holotron = make_engine(f"auto:{weights}"), make_engine(f"holotron:{weights}")
    assert isinstance(auto, AutoEngine)
    assert isinstance(holotron, HolotronEngine)
    assert holotron.see(noise(1)).size == noise(1).size


def test_what_is_to_be_known_of_a_model_is_a_warning(weights: Path) -> None:
    with pytest.warns(HolotronWarning, match="calibrate"), pytest.warns(HolotronWarning, match="layers"):
        engine = make_engine(f"auto:{weights}")
    assert isinstance(engine, AutoEngine)
    assert any("layers" in warning for warning in engine.warnings)


def test_holotron_without_a_model_says_how_to_name_one() -> None:
    with pytest.raises(EngineError) as caught:
        make_engine("holotron")
    assert "holotron:" in caught.value.hint


def test_a_model_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        make_engine(f"auto:{tmp_path / 'none.gguf'}")


def test_without_llama_cpp_the_command_that_installs_it_is_named(
    weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_spec(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(finder, "find_spec", find_spec)
    with pytest.raises(EngineError) as caught:
        make_engine(f"auto:{weights}")
    assert "pip install" in caught.value.hint


def test_the_environment_may_choose_context_attention_and_how_keys_are_stored(weights: Path) -> None:
    usual = options(weights, 2, False, {})
    assert (usual.flash_attention, usual.kv_type, usual.threads, usual.gpu_layers) == (False, "f16", 2, 0)
    chosen = options(weights, 2, False, {FLASH_ATTENTION: "1", KV_TYPE: "q8_0", CONTEXT: "1024"})
    assert chosen == replace(usual, flash_attention=True, kv_type="q8_0", n_ctx=1024)
    assert options(weights, 2, False, dict.fromkeys((FLASH_ATTENTION, KV_TYPE, CONTEXT), "")) == usual


@pytest.mark.filterwarnings("ignore::fingerpost.engine.holotron.loading.HolotronWarning")
def test_an_engine_by_its_name_lives_by_the_environment(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ((FLASH_ATTENTION, "1"), (KV_TYPE, "q8_0"), (CONTEXT, "1024")):
        monkeypatch.setenv(name, value)
    engine = make_engine(f"holotron:{weights}")
    assert isinstance(engine, HolotronEngine)
    assert engine.runtime.context.options.kv_type == "q8_0"
    assert engine.find(noise(3), Query("the Save button")).engine == "holotron"
    engine.close()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((CONTEXT, value) for value in ("many", "-1", "0", "1", "2", "255", "1e4", "9" * 20, "9" * 5000)),
        *((FLASH_ATTENTION, value) for value in ("yes", "2", " ")),
        *((KV_TYPE, value) for value in ("q3", "q8_0", "Q8_0")),
    ],
)
def test_an_environment_that_makes_no_sense_is_one_sentence(
    weights: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(FingerpostError) as caught:
        make_engine(f"holotron:{weights}")
    assert caught.value.message.count(".") == 1
    assert caught.value.hint.endswith(".")


class Listener:
    """Collects events; `wait` waits for the first of a kind."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._arrived = threading.Condition()

    def __call__(self, event: Event) -> None:
        with self._arrived:
            self.events.append(event)
            self._arrived.notify_all()

    def wait(self, *kinds: type) -> Event:
        def found() -> Event | None:
            return next((event for event in self.events if isinstance(event, kinds)), None)

        with self._arrived:
            assert self._arrived.wait_for(lambda: found() is not None, PATIENCE_S), self.events
            event = found()
            assert event is not None
            return event


@pytest.fixture
def started(weights: Path, request: pytest.FixtureRequest) -> Iterator[tuple[EngineProcess, Listener]]:
    listener = Listener()
    process = EngineProcess(listener, getattr(request, "param", f"holotron:{weights}"), 1)
    process.start()
    yield process, listener
    process.close()


def test_in_a_process_of_its_own_it_looks_ahead_and_then_answers(started: tuple[EngineProcess, Listener]) -> None:
    process, listener = started
    frame_id = process.look(noise(2))
    seen = listener.wait(Seen, Failed)
    assert isinstance(seen, Seen)
    request = process.find(frame_id, "the Save button")
    answered = listener.wait(Answered, Failed)
    assert isinstance(answered, Answered)
    assert (answered.request, answered.answer.engine) == (request, "holotron")


@pytest.mark.parametrize("started", ["holotron:none.gguf"], indirect=True)
def test_a_process_whose_model_is_missing_says_so(started: tuple[EngineProcess, Listener]) -> None:
    failed = started[1].wait(Failed)
    assert isinstance(failed, Failed)
    assert "none.gguf" in failed.message


def frame_taken(frame_id: int) -> TakeFrame:
    return TakeFrame(frame_id, noise(1), noise(1).pixels, (), True)


def test_looking_ahead_is_given_up_for_another_screen_and_when_the_palette_closes_but_not_for_a_question() -> None:
    inbox = Inbox()
    inbox.put(frame_taken(1), noise(1))
    inbox.next()
    assert not inbox.is_left(1)
    inbox.put(Find(1, 1, "Save", 0, False))
    assert not inbox.is_left(1)
    inbox.put(frame_taken(2), noise(2))
    assert inbox.is_left(1)
    inbox.put(DropFrame(2))
    assert not inbox.is_left(1)
    inbox.put(DropFrame(1))
    assert inbox.is_left(1)


def test_a_process_tells_how_much_of_a_model_is_loaded(weights: Path) -> None:
    events: list[Event] = []
    ready = threading.Event()

    def listen(event: Event) -> None:
        events.append(event)
        if isinstance(event, Ready):
            ready.set()

    process = EngineProcess(listen, f"holotron:{weights}")
    process.start()
    try:
        assert ready.wait(PATIENCE_S)
    finally:
        process.close()
    shares = [event.share for event in events if isinstance(event, Loading)]
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert shares[-1] <= 1
