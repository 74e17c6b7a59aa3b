"""The lexicon's lists are complete and agree with the engine's kinds; synonyms mean the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.scene import KINDS
from fingerpost.models.lexicon import LANGUAGES, fold, lexicon, phrase, synonyms, with_another_word

RELATIONS = {"below", "above", "left of", "right of", "next to", "in", "of"}


def test_every_kind_of_the_engine_has_words_and_no_other() -> None:
    assert frozenset().union(*lexicon().kinds.values()) == set(KINDS)
    assert frozenset().union(*lexicon().verb_kinds.values()) <= set(KINDS)


def test_numbers_places_and_relations_are_complete() -> None:
    assert set(lexicon().ordinals.values()) == {*range(1, 11), -1, -2}
    assert set(lexicon().places.values()) == {"top", "bottom", "left", "right", "middle"}
    assert set(lexicon().relations.values()) == RELATIONS


@pytest.mark.parametrize("word", ["button", "Schaltfläche", "botón", "botão"])
def test_a_button_is_known_in_all_languages(word: str) -> None:
    assert len(LANGUAGES) == 4
    assert lexicon().kinds[phrase(word)] == {"button"}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Preferences", "settings"),
        ("remove", "delete"),
        ("exit", "quit"),
        ("Einstellungen", "preferences"),
        ("Guardar", "save"),
        ("pi", "π"),
        ("multiply", "×"),
        ("square root", "√"),
        ("reset to defaults", "Repor as predefinições"),
    ],
)
def test_other_wordings_of_a_name_are_known(name: str, other: str) -> None:
    assert fold(other) in [fold(s) for s in synonyms(name)]


@pytest.mark.parametrize(
    ("name", "opposite"),
    [("undo", "redo"), ("zoom in", "zoom out"), ("open", "close"), ("back", "forward"), ("cut", "copy"),
     ("import", "export"), ("rotate left", "rotate right"), ("minimize", "maximize"), ("plus", "minus"),
     ("enable", "disable"), ("lock", "unlock"), ("next", "previous"), ("log in", "log out")],
)  # fmt: skip
def test_opposites_are_no_synonyms(name: str, opposite: str) -> None:
    assert fold(opposite) not in [fold(s) for s in synonyms(name)]


@pytest.mark.parametrize(
    ("name", "different"),
    [("default", "restore defaults"), ("settings", "properties"), ("undo", "revert"), ("paste", "insert"),
     ("new tab", "new window"), ("pause", "stop")],
)  # fmt: skip
def test_things_that_are_only_alike_are_no_synonyms(name: str, different: str) -> None:
    assert fold(different) not in [fold(s) for s in synonyms(name)]


@pytest.mark.parametrize(("name", "other"), [("delete picture", "remove picture"), ("delete picture", "delete image")])
def test_one_word_of_a_longer_name_may_be_another(name: str, other: str) -> None:
    assert other in [fold(text) for text in with_another_word(name)]
    assert other not in [fold(text) for text in synonyms(name)]


@pytest.mark.parametrize("name", ["picture", "delete this picture right now please", "xyzzy plugh"])
def test_other_names_stay_as_they_are(name: str) -> None:
    assert with_another_word(name) == ()


def test_a_word_of_several_meanings_is_not_replaced() -> None:
    assert len([name for name in ("insert", "paste") if "Einfügen" in synonyms(name)]) == 2
    assert "insert Zeile" not in with_another_word("Einfügen Zeile")


@given(st.text(max_size=60))
def test_synonyms_are_other_texts_without_doubles(name: str) -> None:
    others = synonyms(name)
    assert len(set(others)) == len(others)
    assert phrase(name) not in [phrase(s) for s in others]
