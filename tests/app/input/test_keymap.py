"""Which keys type a text: arithmetic on the table of keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.input.keymap import Batch, Stroke, batches, strokes_of, symbol
from fingerpost.engine.errors import InputError

A, Z, LATIN_Y = ord("a"), ord("z"), ord("y")
KEYBOARD = {
    8: (0, 0, 0, 0),
    20: (ord("1"), ord("!"), ord("1"), ord("!")),
    36: (0xFF0D, 0, 0, 0),
    38: (A, 0, A, 0),
    52: (Z, ord("Z"), LATIN_Y, ord("Y")),
    65: (0x20, 0, 0, 0),
    200: (0, 0, 0, 0),
    201: (0, 0, 0, 0),
}
typable = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40)


def typed(batch: Batch, group: int) -> str:
    """The text that a program gets from pressing these keys, by the table."""
    direct = {stroke: number for number, stroke in strokes_of(KEYBOARD, group).items()}
    numbers = [batch.extra[stroke.code] if stroke.code in batch.extra else direct[stroke] for stroke in batch.strokes]
    return "".join({0xFF0D: "\n"}.get(number) or chr(number & 0xFFFFFF) for number in numbers)


@given(typable, st.integers(0, 1))
def test_what_is_typed_is_the_text(text: str, group: int) -> None:
    assert "".join(typed(batch, group) for batch in batches(text, KEYBOARD, group)) == text


@given(typable)
def test_a_spare_key_means_one_thing_in_a_batch_and_only_spare_keys_are_used(text: str) -> None:
    for batch in batches(text, KEYBOARD):
        assert set(batch.extra) <= {8, 200, 201}
        assert len(set(batch.extra.values())) == len(batch.extra)
        assert not any(stroke.shift for stroke in batch.strokes if stroke.code in batch.extra)


def test_keys_the_keyboard_has_are_used_and_shift_with_them() -> None:
    assert batches("a1!A", KEYBOARD) == [Batch((Stroke(38), Stroke(20), Stroke(20, True), Stroke(38, True)), {})]


def test_the_layout_that_is_on_decides() -> None:
    assert batches("z", KEYBOARD, 0)[0].strokes == (Stroke(52),)
    assert batches("y", KEYBOARD, 1)[0].strokes == (Stroke(52),)
    assert batches("z", KEYBOARD, 1)[0].extra == {201: Z}


def test_every_kind_of_line_end_is_one_enter() -> None:
    assert batches("a\r\na\ra\na", KEYBOARD)[0].strokes == (Stroke(38), Stroke(36)) * 3 + (Stroke(38),)


def test_nothing_to_type_is_no_batch() -> None:
    assert batches("", KEYBOARD) == []


@pytest.mark.parametrize("character", ["\x1b", "\x08", "\x7f", "\x9b"])
def test_control_characters_are_refused(character: str) -> None:
    with pytest.raises(InputError, match="control character"):
        batches(f"a{character}", KEYBOARD)


def test_a_keyboard_without_spare_keys_refuses_what_it_cannot_type() -> None:
    with pytest.raises(InputError, match="ß"):
        batches("ß", {38: (A, 0)})


def test_symbols_of_latin_letters_are_their_numbers_and_others_carry_a_mark() -> None:
    assert (symbol("é"), symbol("€"), symbol("😀")) == (0xE9, 0x10020AC, 0x101F600)
