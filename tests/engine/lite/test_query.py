"""Queries are taken apart as a person means them, in four languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.engine.lite.query import Anchor, ParsedQuery, parse
from fingerpost.engine.lite.scene import KINDS

QUERY_WORDS = (
    "the", "click", "open", "in", "below", "next to", "right of", "second", "last", "from the top", "top", "right",
    "button", "menu", "tab", "toolbar", '"Save"', '"', "“Print”", "Name", "File", "im", "no", "der", "o", "menú", "de",
    "for", "labelled", "[Esc]", ">", ",", "-Menü", "A1", "close", "corner", "please",
)  # fmt: skip


def readings(text: str) -> list[ParsedQuery]:
    first = parse(text)
    return [first, *first.alternatives]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("the forward button", "forward", "button"),
        ("click the down icon", "down", "icon"),
        ("open the File menu", "File", "menu"),
        ("open File menu", "File", "menu"),
        ("save button", "save", "button"),
        ("the toggle playlist button", "toggle playlist", "button"),
        ("the open in new tab button", "open in new tab", "button"),
        ("the tab search button", "tab search", "button"),
        ("sort by the Status column", "Status", "column header"),
        ("click into the Quick search field", "Quick search", "field"),
        ("click into cell AC12", "AC12", "cell"),
        ("the slider for repeat delay", "repeat delay", "slider"),
        ("the button labelled Next", "Next", "button"),
        ("toggle the option Match case", "Match case", "check box"),
        ("switch to the General tab", "General", "tab"),
        ("follow the link Read more", "Read more", "link"),
        ("choose Copy from the menu", "Copy", "menu item"),
        ("select report.pdf in the list", "report.pdf", "list item"),
        ("I want to click the OK button, please", "OK", "button"),
        ("das Symbol Suchen", "Suchen", "icon"),
        ("Klicke auf die Schaltfläche Speichern", "Speichern", "button"),
        ("das Datei-Menü", "Datei", "menu"),
        ("el icono Adelante", "Adelante", "icon"),
        ("abre el menú Ayuda", "Ayuda", "menu"),
        ("o menu Ajuda", "Ajuda", "menu"),
        ("a caixa de seleção Ativar", "Ativar", "check box"),
        ("select Large in the Size drop-down", "Large", "list item"),
        ("the Wi-Fi switch", "Wi-Fi", "switch"),
        ("cell B3", "B3", "cell"),
        ("the column E", "E", "column header"),
    ],
)
def test_a_kind_beside_the_name_is_told_from_it(text: str, name: str, kind: str) -> None:
    query = parse(text)
    assert query.name.removesuffix(", please") == name
    assert kind in query.kinds


@pytest.mark.parametrize(
    "text",
    [
        "open in new tab", "new tab", "close tab", "save tool preset", "search for files", "move to home", "go up",
        "edit tab order", "print", "select all", "find next", "edit this brush", "toggle the video in fullscreen",
        "Text from File", "rotate left", "insert row below", "Save as...", "always on top", "show in menu bar",
        "icon view", "open link in the new tab", "As administrator", "In neuem Tab öffnen", "Speichern unter",
        "Nach oben", "Abrir en una pestaña nueva", "Mover para baixo", "A4", "users' own files",
    ],
)  # fmt: skip
def test_a_command_said_tersely_is_the_name_as_it_stands(text: str) -> None:
    assert parse(text).name == text


@pytest.mark.parametrize("text", ["File menu", "the right arrow button", "toggle Remember me", "open the Recent files"])
def test_what_was_said_is_tried_as_a_name_in_any_case(text: str) -> None:
    assert text in [r.name for r in readings(text)]


def test_a_verb_that_may_belong_to_the_name_is_left_out_in_another_reading() -> None:
    assert "Remember me" in [r.name for r in readings("toggle Remember me")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('click "Save"', "Save"),
        ("click “Save”", "Save"),
        ("klicke auf „Speichern“", "Speichern"),
        ("haz clic en «Guardar»", "Guardar"),
        ("klicke auf »Speichern«", "Speichern"),
        ("press 'Save'", "Save"),
        ("press 'Don’t save'", "Don’t save"),
        ('das "Datei"-Menü', "Datei"),
        ('the link "all "What\'s new" documents"', 'all "What\'s new" documents'),
        ('the ")" button', ")"),
        ('the "f(x)" button', "f(x)"),
        ('the "What’s new > Tools in the menu bar" link', "What’s new > Tools in the menu bar"),
    ],
)
def test_a_quoted_name_is_taken_as_it_stands(text: str, name: str) -> None:
    query = parse(text)
    assert query.quoted
    assert query.name == name


@pytest.mark.parametrize(
    ("text", "name", "anchor"),
    [
        ('the "Close" button in the "Print" dialog', "Close", Anchor("in", "Print", frozenset({"dialog"}))),
        ('switch to the General tab in the "Print" dialog', "General", Anchor("in", "Print", frozenset({"dialog"}))),
        ('in the "Print" dialog, click "OK"', "OK", Anchor("in", "Print", frozenset({"dialog"}))),
        ('im Dialog "Drucken" die Schaltfläche "OK"', "OK", Anchor("in", "Drucken", frozenset({"dialog"}))),
        ("the OK button of the Print dialog", "OK", Anchor("in", "Print", frozenset({"dialog"}))),
        ('the "File" menu\'s "Open" item', "Open", Anchor("in", "File", frozenset({"menu"}))),
        ("choose Copy from the Edit menu", "Copy", Anchor("in", "Edit", frozenset({"menu"}))),
        ('the "Next" icon in the toolbar', "Next", Anchor("in", "", frozenset({"toolbar"}))),
        ('the "Add" button on the tab page', "Add", Anchor("in", "", frozenset({"tab"}))),
        ("das Menü Datei in der Menüleiste", "Datei", Anchor("in", "", frozenset({"menu bar"}))),
        ("pulsa Aceptar en el diálogo", "Aceptar", Anchor("in", "", frozenset({"dialog"}))),
        ("o botão Abrir na barra de ferramentas", "Abrir", Anchor("in", "", frozenset({"toolbar"}))),
        ('the button to the right of "Search"', "", Anchor("right of", "Search", frozenset())),
        ("the field below the Name label", "", Anchor("below", "Name", frozenset({"text"}))),
        ("the link Read more below News", "Read more", Anchor("below", "News", frozenset())),
        ("das Feld unter Name", "", Anchor("below", "Name", frozenset())),
        ("el botón a la izquierda de Buscar", "", Anchor("left of", "Buscar", frozenset())),
        ("o campo ao lado de Nome", "", Anchor("next to", "Nome", frozenset())),
    ],
)
def test_what_the_target_is_related_to_is_an_anchor(text: str, name: str, anchor: Anchor) -> None:
    query = parse(text)
    assert query.name == name
    assert query.anchors == (anchor,)


def test_relations_can_follow_one_another() -> None:
    anchors = parse('the "Edit" button next to "Name" in the "Account" dialog').anchors
    assert [(a.relation, a.name) for a in anchors] == [("next to", "Name"), ("in", "Account")]


@pytest.mark.parametrize(
    ("text", "name", "ordinal", "axis", "places"),
    [
        ("the second tab", "", 2, None, ()),
        ("2nd tab", "", 2, None, ()),
        ('the last "Close" button', "Close", -1, None, ()),
        ('the third "X" link from the top', "X", 3, "y", ()),
        ('the second "X" link from the bottom', "X", -2, "y", ()),
        ('the first "X" icon from the right', "X", -1, "x", ()),
        ('the right "Close" icon', "Close", None, None, ("right",)),
        ('the upper "X" link', "X", None, None, ("top",)),
        ("the left Close icon", "Close", None, None, ("left",)),
        ("the top right button", "", None, None, ("top", "right")),
        ("close button in the top right corner", "close", None, None, ("top", "right")),
        ('"Schließen" oben rechts', "Schließen", None, None, ("top", "right")),
        ("der dritte Reiter", "", 3, None, ()),
        ("la segunda pestaña", "", 2, None, ()),
        ("el botón Cerrar arriba a la derecha", "Cerrar", None, None, ("top", "right")),
        ("o segundo botão", "", 2, None, ()),
        ("o botão Fechar em cima à direita", "Fechar", None, None, ("top", "right")),
        ("the 12th row", "", 12, None, ()),
        ("der 3. Reiter", "", 3, None, ()),
        ("la 2ª pestaña", "", 2, None, ()),
        ("the third item in the list", "", 3, None, ()),
    ],
)
def test_numbers_and_places_tell_which_one(
    text: str, name: str, ordinal: int | None, axis: str | None, places: tuple[str, ...]
) -> None:
    query = parse(text)
    assert (query.name, query.ordinal, query.axis, query.places) == (name, ordinal, axis, places)


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [
        ("Delete at the top", "Delete", ("top",)),
        ("Delete at the bottom", "Delete", ("bottom",)),
        ("Delete on the left", "Delete", ("left",)),
        ("Delete in the middle", "Delete", ("middle",)),
        ("Save as in the top right corner", "Save as", ("top", "right")),
        ("Delete bottom left", "Delete", ("bottom", "left")),
        ("Löschen oben", "Löschen", ("top",)),
        ("Löschen unten links", "Löschen", ("bottom", "left")),
        ("Löschen auf der rechten Seite", "Löschen", ("right",)),
        ("Eliminar arriba", "Eliminar", ("top",)),
        ("Eliminar en la parte inferior", "Eliminar", ("bottom",)),
        ("Eliminar a la izquierda", "Eliminar", ("left",)),
        ("Excluir em cima", "Excluir", ("top",)),
        ("Excluir embaixo", "Excluir", ("bottom",)),
        ("Excluir no canto superior direito", "Excluir", ("top", "right")),
    ],
)
def test_a_bare_name_may_be_followed_by_a_place_which_is_guessed_last(
    text: str, name: str, places: tuple[str, ...]
) -> None:
    literal, *others = readings(text)
    assert (literal.name, literal.places) == (text, ())
    assert (others[-1].name, others[-1].places, others[-1].guessed) == (name, places, True)


@pytest.mark.parametrize(
    "text",
    [
        "Rotate left", "Align to the left", "Back to top", "Always on top", "Scroll to the bottom", "Upper right",
        "Nach oben", "Nach links drehen", "Ausrichten links", "Mover arriba", "Alinear a la derecha", "Arriba",
        "Alinhar à esquerda", "Para cima", "Top", "Bottom margin", "Superior", "Keep on top", "Stay on top",
        "Pin to the left", "Tab nach rechts", "Ansicht von oben", "Fila hacia abajo", "Fijar arriba",
        "Linha para baixo", "Manter em cima",
    ],
)  # fmt: skip
def test_a_direction_belongs_to_the_name(text: str) -> None:
    assert not any(reading.guessed for reading in readings(text))


@pytest.mark.parametrize(
    ("text", "short", "full"),
    [
        ("clear display [Escape]", "clear display", "clear display [Escape]"),
        ('the "Factorial [!]" icon', "Factorial", "Factorial [!]"),
        ("the exponent [^ or **] button", "exponent", "exponent [^ or **]"),
    ],
)
def test_a_shortcut_in_brackets_is_left_out_first_and_tried_second(text: str, short: str, full: str) -> None:
    assert [r.name for r in readings(text)][:2] == [short, full]


def test_a_name_in_brackets_is_no_shortcut() -> None:
    assert parse('the "[Sans, 12]" row').name == "[Sans, 12]"


@given(st.one_of(st.text(max_size=500), st.lists(st.sampled_from(QUERY_WORDS), max_size=25).map(" ".join)))
def test_any_text_gives_readings_that_can_be_looked_for(text: str) -> None:
    for query in readings(text):
        assert query.text == text
        assert query.name or query.kinds or query.ordinal is not None or query.places or not text.strip()
        assert query.kinds <= set(KINDS)
    assert all(not r.alternatives for r in parse(text).alternatives)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=40))
def test_a_quoted_word_is_always_the_name(word: str) -> None:
    assert parse(f'click the "{word}" button in the toolbar').name == word


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the search box", "search"),
        ("type into the search field", "search"),
        ("das Suchfeld", "Suche"),
        ("el campo de búsqueda", "búsqueda"),
        ("a caixa de pesquisa", "pesquisa"),
        ("the address bar", "address"),
    ],
)
def test_some_fields_are_named_by_their_kind(text: str, name: str) -> None:
    query = parse(text)
    assert query.name == name
    assert "field" in query.kinds


@pytest.mark.parametrize(
    ("text", "name", "anchors"),
    [
        ('click "Save', "Save", ()),
        ('the "Save"button', "Save", ()),
        ('"Close" in "Find"', "Close", (Anchor("in", "Find", frozenset()),)),
        ('die Schaltfläche mit der Beschriftung "Los"', "Los", ()),
        ("der Knopf OK im Drucken-Dialog", "OK", (Anchor("in", "Drucken", frozenset({"dialog"})),)),
        ("klicke bitte auf Weiter", "Weiter", ()),
        ("could you please press the OK button?", "OK", ()),
        ("button to close the window", "close the window", ()),
    ],
)
def test_what_people_say_around_a_name_is_left_out(text: str, name: str, anchors: tuple[Anchor, ...]) -> None:
    query = parse(text)
    assert query.name == name
    assert query.anchors == anchors


def test_two_names_beside_each_other_are_also_read_as_related() -> None:
    first, related, *_ = readings("OK next to Cancel")
    assert first.name == "OK next to Cancel"
    assert (related.name, related.anchors) == ("OK", (Anchor("next to", "Cancel", frozenset()),))


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [("tab 3", "tab", 3), ("row 5", "list item", 5), ("row number 5", "list item", 5), ("Zeile Nr. 7", "list item", 7),
     ("columna 2", "column header", 2), ("switch to tab 4", "tab", 4)],
)  # fmt: skip
def test_a_number_after_a_kind_counts(text: str, kind: str, number: int) -> None:
    assert [(r.name, r.ordinal) for r in readings(text) if kind in r.kinds and r.ordinal] == [("", number)]


@pytest.mark.parametrize("text", ["button 7", "the 7 button", "cell 7", "the icon 7"])
def test_the_number_of_a_key_is_its_name(text: str) -> None:
    assert "7" in [r.name for r in readings(text)]
    assert not any(r.ordinal for r in readings(text))


@pytest.mark.parametrize(
    "text",
    ["turn on Dark mode", "turn Dark mode off", "switch Dark mode on", "enable Dark mode", "schalte Dark mode ein",
     "schalte den Dark mode aus", "activa Dark mode", "desligue o Dark mode"],
)  # fmt: skip
def test_who_turns_something_on_or_off_means_a_switch(text: str) -> None:
    assert any(r.name == "Dark mode" and {"switch", "check box"} <= r.kinds for r in readings(text))


@pytest.mark.parametrize(
    "text", ["click Match whole word", "Match whole word", "check Match whole word", "the New tab"]
)
def test_a_name_that_may_end_in_a_kind_is_also_tried_whole(text: str) -> None:
    whole = text.removeprefix("click ").removeprefix("check ").removeprefix("the ")
    assert whole in [r.name for r in readings(text)]


def test_a_kind_alone_may_be_a_name() -> None:
    assert parse("Button").name == "Button"
