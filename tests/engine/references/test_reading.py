"""Words that refer to the answer before, in four languages, and words that only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.references.reading import read_refinement
from fingerpost.models.lexicon import LANGUAGES
from fingerpost.models.lexicon.refinements import CHOICES, refinement_words

SAID = {
    "other": ["the other one", "Not that.", "no, not that one", "das andere", "nicht das", "el otro", "esa no",
              "o outro", "esse não", "click the other one, please", "open the other one"],
    "next": ["the next one", "next one", "das nächste", "el siguiente", "o próximo"],
    "previous": ["the previous one", "das vorige", "el anterior", "o anterior"],
    "below": ["the one below", "no, the one below it", "das darunter", "el de abajo", "o de baixo"],
    "above": ["the one above", "das darüber", "la de arriba", "a de cima"],
    "left": ["the one to the left", "das links davon", "el que está a la izquierda", "o que está à esquerda"],
    "right": ["the one to the right", "rechts daneben", "la de al lado", "ao lado"],
    "leftmost": ["the left one", "the one on the left", "das linke", "el de la izquierda", "o da esquerda"],
    "bottommost": ["the lower one", "das untere", "el de más abajo", "o do fundo"],
    "smaller": ["no, the smaller one", "das kleinere", "el más pequeño", "o menor"],
    "larger": ["the bigger one", "das größere", "el más grande", "o maior"],
}  # fmt: skip
ORDINARY = [
    "other", "next", "Next", "no thanks", "below", "left", "second", "2", "but", "the one", "the other options",
    "the second Edit menu", "Find next match", "the one with the gear", "below Name", "“the other one”", "", "  ",
    "das", "nächste Seite", "o menu", "el menú",
]  # fmt: skip


@pytest.mark.parametrize(("choice", "text"), [(choice, text) for choice, texts in SAID.items() for text in texts])
def test_what_refers_to_the_answer_before_is_understood(choice: str, text: str) -> None:
    refinement = read_refinement(text)
    assert refinement is not None
    assert refinement.choice == choice
    assert refinement.rejects == (choice == "other" or text.startswith("no,"))


@pytest.mark.parametrize("text", ORDINARY)
def test_names_and_descriptions_are_ordinary_queries(text: str) -> None:
    assert read_refinement(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [("the second one", 2), ("no, the 3rd", 3), ("number 4", 4), ("das zweite davon", 2), ("die Nummer 2", 2),
     ("el segundo", 2), ("não, o terceiro", 3), ("the last one", -1), ("das vorletzte", -2)],
)  # fmt: skip
def test_numbers_are_understood(text: str, number: int) -> None:
    refinement = read_refinement(text)
    assert refinement is not None
    assert (refinement.choice, refinement.number) == ("number", number)


@pytest.mark.parametrize(
    ("text", "addition"),
    [("that but in the dialog", "in the dialog"), ("The same, but next to Cancel", "next to Cancel"),
     ("the one in the “Print” dialog", "in the “Print” dialog"), ("das im Dialog", "im Dialog"),
     ("el mismo pero en la barra de herramientas", "en la barra de herramientas"), ("o da janela", "da janela"),
     ("not that, the one in the toolbar", "in the toolbar")],
)  # fmt: skip
def test_a_place_can_be_added_to_the_query_before(text: str, addition: str) -> None:
    refinement = read_refinement(text)
    assert refinement is not None
    assert (refinement.choice, refinement.addition) == ("same", addition)


@pytest.mark.parametrize(
    ("text", "sure"),
    [("the other one", True), ("the other", False), ("no", False), ("not that", True), ("el siguiente", False),
     ("no, the next", True)],
)  # fmt: skip
def test_what_may_be_a_name_is_doubtful(text: str, sure: bool) -> None:
    refinement = read_refinement(text)
    assert refinement is not None
    assert refinement.sure == sure


def test_every_choice_has_words_in_every_language() -> None:
    assert set(refinement_words().choices.values()) == set(CHOICES)
    assert {language for language in LANGUAGES if read_refinement(OTHERS[language])} == set(LANGUAGES)


@given(st.lists(st.sampled_from(sorted({w for p in refinement_words().choices for w in p} | {"no", "the", "x", "in"}))))
def test_any_words_are_read_without_an_error(words: list[str]) -> None:
    refinement = read_refinement(" ".join(words))
    assert refinement is None or refinement.choice in {*CHOICES, "number", "same"}


OTHERS = {"en": "the other one", "de": "das andere", "es": "la otra", "pt": "a outra"}
