"""How surely a text on the screen is the name asked for."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.names import locate, normalise, similarity
from fingerpost.engine.lite.ranking import EQUAL, FOUND

WORDS = st.text(string.ascii_letters + "äöüßñçãé", min_size=1, max_size=10)


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("Preferences", "Preferences..."),
        ("Preferences", "Preferences…"),
        ("schliessen", "Schließen"),
        ("Configuracao", "Configuração"),
        ("+/-", "+/−"),
        ("Name", "Name:"),
        ("what's new", "What’s New"),
        ("SAVE", "save"),
    ],
)
def test_case_accents_dashes_and_an_ellipsis_make_no_difference(name: str, seen: str) -> None:
    assert similarity(name, seen) == 1.0


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("Tools", "Too1s"),
        ("File System", "FileSystem"),
        ("Application Shortcuts", "Application Shor…"),
        ("Keyboard", "Keyb0ard"),
        ("Regular expression", "Regular expresslon"),
        ("100 %", "100%"),
        ("Command", "Cornmand"),
        ("Headers and Footers", "Headers and Fooers"),
        ("5", "5 %"),
        ("15", "$15"),
        ("2010-2020", "2010 -2020"),
    ],
)
def test_likely_misreadings_are_still_found(name: str, seen: str) -> None:
    assert FOUND <= similarity(name, seen) < 1.0


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("File", "Tile"),
        ("File", "Profile"),
        ("Save", "Save As"),
        ("8", "B"),
        ("+", "-"),
        ("13,3 KiB", "13,8 KiB"),
        ("Page 1", "Page 2"),
        ("Zoom In", "Zoom Out"),
        ("Undo", "Redo"),
        ("Increase Indent", "Decrease Indent"),
        ("Sort Ascending", "Sort Descending"),
        ("1,5", "15"),
        ("Column 10", "Column 1"),
        ("-5", "5"),
        ("5", "−5"),
        ("+5", "-5"),
        ("-15 °C", "15 °C"),
        ("Brightness -100 %", "Brightness 100 %"),
        ("Temperature (−5)", "Temperature (5)"),
    ],
)
def test_another_name_is_not_found(name: str, seen: str) -> None:
    assert similarity(name, seen) < FOUND


@given(st.integers(0, 10**6), st.sampled_from(["", "Zoom ", "Offset: "]), st.sampled_from(["", " %", " px"]))
def test_a_number_is_never_its_opposite(number: int, before: str, after: str) -> None:
    positive, negative = f"{before}{number}{after}", f"{before}−{number}{after}"
    assert similarity(positive, negative) < FOUND
    assert similarity(negative, positive) < FOUND
    assert similarity(negative, negative.replace("−", "-")) == 1.0


@given(st.integers(0, 999), st.sampled_from(["+{}", "{} %", "${}", "({})", "#{}"]))
def test_a_short_number_by_itself_fits_better_than_one_with_a_sign(number: int, signed: str) -> None:
    assert FOUND <= similarity(str(number), signed.format(number)) < 1 - EQUAL


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_score_is_always_between_0_and_1(name: str, seen: str) -> None:
    assert 0.0 <= similarity(name, seen) <= 1.0


@given(st.text(max_size=60))
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
def test_a_name_is_located_where_it_stands_in_a_line(words: list[str], data: st.DataObject) -> None:
    line = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    name = " ".join(words[first : last + 1])
    match = locate(name, line)
    assert match is not None
    assert match.score == 1.0 or similarity(name, line) >= 0.95
    assert similarity(name, line[match.start : match.end]) >= 0.95


def test_letters_in_a_mathematical_font_are_letters() -> None:
    assert normalise("𝓐dd") == "add"


def test_an_entry_of_a_menu_bar_read_as_one_line_is_located() -> None:
    match = locate("Edit", "File Edit View Insert")
    assert match is not None
    assert "File Edit View Insert"[match.start : match.end] == "Edit"
