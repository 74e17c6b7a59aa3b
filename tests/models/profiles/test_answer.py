"""The form of answers as profiles have it: what is refused, and what is read that nothing held to it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.models.profiles.answer import AnswerForm

FORMS = ('{"x": {x}, "y": {y}}', '{"x":{x},"y":{y}}', "click({x}, {y})", "<point>{x} {y}</point>", "[{y}, {x}]")


@pytest.mark.parametrize("text", [*FORMS, "{x};{y};", "p1 = {x}, p2 = {y}\n"])
def test_a_form_is_read_as_it_is_written(text: str) -> None:
    form = AnswerForm.of(text)
    assert form.text == text
    assert form.filled("5", "7") == text.replace("{x}", "5").replace("{y}", "7")
    assert set(form.filled("0123.456", "789")) <= form.letters


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("", "each once"),
        ("[{x}]", "each once"),
        ("[{x}, {x}]", "each once"),
        ("[{x}, {y}, {y}]", "each once"),
        ("[{X}, {y}]", "each once"),
        ("{x}, {y}", "end"),
        ("[{x}{y}]", "touch"),
        ("[1{x}, {y}]", "touch"),
        ("[.{x}, {y}]", "touch"),
        ("[{x}, 0{y}]", "touch"),
        ("[{x}0, {y}]", "touch"),
        ("at {x}, {y}.", "touch"),
        (" [{x}, {y}]", "single spaces"),
        ("[{x}, {y}] ", "single spaces"),
        ("[{x},  {y}]", "single spaces"),
        ("（{x}, {y}）", "ASCII"),
    ],
)
def test_a_form_whose_numbers_could_not_be_told_is_refused(text: str, mistake: str) -> None:
    with pytest.raises(ValueError, match=mistake):
        AnswerForm.of(text)


@pytest.mark.parametrize(
    ("form", "text", "place"),
    [
        (FORMS[0], '{"action": "click", "x": -5, "y": 7.5}', (-5, 7.5)),
        (FORMS[0], "Click(12, 34)", (12, 34)),
        (FORMS[0], "x=12, y=34", (12, 34)),
        (FORMS[0], 'x: 1, y: 2, that is {"x":5, "y" : 7}', (5, 7)),
        (FORMS[0], "no idea", None),
        (FORMS[0], "", None),
        (FORMS[0], '{"x": 5', None),
        ("click({x}, {y})", "3, 4 is it: click( 12,34 )", (12, 34)),
        ("<point>{x} {y}</point>", "It is <point>552  404</point>.", (552, 404)),
        ("<point>{x} {y}</point>", "<point>552</point>", None),
        ("[{y}, {x}]", "[404, 552]", (552, 404)),
        ("[{y}, {x}]", "404, 552", (552, 404)),
        ('{"y": {y}, "x": {x}}', "y = 404 and x = 552", (552, 404)),
    ],
)
def test_a_place_is_read_from_what_models_write(form: str, text: str, place: tuple[float, float] | None) -> None:
    assert AnswerForm.of(form).place_in(text) == place


PARTED = ("{x} {y} .", "{x} . {y} end", "a_1 {x} {y};", "{x} 2_b {y} _", "1 {x}\n2 {y}\n3")
"""Only spaces part their numbers from what else a number might go on with."""


@settings(deadline=None)
@given(st.sampled_from(PARTED), st.decimals(0, 9999, places=4), st.decimals(0, 9999, places=4))
def test_a_number_ends_where_a_space_parts_it_and_not_before(form: str, x: Decimal, y: Decimal) -> None:
    answer = AnswerForm.of(form)
    text = answer.filled(str(x), str(y))
    assert answer.place_in(text) == (float(x), float(y))
    assert answer.ends(text)
    assert not any(answer.ends(text[:end]) for end in range(len(text)))
    joined = "".join(text.split())
    assert not answer.ends(joined)


@settings(deadline=None)
@given(st.sampled_from(FORMS), st.integers(0, 9999), st.integers(0, 9999), st.sampled_from(["", "I think (it) is {"]))
def test_an_answer_ends_where_it_is_whole_and_not_before(form: str, x: int, y: int, chatter: str) -> None:
    answer = AnswerForm.of(form)
    text = chatter + answer.filled(str(x), str(y))
    assert answer.ends(text)
    assert not any(answer.ends(text[:end]) for end in range(len(text)))
