"""Answers of a model that is given as a list of what it would say, and how likely each is."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.holotron.answers import Asked, answers, free_text
from fingerpost.engine.holotron.grammar import Form, Number, Vocabulary
from fingerpost.engine.holotron.llama import Logits, StoppedError
from fingerpost.engine.holotron.segments import Path, Text
from fingerpost.models.profiles.answer import AnswerForm

JSON = AnswerForm.of('{"x": {x}, "y": {y}}')
FORM = Form(Number(1000), Number(1000), JSON)
PIECES = [*(letter.encode() for letter in sorted(JSON.letters)), b"stop", b"I think "]
STOP, THINK = len(PIECES) - 2, len(PIECES) - 1
VOCABULARY = Vocabulary.of(PIECES, JSON.letters)
QUESTION = (Text((0,)), Text((1, 2)))


class Opinion:
    """Knows each answer's probability, and from them the probability of each next letter, as a model would."""

    def __init__(self, opinions: dict[str, float], chatter: float = 0.0) -> None:
        self._opinions = opinions
        self._chatter = chatter
        self._said: tuple[int, ...] = ()
        self.forks: set[int] = set()
        self.evaluated = 0
        self.extended = 0

    def evaluate(
        self,
        path: Path,
        keep: Collection[int] = (),
        pin: int | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Logits:
        assert path[: len(QUESTION)] == QUESTION
        said = path[len(QUESTION) :]
        assert all(isinstance(segment, Text) and segment.length == 1 for segment in said)
        self._said = tuple(segment.tokens[0] for segment in said if isinstance(segment, Text))
        return self._logits()

    def extend(self, token: int) -> Logits:
        self._said = (*self._said, token)
        self.evaluated += 1
        self.extended += 1
        return self._logits()

    def fork_current(self) -> int:
        self.forks.add(len(self.forks))
        return len(self.forks) - 1

    def release(self, handle: int) -> None:
        self.forks.remove(handle)

    def _logits(self) -> Logits:
        text = "".join(PIECES[token].decode() for token in self._said)
        shares = np.full(len(PIECES), 1e-9)
        shares[THINK] += self._chatter
        for answer, share in self._opinions.items():
            if answer == text:
                shares[STOP] += share
            elif answer.startswith(text):
                shares[PIECES.index(answer[len(text)].encode())] += share
        return np.log(shares).astype(np.float32)


def ask(opinion: Opinion, most: int = 5) -> list[tuple[float, float, float]]:
    readings = answers(opinion, Asked(QUESTION), FORM, VOCABULARY, most)
    return [(round(r.x * 1000), round(r.y * 1000), round(r.confidence, 2)) for r in readings]


def test_a_sure_answer_stands_alone() -> None:
    assert ask(Opinion({'{"x": 552, "y": 404}': 1.0})) == [(552, 404, 1.0)]


def test_other_answers_come_by_their_probability() -> None:
    opinion = Opinion({'{"x": 552, "y": 404}': 0.5, '{"x": 552, "y": 904}': 0.2, '{"x": 52, "y": 40}': 0.3})
    assert ask(opinion) == [(552, 404, 0.5), (52, 40, 0.3), (552, 904, 0.2)]


def test_where_another_place_is_more_probable_than_what_the_model_says_it_is_told_to_be_as_sure() -> None:
    """The model would begin with 5, but not know how to go on."""
    spread = {f'{{"x": {x}, "y": 404}}': 0.12 for x in (502, 532, 562, 582, 599)}
    found = ask(Opinion({**spread, '{"x": 100, "y": 40}': 0.4}))
    assert found[:2] == [(502, 404, 0.12), (100, 40, 0.12)]


def test_only_the_first_answer_is_written_when_no_other_is_wanted() -> None:
    opinion = Opinion({'{"x": 552, "y": 404}': 0.5, '{"x": 52, "y": 40}': 0.5})
    assert len(ask(opinion, most=1)) == 1


def test_doubt_about_the_last_digit_is_no_doubt_about_the_place() -> None:
    opinion = Opinion({'{"x": 552, "y": 404}': 0.4, '{"x": 553, "y": 404}': 0.3, '{"x": 551, "y": 404}': 0.3})
    assert ask(opinion) == [(552, 404, 1.0)]


def test_answers_at_the_same_place_are_given_once() -> None:
    opinion = Opinion({'{"x": 500, "y": 404}': 0.6, '{"x": 499, "y": 404}': 0.4})
    assert ask(opinion) == [(500, 404, 0.6)]


def test_how_long_a_number_is_is_a_doubt_about_the_place() -> None:
    opinion = Opinion({'{"x": 55, "y": 404}': 0.7, '{"x": 552, "y": 404}': 0.3})
    assert ask(opinion) == [(55, 404, 0.7), (552, 404, 0.3)]


def test_spaces_are_no_doubt_about_the_place() -> None:
    opinion = Opinion({'{"x": 552, "y": 404}': 0.5, '{"x":552,"y":404}': 0.5})
    assert [place for *place, _ in ask(opinion)] == [[552, 404]]
    assert ask(opinion)[0][2] == pytest.approx(1.0)


@settings(deadline=None)
@given(
    st.dictionaries(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), st.integers(1, 9), min_size=1, max_size=9)
)
def test_there_are_at_most_five_places_all_apart_and_no_fork_is_left(places: dict[tuple[int, int], int]) -> None:
    total = sum(places.values())
    opinion = Opinion({f'{{"x": {x}, "y": {y}}}': share / total for (x, y), share in places.items()})
    found = ask(opinion)
    assert 1 <= len(found) <= 5
    assert {(x, y) for x, y, _ in found} <= set(places)
    assert all(abs(a[0] - b[0]) >= 20 or abs(a[1] - b[1]) >= 20 for i, a in enumerate(found) for b in found[:i])
    sure = [confidence for *_, confidence in found]
    assert sum(sure) <= 1.03  # rounded to two digits
    assert sure == sorted(sure, reverse=True)
    assert found[0][:2] == ask(opinion, most=1)[0][:2]
    assert opinion.forks == set()


def test_the_form_is_kept_by_a_model_that_would_rather_chat() -> None:
    opinion = Opinion({'{"x": 552, "y": 404}': 0.1}, chatter=0.9)
    assert ask(opinion) == [(552, 404, 1.0)]
    text = free_text(opinion, Asked(QUESTION), JSON, PIECES.__getitem__, lambda token: token == STOP)
    assert text.startswith("I think ")


def test_an_answer_without_a_form_ends_where_the_model_ends_it() -> None:
    for answer in ('{"x": 552, "y": 404}', "552, 404"):
        opinion = Opinion({answer: 1.0})
        text = free_text(opinion, Asked(QUESTION), JSON, PIECES.__getitem__, lambda token: token == STOP)
        assert text == answer
        assert JSON.place_in(text) == (552, 404)


@pytest.mark.parametrize("tokens", [0, 1, 5, 17])
def test_an_answer_stops_within_one_token(tokens: int) -> None:
    opinion = Opinion({'{"x": 500, "y": 250}': 1.0})
    asked = Asked(QUESTION, stopped=lambda: opinion.extended >= tokens)
    with pytest.raises(StoppedError):
        answers(opinion, asked, FORM, VOCABULARY)
    assert opinion.extended == tokens
    assert opinion.forks == set()
    with pytest.raises(StoppedError):
        free_text(
            opinion, Asked(QUESTION, stopped=lambda: True), JSON, lambda token: PIECES[token], lambda token: False
        )
    assert opinion.extended == tokens


def test_answers_in_another_form_branch_at_its_numbers_and_know_which_is_which() -> None:
    answer = AnswerForm.of("2 {y}, {x}}")
    form = Form(Number(1000), Number(1000), answer)
    opinion = Opinion({"2 404, 552}": 0.5, "2 404,552}": 0.2, "2 904, 552}": 0.2, "2 904, 553}": 0.1})
    readings = answers(opinion, Asked(QUESTION), form, Vocabulary.of(PIECES, answer.letters))
    assert [(round(r.x * 1000), round(r.y * 1000), round(r.confidence, 2)) for r in readings] == [
        (552, 404, 0.7),
        (552, 904, 0.3),
    ]


def test_an_answer_that_nothing_holds_to_the_form_ends_where_the_form_does() -> None:
    answer = AnswerForm.of("{x}:{y}}")
    opinion = Opinion({"{} 5:7} 1}": 1.0})
    text = free_text(opinion, Asked(QUESTION), answer, PIECES.__getitem__, lambda token: token == STOP)
    assert text == "{} 5:7}"


def test_digits_that_leave_the_answer_near_where_it_is_count_for_it() -> None:
    """How near depends on the model: one that only knows about where is as sure as it is of that."""
    spread = {f'{{"x": {x}, "y": 404}}': 0.2 for x in (602, 615, 629, 641, 658)}
    exact = answers(Opinion(spread), Asked(QUESTION), FORM, VOCABULARY, 1, fine=0.001)[0]
    about = answers(Opinion(spread), Asked(QUESTION), FORM, VOCABULARY, 1, fine=0.1)[0]
    assert exact.x == about.x
    assert exact.confidence == pytest.approx(0.2, abs=0.01)
    assert about.confidence == pytest.approx(1.0, abs=0.01)


def test_digits_that_may_go_on_to_somewhere_else_do_not_count_for_an_answer() -> None:
    opinion = Opinion({'{"x": 52, "y": 404}': 0.6, '{"x": 551, "y": 404}': 0.4})
    assert answers(opinion, Asked(QUESTION), FORM, VOCABULARY, 1)[0].confidence == pytest.approx(0.6, abs=0.01)
