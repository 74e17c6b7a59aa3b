"""The icon model's vocabulary and word table, as shipped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.models import files
from fingerpost.models.icons.names import NameTable
from fingerpost.models.icons.vocabulary import read_concepts, words


@cache
def _table() -> NameTable:
    return NameTable(files.read("icons/words.npz"))


@pytest.fixture
def table() -> NameTable:
    return _table()


def _icon_of(table: NameTable, concept: str) -> np.ndarray:
    """The vector of an icon that shows just this concept."""
    return table._concept_vectors[[table.concepts.index(concept)]]


def test_words_are_folded_and_fillers_dropped() -> None:
    assert words('the "Rückgängig" icon') == ("ruckgangig",)
    assert words("Click the GEAR button") == ("gear",)


def test_small_words_that_tell_icons_apart_are_kept() -> None:
    assert words("zoom in") != words("zoom out")
    assert words("Save as") != words("Save")


def test_a_text_of_fillers_alone_keeps_its_words() -> None:
    assert words("the icon") == ("the", "icon")


@given(st.text())
def test_words_are_stable(text: str) -> None:
    once = words(text)
    assert words(" ".join(once)) == once


def test_every_language_names_concepts_that_english_has() -> None:
    concepts = read_concepts()
    assert len({concept.key for concept in concepts}) == len(concepts)
    assert all(concept.phrases[0] == concept.key for concept in concepts)


def test_a_language_with_an_unknown_concept_is_refused(tmp_path: Path) -> None:
    (tmp_path / "en.txt").write_text("save: disk\n")
    (tmp_path / "de.txt").write_text("save: sichern\nfly: fliegen\n")
    (tmp_path / "es.txt").write_text("")
    (tmp_path / "pt.txt").write_text("")
    with pytest.raises(KeyError, match="fly"):
        read_concepts(tmp_path)


def test_the_table_holds_the_concepts_of_the_vocabulary(table: NameTable) -> None:
    assert table.concepts == tuple(concept.key for concept in read_concepts())


@pytest.mark.parametrize("name", ["undo", "Rückgängig", "deshacer", "desfazer", "revert"])
def test_names_in_four_languages_reach_one_concept(table: NameTable, name: str) -> None:
    shown = np.concatenate([_icon_of(table, concept) for concept in ("settings", "undo", "print")])
    fit = table.fit(name, shown)
    assert fit is not None
    assert fit.exact
    assert fit.log_probability.argmax() == 1


def test_a_name_of_several_concepts_fits_each_of_them(table: NameTable) -> None:
    shown = np.concatenate([_icon_of(table, concept) for concept in ("back arrow", "chevron left", "print")])
    fit = table.fit("previous", shown)
    assert fit is not None
    assert fit.log_probability[:2].min() > fit.log_probability[2] + 3


def test_an_unlisted_command_is_found_by_its_verb(table: NameTable) -> None:
    shown = np.concatenate([_icon_of(table, concept) for concept in ("settings", "delete", "print")])
    fit = table.fit("delete the frobnicator", shown)
    assert fit is not None
    assert not fit.exact
    assert fit.log_probability.argmax() == 1


def test_probabilities_of_concepts_add_up_to_one(table: NameTable) -> None:
    rng = np.random.default_rng(1)
    icons = rng.normal(size=(5, table.dimensions)).astype(np.float32)
    icons /= np.linalg.norm(icons, axis=1, keepdims=True)
    total = np.exp(table.concept_log_probabilities(icons)).sum(1)
    assert np.allclose(total, 1, atol=1e-4)


@given(st.text(max_size=40))
def test_no_text_fits_better_than_surely(text: str) -> None:
    fit = _table().fit(text, np.eye(3, _table().dimensions, dtype=np.float32))
    assert fit is None or bool((fit.log_probability <= 1e-4).all())
