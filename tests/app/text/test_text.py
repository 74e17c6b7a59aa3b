"""The words of the desktop application: every language has all of them, every key that is used exists."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

from fingerpost.app import text as words
from fingerpost.app.text import LANGUAGES, catalog, text

ROOT = Path(__file__).resolve().parents[3]


def used_keys() -> set[str]:
    """The keys written as plain strings in calls of `text`."""
    keys = set()
    for path in (ROOT / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "text" and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    keys.add(first.value)
    return keys


def fields(entry: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(entry) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_entries_with_the_same_values_to_fill_in(language: str) -> None:
    english, other = catalog("en"), catalog(language)
    assert sorted(other) == sorted(english)
    assert [key for key in english if fields(english[key]) != fields(other[key])] == []
    assert [key for key in other if not other[key].strip()] == []


def test_every_key_that_the_application_uses_exists() -> None:
    known = set(catalog("en")) | {key.removesuffix(".other") for key in catalog("en")}
    assert used_keys() - known == set()


def test_the_chosen_language_is_spoken_and_an_unknown_one_is_not() -> None:
    try:
        assert words.use("de") == "de"
        assert text("action.click") == "Klicken"
        assert words.use("xx") == "en"
        assert text("action.click") == "Click"
    finally:
        words.use("en")


def test_the_systems_language_is_taken_where_none_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    try:
        assert words.use() == "pt"
    finally:
        words.use("en")


def test_a_key_that_nobody_wrote_is_an_error() -> None:
    with pytest.raises(KeyError):
        text("no.such.key")
