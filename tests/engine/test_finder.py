"""Finders are made as asked for, or say in a sentence why not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fingerpost.engine import finder
from fingerpost.engine.errors import EngineError, ModelError, UsageError
from fingerpost.engine.finder import Finder, make_engine, model_file
from fingerpost.engine.values import Frame
from fingerpost.models import files, miniature


def test_threads_without_end_are_no_more_than_the_processors() -> None:
    blank = Frame(np.zeros((64, 64, 4), np.uint8))
    assert not Finder(threads=1_000_000).find(blank, "Save").found


@pytest.mark.parametrize("threads", [0, -1])
def test_less_than_one_thread_is_wrong_use(threads: int) -> None:
    with pytest.raises(UsageError):
        Finder(threads=threads)


@pytest.mark.parametrize("name", ["", "psychic", "lite:model.gguf", "lite:", ":model.gguf"])
def test_an_engine_that_cannot_be_had_is_said(name: str) -> None:
    with pytest.raises(EngineError):
        Finder(engine=name)


def test_the_model_that_ships_has_a_name_and_every_other_is_a_file() -> None:
    shipped = model_file("miniature")
    assert shipped == miniature.weights()
    assert shipped.with_name("miniature-mmproj.gguf").is_file()
    assert model_file("models/holotron.gguf") == Path("models/holotron.gguf")


def test_a_file_in_the_home_folder_is_named_as_people_write_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert model_file("~/models/holotron.gguf") == tmp_path / "models" / "holotron.gguf"
    for name in (
        "~",
        "~nobody-of-that-name/holotron.gguf",
        "~\0/holotron.gguf",
        "models/~/holotron.gguf",
        "holotron~.gguf",
    ):
        with pytest.raises(ModelError):
            make_engine(f"holotron:{name}")


def test_a_damaged_model_that_ships_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    with pytest.raises(ModelError, match=r"miniature-mmproj\.gguf is missing"):
        model_file("miniature")


def test_without_the_library_that_runs_models_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "find_spec", lambda library: None)
    with pytest.raises(EngineError, match=r"needs llama\.cpp"):
        make_engine("holotron:miniature")
