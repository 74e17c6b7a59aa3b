from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.cache import LeastRecentlyUsed, WhileUnchanged
from fingerpost.engine.values import Box

BUDGET = 10


def test_the_entry_not_used_for_longest_goes_first() -> None:
    cache: LeastRecentlyUsed[str, int] = LeastRecentlyUsed(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_an_entry_over_the_whole_budget_is_not_kept() -> None:
    cache: LeastRecentlyUsed[str, int] = LeastRecentlyUsed(BUDGET)
    cache.put("a", 1, BUDGET + 1)
    assert len(cache) == 0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, BUDGET))))
def test_the_budget_is_kept_and_the_last_entry_too(puts: list[tuple[int, int]]) -> None:
    cache: LeastRecentlyUsed[int, int] = LeastRecentlyUsed(BUDGET)
    for step, (key, cost) in enumerate(puts):
        cache.put(key, step, cost)
        assert cache.get(key) == step
    last_cost = dict(puts)
    assert sum(cost for key, cost in last_cost.items() if cache.get(key) is not None) <= BUDGET


PLACES = {"a": Box(0, 0, 10, 10), "b": Box(20, 0, 10, 10)}


def test_what_did_not_change_is_not_worked_out_again() -> None:
    memory: WhileUnchanged[str, int] = WhileUnchanged()
    assert [memory.get(key, place, lambda: 1) for key, place in PLACES.items()] == [1, 1]
    assert memory.get("a", PLACES["a"], lambda: 2) == 1
    memory.begin(lambda place: place == PLACES["b"])
    assert [memory.get(key, place, lambda: 3) for key, place in PLACES.items()] == [1, 3]


def test_what_a_frame_did_not_need_is_forgotten() -> None:
    memory: WhileUnchanged[str, int] = WhileUnchanged()
    memory.get("a", PLACES["a"], lambda: 1)
    memory.begin(lambda place: False)
    memory.begin(lambda place: False)
    assert memory.get("a", PLACES["a"], lambda: 2) == 2
