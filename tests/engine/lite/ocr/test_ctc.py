from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.ocr.ctc import NOTHING, Probabilities, decode

CHARACTERS = np.array(["", *"abGo0lI1|", " "])


def certain(path: str, **doubts: dict[int, float]) -> Probabilities:
    """Probabilities that follow `path`, "-" for the blank; `doubts`: step -> probability of that letter."""
    table = np.zeros((len(path), len(CHARACTERS)), np.float32)
    for step, sign in enumerate(path):
        table[step, 0 if sign == "-" else CHARACTERS.tolist().index(sign)] = 0.9
    for letter, steps in doubts.items():
        for step, probability in steps.items():
            table[step, CHARACTERS.tolist().index(letter)] = probability
    return table


def test_repetitions_are_joined_and_blanks_part_them() -> None:
    reading = decode(certain("-aa-ab-"), CHARACTERS)
    assert reading.text == "aab"
    assert reading.x == (2.0, 4.5, 5.5)
    assert reading.score == pytest.approx(0.9)


def test_nothing_but_blanks_is_nothing() -> None:
    assert decode(certain("----"), CHARACTERS) == NOTHING


def test_a_zero_after_a_letter_is_an_o_when_the_network_thinks_of_it() -> None:
    assert decode(certain("-G-0-", o={3: 0.08}), CHARACTERS).text == "Go"


@pytest.mark.parametrize("path", ["-a-0-", "-1-0-", "-0-"])
def test_a_clear_zero_stays(path: str) -> None:
    assert decode(certain(path), CHARACTERS).text == path.replace("-", "")


def test_a_zero_in_a_number_stays_whatever_the_network_thinks() -> None:
    assert decode(certain("-a-1-0-", o={5: 0.4}), CHARACTERS).text == "a10"


def test_a_bar_in_a_word_is_an_l() -> None:
    assert decode(certain("-a-|-a-", l={3: 0.3}), CHARACTERS).text == "ala"


@given(st.text(alphabet="-ab ", min_size=1, max_size=30))
def test_every_character_has_its_place_in_order(path: str) -> None:
    reading = decode(certain(path), CHARACTERS)
    assert len(reading.x) == len(reading.text)
    assert list(reading.x) == sorted(reading.x)
    assert all(0 < x < len(path) for x in reading.x)
