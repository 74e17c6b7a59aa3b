"""The form of answers: what fits is allowed, what does not is never, and an answer can always be finished."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.errors import ModelError
from fingerpost.engine.holotron.grammar import LETTERS, Form, Number, Vocabulary

THOUSANDTHS = Form(Number(1000), Number(1000))
UNIT = Form(Number(1, 4), Number(1, 4))
PIXELS = Form(Number(2048), Number(1024))
FORMS = (THOUSANDTHS, UNIT, PIXELS)

SINGLE = Vocabulary.of([letter.encode() for letter in sorted(LETTERS)])
LONG = Vocabulary.of(
    [letter.encode() for letter in sorted(LETTERS)]
    + [
        b'{"',
        b'":',
        b' "',
        b'","',
        b', "',
        b'{"x',
        b"10",
        b"100",
        b"1000",
        b"55",
        b"552",
        b"00",
        b"0.",
        b".5",
        b'"}',
        b"}}",
    ]
    + [b"hello", b"\xff", b"", b"\n", "１".encode()]
)


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        (THOUSANDTHS, '{"x": 552, "y": 404}'),
        (THOUSANDTHS, '{"x":0,"y":1000}'),
        (UNIT, '{"x": 0.5523, "y": 1}'),
        (UNIT, '{"x": 1.0, "y": 0}'),
        (PIXELS, '{"x": 2048, "y": 1024}'),
    ],
)
def test_answers_as_models_write_them_are_whole(form: Form, answer: str) -> None:
    assert form.matches(answer)
    assert all(form.may_begin(answer[:end]) and not form.matches(answer[:end]) for end in range(len(answer)))
    assert form.point(answer) == tuple(json.loads(answer).values())


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (THOUSANDTHS, '{"x": 1001'),
        (THOUSANDTHS, '{"x": 05'),
        (THOUSANDTHS, '{"x": -'),
        (THOUSANDTHS, '{"x": ,'),
        (THOUSANDTHS, '{"x": 5.'),
        (THOUSANDTHS, '{"x":  5'),
        (THOUSANDTHS, '{"y"'),
        (UNIT, '{"x": 1.5'),
        (UNIT, '{"x": 0.12345'),
        (UNIT, '{"x": 0.,'),
        (UNIT, '{"x": .5'),
        (PIXELS, '{"x": 5, "y": 1025'),
        (THOUSANDTHS, '{"x": 5, "y": 5}}'),
        (THOUSANDTHS, " {"),
    ],
)
def test_what_is_not_the_form_cannot_begin_an_answer(form: Form, text: str) -> None:
    assert not form.may_begin(text)


@given(st.sampled_from(FORMS), st.sampled_from([SINGLE, LONG]), st.data())
def test_whatever_allowed_tokens_are_taken_the_answer_ends_and_lies_in_range(
    form: Form, vocabulary: Vocabulary, data: st.DataObject
) -> None:
    text = ""
    while not form.matches(text):
        tokens = vocabulary.allowed(form, text)
        assert len(tokens) > 0
        text += vocabulary.pieces[int(data.draw(st.sampled_from(list(tokens))))]
        assert len(text) < 40
    x, y = form.point(text)
    assert 0 <= x <= form.x.most
    assert 0 <= y <= form.y.most
    assert re.fullmatch(r'\{"x": ?[0-9.]+, ?"y": ?[0-9.]+\}', text)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_every_place_can_be_answered(x: int, y: int) -> None:
    text = ""
    for letter in f'{{"x": {x}, "y": {y}}}':
        assert letter in {SINGLE.pieces[int(token)] for token in SINGLE.allowed(THOUSANDTHS, text)}
        text += letter
    assert THOUSANDTHS.point(text) == (x, y)


def test_tokens_of_other_letters_are_never_allowed() -> None:
    assert set(LONG.pieces.values()).isdisjoint({"hello", "\xff", "", "\n"})


def test_a_vocabulary_without_digits_is_refused() -> None:
    with pytest.raises(ModelError, match="coordinates"):
        Vocabulary.of([b"{", b"}", b"hello"])
