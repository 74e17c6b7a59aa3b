"""Drawn screens: the same from the same seed, nothing over anything else, and each question means one thing."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.models.miniature.scenes import KINDS, Plan, Rect, Screen, draw_screen, questions
from fingerpost.models.miniature.words import COLOURS, FIRST, ICONS, LABELS, LETTERS, ORDINALS, SHAPES, WORDS

seeds = st.integers(0, 2**32)
plans = st.builds(
    lambda width, height, least, factor, most: Plan(width, height, (least, least * factor), most),
    st.integers(100, 900),
    st.integers(100, 600),
    st.floats(8, 60),
    st.floats(1, 3),
    st.integers(1, 20),
)
some = settings(max_examples=40, deadline=None)


def drawn(plan: Plan, seed: int) -> Screen:
    return draw_screen(plan, random.Random(seed))


@some
@given(plans, seeds)
def test_the_same_seed_draws_the_same_screen_and_asks_the_same(plan: Plan, seed: int) -> None:
    one, same = drawn(plan, seed), drawn(plan, seed)
    assert (one.pixels == same.pixels).all()
    assert one.things == same.things
    assert questions(one, random.Random(seed)) == questions(same, random.Random(seed))


def test_another_seed_draws_another_screen() -> None:
    plan = Plan(320, 200, (20, 40), 10)
    assert (drawn(plan, 1).pixels != drawn(plan, 2).pixels).any()


@some
@given(plans, seeds)
def test_things_lie_inside_the_screen_and_apart(plan: Plan, seed: int) -> None:
    screen = drawn(plan, seed)
    assert screen.size == (plan.width, plan.height)
    assert len(screen.things) <= plan.most
    for number, thing in enumerate(screen.things):
        left, top, right, bottom = thing.rect
        assert 0 <= left < right <= plan.width
        assert 0 <= top < bottom <= plan.height
        assert not any(overlap(thing.rect, other.rect) for other in screen.things[:number])


def overlap(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@some
@given(plans, seeds)
def test_a_thing_is_seen_where_it_is_said_to_be(plan: Plan, seed: int) -> None:
    """Within its rectangle the pixels are not all about the same; so it is no empty place."""
    screen = drawn(plan, seed)
    for thing in screen.things:
        left, top, right, bottom = map(round, thing.rect)
        inside = screen.pixels[max(0, top) : bottom + 1, max(0, left) : right + 1].reshape(-1, 3)
        assert np.ptp(inside.astype(int), axis=0).max() >= 25


@some
@given(plans, seeds)
def test_a_question_fits_one_thing_only(plan: Plan, seed: int) -> None:
    screen = drawn(plan, seed)
    asked = questions(screen, random.Random(seed))
    assert len({one.words for one in asked}) == len(asked)
    for one in asked:
        assert [thing for thing in screen.things if meant(one.words, screen) is thing] == [one.thing], one.words


def meant(words: str, screen: Screen) -> object:
    """The thing that a person would take the words for; worked out from the words alone."""
    said = words.split()
    if " from the " in words:
        _, ordinal, colour, shape, _, _, side = said
        same = [thing for thing in screen.things if (thing.kind, thing.name, thing.colour) == ("shape", shape, colour)]
        axis = 0 if side in {"left", "right"} else 1
        ordered = sorted(same, key=lambda thing: thing.centre[axis], reverse=side in {"right", "bottom"})
        return ordered[ORDINALS.index(ordinal)]
    kind = said[0] if said[0] != "the" else {"word": "word"}.get(said[1], "icon" if said[2] == "icon" else "shape")
    name = {"shape": said[-1], "icon": said[1]}.get(kind, said[-1])
    colour = said[1] if kind == "shape" else ""
    (only,) = [thing for thing in screen.things if (thing.kind, thing.name, thing.colour) == (kind, name, colour)]
    return only


def test_all_kinds_names_and_colours_are_drawn_and_all_ordinals_asked_for() -> None:
    screens = [drawn(Plan(900, 600, (20, 40), 20), seed) for seed in range(60)]
    things = [thing for screen in screens for thing in screen.things]
    assert {thing.kind for thing in things} == set(KINDS)
    assert {thing.name for thing in things} == {*SHAPES, *LETTERS, *LABELS, *ICONS}
    assert {thing.colour for thing in things} == {"", *COLOURS}
    words = [one.words.split() for screen in screens for one in questions(screen, random.Random(1))]
    assert {said[1] for said in words if "from" in said} == set(ORDINALS)
    known = {*FIRST, *WORDS, *LETTERS}
    assert {word for said in words for word in said} <= known
