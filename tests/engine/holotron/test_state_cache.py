"""The law of the state cache: whatever was asked before, the logits are those of a cold run, bit for bit.

It holds on every kind of memory: a recurrent state beside attention (of Mamba-2 as in Holotron, of Mamba-1 as in
Jamba), attention only, and a recurrent state only.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from fingerpost.engine.holotron.llama import (
    PARTIAL,
    WHOLE,
    Context,
    ContextFullError,
    ContextOptions,
    Embeddings,
    Logits,
    Model,
    StoppedError,
)
from fingerpost.engine.holotron.segments import Path, Picture, Text
from fingerpost.engine.holotron.state_cache import StateCache
from fingerpost.models.gguf.language import write_jamba

OPTIONS = ContextOptions(n_ctx=256, n_batch=64, n_ubatch=64, n_seq_max=4)
TILE_TOKENS = 16
HEAD = Text((1, 10, 30, 31, 32))


def picture(number: int) -> Picture:
    return Picture(bytes([number]), TILE_TOKENS)


def question(number: int) -> Text:
    return Text((15, 40 + number, 41, 42, 11))


def screen(*tiles: int) -> Path:
    return (HEAD, *(picture(tile) for tile in tiles))


class Bench:
    """A cache under test and a second context for cold runs."""

    def __init__(self, model: Model, host_budget: int = 10_000_000) -> None:
        self.model = model
        self.context = Context(model, OPTIONS)
        self.reference = Context(model, OPTIONS)
        self.cache = StateCache(self.context, self.embeddings, host_budget)
        self.embedded = 0

    def embeddings(self, tile: Picture) -> Embeddings:
        self.embedded += 1
        random = np.random.default_rng(tile.digest[0])
        return random.standard_normal((tile.length, self.model.n_embd)).astype(np.float32)

    def cold(self, path: Path) -> Logits:
        self.reference.clear()
        n_past = 0
        for number, segment in enumerate(path):
            items = segment.tokens if isinstance(segment, Text) else self.embeddings(segment)
            n_past = self.reference.decode(items, n_past, 0, want_logits=number == len(path) - 1)
        return self.reference.logits()

    def ask(self, path: Path, **how: object) -> Logits:
        screen_depth = sum(isinstance(segment, Picture) for segment in path) + 1
        return self.cache.evaluate(path, keep=range(1, screen_depth + 1), pin=screen_depth)

    def close(self) -> None:
        self.context.close()
        self.reference.close()


@pytest.fixture
def bench(model: Model) -> Iterator[Bench]:
    made = Bench(model)
    yield made
    made.close()


def same(a: Logits, b: Logits) -> bool:
    return bool(np.array_equal(a, b))


def test_jamba_has_a_state_of_one_size_beside_keys_and_values_that_grow(tmp_path: FilePath) -> None:
    model = Model(write_jamba(tmp_path / "jamba.gguf"))
    assert model.is_hybrid
    assert not model.can_trim
    context = Context(model, OPTIONS)
    sizes = []
    for n_past in (0, 50):
        context.decode([30] * 50, n_past)
        sizes.append((context.state_bytes(0, PARTIAL), context.state_bytes(0, WHOLE)))
    (state, short), (same_state, long) = sizes
    assert state == same_state
    assert short < long
    context.close()
    model.close()


def test_a_second_question_on_the_same_screen_evaluates_the_question_only(bench: Bench) -> None:
    bench.ask((*screen(1, 2, 3), question(1)))
    before = bench.cache.statistics.tokens_evaluated
    warm = bench.ask((*screen(1, 2, 3), question(2)))
    assert bench.cache.statistics.tokens_evaluated - before == question(2).length
    assert same(warm, bench.cold((*screen(1, 2, 3), question(2))))


def test_a_changed_tile_is_resumed_from_there(bench: Bench) -> None:
    bench.ask((*screen(1, 2, 3, 4), question(1)))
    before = bench.cache.statistics.tokens_evaluated
    path = (*screen(1, 2, 9, 4), question(1))
    warm = bench.ask(path)
    expected = 2 * TILE_TOKENS + question(1).length
    if bench.model.is_recurrent or bench.model.is_hybrid or bench.model.can_trim:
        assert bench.cache.statistics.tokens_evaluated - before == expected
    assert same(warm, bench.cold(path))


def test_the_screen_asked_about_last_outlives_all_branches_of_an_answer(bench: Bench) -> None:
    one, other = screen(1, 2), screen(3, 4)
    for number, seen in enumerate((one, other, one)):
        path = (*seen, question(number))
        bench.cache.evaluate(path, pin=len(seen))
    for token in range(50, 58):
        bench.cache.evaluate((*path, Text((token,)), Text((token,))))
    assert bench.cache.holds(one)


def test_turns_are_appended_and_answers_are_kept(bench: Bench) -> None:
    path: Path = (*screen(1, 2), question(1))
    bench.ask(path)
    for token in (50, 51, 52):
        logits = bench.cache.extend(token)
        path = (*path, Text((token,)))
        assert same(logits, bench.cold(path))
    before = bench.cache.statistics.tokens_evaluated
    follow_up = (*path, question(3))
    assert same(bench.ask(follow_up), bench.cold(follow_up))
    assert bench.cache.statistics.tokens_evaluated - before == question(3).length


def test_alternatives_are_forks_that_do_not_disturb_each_other(bench: Bench) -> None:
    path = (*screen(1), question(1))
    bench.ask(path)
    other = bench.cache.fork_current()
    first = bench.cache.extend(60)
    bench.cache.resume(other)
    second = bench.cache.extend(61)
    assert same(first, bench.cold((*path, Text((60,)))))
    assert same(second, bench.cold((*path, Text((61,)))))
    bench.cache.release(other)


def test_a_cancelled_prefill_keeps_what_was_finished(bench: Bench) -> None:
    calls = 0

    def after_three() -> bool:
        nonlocal calls
        calls += 1
        return calls > 6

    path = (*screen(1, 2, 3, 4, 5), question(1))
    with pytest.raises(StoppedError):
        bench.cache.evaluate(path, keep=range(1, 7), stopped=after_three)
    done = bench.cache.statistics.tokens_evaluated
    assert 0 < done < sum(segment.length for segment in path)
    assert same(bench.ask(path), bench.cold(path))
    assert bench.cache.statistics.tokens_evaluated == sum(segment.length for segment in path)


@pytest.mark.parametrize("patience", range(12))
def test_stopped_anywhere_it_goes_no_further_than_the_tile_it_is_at(bench: Bench, patience: int) -> None:
    """Each tile asks twice: before it is encoded, and before it is evaluated."""
    calls = iter(range(100))
    path = (*screen(1, 2, 3, 4, 5), question(1))
    with pytest.raises(StoppedError):
        bench.cache.evaluate(path, stopped=lambda: next(calls) >= patience)
    assert next(calls) == patience + 1
    assert bench.embedded == min(5, max(0, (patience - 1) // 2))
    begun = [HEAD.length, *[TILE_TOKENS] * 5]
    assert bench.cache.statistics.tokens_evaluated == sum(begun[: patience // 2])
    evaluated = bench.cache.statistics.tokens_evaluated
    assert same(bench.cache.evaluate(path), bench.cold(path))
    assert bench.cache.statistics.tokens_evaluated == sum(begun) + question(1).length
    assert evaluated <= sum(begun)


def test_a_full_context_forgets_old_screens_and_goes_on(bench: Bench) -> None:
    for number in range(12):
        path = (*screen(*range(number * 10, number * 10 + 9)), question(number))
        assert same(bench.ask(path), bench.cold(path))
    assert bench.cache.sequences <= OPTIONS.n_seq_max


class Machine(RuleBasedStateMachine):
    """Any order of screens, questions, answers, forks, cancels and evictions."""

    model: Model

    @initialize(budget=st.sampled_from([0, 700_000, 10_000_000]))
    def begin(self, budget: int) -> None:
        self.bench = Bench(self.model, budget)

    @rule(tiles=st.lists(st.integers(0, 3), min_size=1, max_size=4), number=st.integers(0, 3))
    def ask(self, tiles: list[int], number: int) -> None:
        path = (*screen(*tiles), question(number))
        assert same(self.bench.ask(path), self.bench.cold(path))

    @rule(token=st.integers(30, 33))
    def answer(self, token: int) -> None:
        path = self.bench.cache.path
        if path:
            assert same(self.bench.cache.extend(token), self.bench.cold((*path, Text((token,)))))

    @rule(number=st.integers(0, 3))
    def refine(self, number: int) -> None:
        path = (*self.bench.cache.path, question(number))
        assert same(self.bench.cache.evaluate(path), self.bench.cold(path))

    @rule(token=st.integers(30, 33))
    def alternative(self, token: int) -> None:
        path = self.bench.cache.path
        if path:
            fork = self.bench.cache.fork_current()
            self.bench.cache.extend(token + 10)
            self.bench.cache.resume(fork)
            assert same(self.bench.cache.extend(token), self.bench.cold((*path, Text((token,)))))

    @rule(tiles=st.lists(st.integers(0, 3), min_size=1, max_size=4), patience=st.integers(0, 5))
    def prefill_and_cancel(self, tiles: list[int], patience: int) -> None:
        calls = iter(range(100))
        path = (*screen(*tiles), question(0))
        with suppress(StoppedError):
            self.bench.cache.evaluate(path, keep=range(1, 4), stopped=lambda: next(calls) >= patience)

    @invariant()
    def no_sequence_is_lost(self) -> None:
        if hasattr(self, "bench"):
            assert self.bench.cache.sequences <= OPTIONS.n_seq_max
            assert self.bench.cache.host_bytes <= 10_000_000

    def teardown(self) -> None:
        if hasattr(self, "bench"):
            self.bench.close()


def test_whatever_was_asked_before_the_logits_are_those_of_a_cold_run(model: Model) -> None:
    machine = type("Machine", (Machine,), {"model": model})
    chosen = settings(max_examples=12, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(machine, settings=chosen)


@pytest.mark.parametrize("kv_type", ["f16", "q8_0"])
def test_the_law_holds_with_flash_attention_and_keys_and_values_in_few_bits(
    model: Model, kv_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = replace(OPTIONS, flash_attention=True, kv_type=kv_type)
    monkeypatch.setitem(globals(), "OPTIONS", chosen)
    bench = Bench(model)
    assert bench.context.options.kv_type == kv_type
    for number, tiles in enumerate(((1, 2, 3), (1, 9, 3), (1, 2, 3), (4, 5), (1, 9, 3))):
        path = (*screen(*tiles), question(number))
        assert same(bench.ask(path), bench.cold(path))
        assert same(bench.cache.extend(50), bench.cold((*path, Text((50,)))))
    if not model.can_trim:
        assert bench.cache.statistics.restores > 0
    bench.close()


def test_a_path_longer_than_the_context_is_refused_and_the_cache_goes_on(bench: Bench) -> None:
    too_long = (*screen(*range(20)), question(1))
    if bench.model.is_recurrent:  # its state has one size, however long the path
        assert same(bench.ask(too_long), bench.cold(too_long))
    else:
        with pytest.raises(ContextFullError):
            bench.ask(too_long)
    path = (*screen(1, 2), question(1))
    assert same(bench.ask(path), bench.cold(path))


def test_host_memory_stays_within_its_budget(model: Model) -> None:
    bench = Bench(model, host_budget=1_200_000)
    for number in range(6):
        bench.ask((*screen(number, number + 1, number + 2), question(1)))
        assert bench.cache.host_bytes <= 1_200_000
    if not model.can_trim:
        assert bench.cache.statistics.evicted_checkpoints > 0
    bench.close()
