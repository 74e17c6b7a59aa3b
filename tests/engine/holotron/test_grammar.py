"""The form of answers: what fits is allowed, what does not is never, and an answer can always be finished."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.errors import ModelError
from fingerpost.engine.holotron.grammar import Form, Number, Vocabulary
from fingerpost.models.profiles.answer import AnswerForm

JSON = AnswerForm.of('{"x": {x}, "y": {y}}')
THOUSANDTHS = Form(Number(1000), Number(1000), JSON)
UNIT = Form(Number(1, 4), Number(1, 4), JSON)
PIXELS = Form(Number(2048), Number(1024), JSON)
FORMS = (THOUSANDTHS, UNIT, PIXELS)
RANGES = st.sampled_from([(Number(1000), Number(1000)), (Number(1, 4), Number(1, 4)), (Number(2048), Number(7))])

SINGLE = Vocabulary.of([letter.encode() for letter in sorted(JSON.letters)], JSON.letters)
LONG = Vocabulary.of(
    [letter.encode() for letter in sorted(JSON.letters)]
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
    + [b"hello", b"\xff", b"", b"\n", "１".encode()],
    JSON.letters,
)


def is_form(text: str) -> bool:
    try:
        AnswerForm.of(text)
    except ValueError:
        return False
    return True


LITERALS = st.text('xy {}[]<>/(),.:;"-_=ab159\n', max_size=8)
ANSWERS = st.one_of(
    st.sampled_from(
        [
            '{"x": {x}, "y": {y}}',
            "click({x}, {y})",
            "<point>{x} {y}</point>",
            "[{x}, {y}]",
            "[{y}, {x}]",
            "top {y}: {x};",
        ]
    ),
    st.tuples(LITERALS, st.permutations(["{x}", "{y}"]), LITERALS, LITERALS)
    .map(lambda part: part[0] + part[1][0] + part[2] + part[1][1] + part[3])
    .filter(is_form),
).map(AnswerForm.of)


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


@settings(deadline=None)
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


@settings(deadline=None)
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
        Vocabulary.of([b"{", b"}", b"hello"], JSON.letters)


@settings(deadline=None)
@given(RANGES, ANSWERS, st.floats(0, 1), st.floats(0, 1))
def test_what_is_written_in_any_form_is_what_is_read(
    numbers: tuple[Number, Number], answer: AnswerForm, x: float, y: float
) -> None:
    form = Form(*numbers, answer)
    text = form.written(x, y)
    assert form.point(text) == (float(form.x.written(x)), float(form.y.written(y)))
    assert answer.place_in(f"I say: {text}") == form.point(text)
    letters = Vocabulary.of([letter.encode() for letter in sorted(answer.letters)], answer.letters)
    for end in range(len(text)):
        assert not form.matches(text[:end])
        assert text[end] in {letters.pieces[int(token)] for token in letters.allowed(form, text[:end])}


@settings(deadline=None)
@given(RANGES, ANSWERS, st.data())
def test_what_is_allowed_in_any_form_is_that_form_and_nothing_else(
    numbers: tuple[Number, Number], answer: AnswerForm, data: st.DataObject
) -> None:
    form = Form(*numbers, answer)
    letters = Vocabulary.of([letter.encode() for letter in sorted(answer.letters)], answer.letters)
    text = ""
    while not form.matches(text):
        allowed = [letters.pieces[int(token)] for token in letters.allowed(form, text)]
        text += data.draw(st.sampled_from(allowed))
    assert re.fullmatch(spelt(answer), text)
    x, y = form.point(text)
    assert 0 <= x <= form.x.most
    assert 0 <= y <= form.y.most
    assert not any(form.may_begin(text + letter) for letter in answer.letters)


def spelt(answer: AnswerForm) -> str:
    """The form as a regular expression: a space behind a colon or a comma may be there, and all else is."""
    texts = (
        re.sub(r"([:,])(\\ )?", r"\1 ?", re.escape(text)) for text in (answer.before, answer.between, answer.after)
    )
    return "[0-9.]+".join(texts).removesuffix(" ?")


@settings(deadline=None)
@given(RANGES, ANSWERS, st.floats(0, 1), st.floats(0, 1), st.integers(1, 3))
def test_each_piece_of_an_answer_is_known_by_the_number_it_writes_on(
    numbers: tuple[Number, Number], answer: AnswerForm, x: float, y: float, length: int
) -> None:
    form = Form(*numbers, answer)
    text = form.written(x, y)
    point = form.point(text)
    told = set()
    for start in range(0, len(text), length):
        if (reach := form.reach(text[:start], text[start : start + length])) is not None:
            axis, low, high = reach
            assert low <= point[axis] <= high
            told.add(axis)
    assert 0 in told or 1 in told
    if length == 1:
        assert told == {0, 1}


def test_a_piece_without_digits_writes_no_number_unless_it_ends_one() -> None:
    form = Form(Number(1000), Number(1000), AnswerForm.of("point 1 at [{y}, {x}]"))
    assert form.reach("", "point 1") is None
    assert form.reach("point 1 at [", "5") == (1, 5, 599)
    assert form.reach("point 1 at [5", ", ") == (1, 5, 5)
    assert form.reach("point 1 at [5", "1, 7") == (1, 51, 51)
    assert form.reach("point 1 at [5, ", "70") == (0, 70, 709)
    assert form.reach("point 1 at [5, 70", "]") == (0, 70, 70)
