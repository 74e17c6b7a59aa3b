"""What a query means on a screen, on scenes made by hand: the rules, without the eyes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine.lite import search
from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.icon_search import icon_boxes
from fingerpost.engine.lite.icons import IconReader
from fingerpost.engine.lite.query import parse
from fingerpost.engine.lite.scene import Container, Element, Scene, TextLine
from fingerpost.engine.lite.search import Search
from fingerpost.engine.values import Box, Frame, FrameSize
from fingerpost.models.lexicon import lexicon

SIZE = FrameSize(1200, 900)
QUERY_WORDS = {word for table in vars(lexicon()).values() for words in table for word in words}
WORDS = st.text("abcdefghjkmnopqrsuvwxyz", min_size=4, max_size=9).filter(lambda word: word not in QUERY_WORDS)
"""Names that say nothing else; without i, l and t, which OCR takes for each other."""


def text(content: str, x: int, y: int, height: int = 20) -> TextLine:
    """A line whose characters are half as wide as it is high."""
    step = height / 2
    centres = tuple(x + step * (i + 0.5) for i in range(len(content)))
    return TextLine(content, Box(x, y, max(1, round(step * len(content))), height), 0.99, centres)


def element(kind: str, x: int, y: int, width: int, height: int) -> Element:
    return Element(Box(x, y, width, height), kind, 0.9)


def scene(lines: Sequence[TextLine], elements: Sequence[Element] = (), containers: Sequence[Container] = ()) -> Scene:
    return Scene(SIZE, tuple(lines), tuple(elements), tuple(containers), 1.0)


@pytest.fixture(scope="module")
def icons() -> IconReader:
    return IconReader()


BLANK = Frame(np.full((SIZE.height, SIZE.width, 4), 240, np.uint8))


class Asking:
    """Asks on scenes of which the picture is blank."""

    def __init__(self, icons: IconReader) -> None:
        self._icons = icons

    def __call__(self, on: Scene, query: str) -> tuple[Candidate, ...]:
        return Search(BLANK, on, self._icons).find(parse(query))[0].candidates

    def point(self, on: Scene, query: str) -> tuple[int, int]:
        return self(on, query)[0].point


@pytest.fixture(scope="module")
def ask(icons: IconReader) -> Asking:
    return Asking(icons)


# Fields and their labels


def form(*names: str) -> Scene:
    """A form: in each row a label, and right of it its field."""
    lines = [text(f"{name}:", 40, 100 + 40 * i) for i, name in enumerate(names)]
    return scene(lines, [element("field", 260, 98 + 40 * i, 300, 24) for i in range(len(names))])


def field(row: int) -> tuple[int, int]:
    return Box(260, 98 + 40 * row, 300, 24).centre


FIELD_QUERIES = (
    "the field next to {}", 'the field beside "{}"', "the field to the right of {}", "das Feld neben {}",
    "el campo junto a {}", "o campo ao lado de {}",
)  # fmt: skip


@pytest.mark.parametrize("query", FIELD_QUERIES)
@settings(max_examples=40)
@given(names=st.lists(WORDS, min_size=2, max_size=5, unique=True), data=st.data())
def test_the_field_next_to_a_label_is_its_own(ask: Asking, query: str, names: list[str], data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(names) - 1))
    on = form(*names)
    if len(ask(on, names[row])) == 1:  # names that are like each other are another matter
        assert ask.point(on, query.format(names[row])) == field(row)


BESIDE_QUERIES = (
    "Remove next to {}",
    "the Remove button next to {}",
    "der Knopf Remove neben {}",
    "Remove right of {}",
)


@pytest.mark.parametrize("query", BESIDE_QUERIES)
@settings(max_examples=40)
@given(names=st.lists(WORDS, min_size=2, max_size=5, unique=True), data=st.data())
def test_a_button_that_every_row_has_is_that_of_the_row_named(
    ask: Asking, query: str, names: list[str], data: st.DataObject
) -> None:
    row = data.draw(st.integers(0, len(names) - 1))
    lines = [text(name, 60, 110 + 50 * i) for i, name in enumerate(names)]
    lines += [text("Remove", 320, 110 + 50 * i) for i in range(len(names))]
    buttons = [element("button", 300, 100 + 50 * i, 110, 40) for i in range(len(names))]
    on = scene(lines, buttons)
    if len(ask(on, f'"{names[row]}"')) == 1:  # names that are like each other are another matter
        assert ask(on, query.format(names[row]))[0].box == buttons[row].box


def test_labels_above_their_fields_name_those(ask: Asking) -> None:
    on = scene(
        [text("Street", 40, 100), text("Town", 40, 170)],
        [element("field", 40, 124, 300, 24), element("field", 40, 194, 300, 24)],
    )
    assert ask.point(on, "the field next to Street") == (190, 136)
    assert ask.point(on, "the field below Town") == (190, 206)


def test_a_field_that_looks_like_a_mere_box_is_still_the_labels_own(ask: Asking) -> None:
    on = scene(
        [text("Street:", 40, 100), text("Town:", 40, 140)],
        [element("box", 260, 98, 300, 24), element("field", 260, 138, 300, 24)],
    )
    assert ask.point(on, "the field next to Street") == field(0)


@pytest.mark.parametrize(
    "query", ["the field below Street", "the field next to the Street field", "the field below the Street field"]
)
def test_the_words_may_demand_another_field(ask: Asking, query: str) -> None:
    assert ask.point(form("Street", "Town", "Land"), query) == field(1)


def test_a_button_next_to_a_label_is_no_field(ask: Asking) -> None:
    on = scene([text("Street:", 40, 100)], [element("field", 260, 98, 300, 24), element("button", 580, 98, 60, 24)])
    assert ask.point(on, "the button next to Street") == (610, 110)


# Names that end like a kind


KIND_WORDS = (
    "word",
    "text",
    "label",
    "field",
    "menu",
    "tab",
    "list",
    "item",
    "row",
    "column",
    "option",
    "link",
    "icon",
)


@pytest.mark.parametrize("kind_word", KIND_WORDS)
@pytest.mark.parametrize("query", ["click {}", "{}", "the {}", "please press {}"])
@settings(max_examples=20)
@given(first=WORDS, second=WORDS)
def test_a_label_that_ends_like_a_kind_is_found_whole(
    ask: Asking, query: str, kind_word: str, first: str, second: str
) -> None:
    whole = f"{first} {second} {kind_word}".capitalize()
    on = scene([text(whole, 40, 100), text(f"{first} other".capitalize(), 40, 140)])
    best = ask(on, query.format(whole))[0]
    assert best.label == whole
    assert best.coverage == 1.0


@pytest.mark.parametrize("kind_word", ["button", "menu", "tab", "field", "check box", "icon"])
def test_without_such_a_label_the_kind_is_only_a_kind(ask: Asking, kind_word: str) -> None:
    on = scene([text("Export", 40, 100), text("Exports of the year", 40, 140)], [element("button", 30, 95, 90, 30)])
    assert ask(on, f"the Export {kind_word}")[0].label == "Export"


def test_the_thing_itself_comes_before_a_text_that_says_the_description(ask: Asking) -> None:
    on = scene([text("Save", 40, 100), text("Save button", 40, 300)], [element("button", 30, 95, 60, 30)])
    assert ask(on, "the Save button")[0].box == Box(30, 95, 60, 30)


# Marks and their captions


@pytest.mark.parametrize("kind", ["check box", "radio button", "switch"])
@pytest.mark.parametrize("gap", [-18, -2, 6, 20])
def test_the_mark_of_a_caption_is_returned_also_when_its_box_runs_into_the_text(
    ask: Asking, kind: str, gap: int
) -> None:
    on = scene(
        [text("Wrap around", 100, 200), text("check box", 100, 300), text("Wrap long lines", 100, 240)],
        [element(kind, 100 - 16 - gap, 202, 16, 16), element(kind, 78, 242, 16, 16)],
    )
    best = ask(on, f"the Wrap around {kind}")[0]
    assert (best.kind, best.point) == (kind, Box(84 - gap, 202, 16, 16).centre)


@pytest.mark.parametrize("looks", ["icon", "box", "button"])
def test_a_small_square_before_the_caption_is_the_check_box_that_was_asked_for(ask: Asking, looks: str) -> None:
    on = scene([text("Wrap around", 100, 200)], [element(looks, 78, 202, 16, 16)])
    assert ask.point(on, "the Wrap around check box") == (86, 210)
    assert ask(on, "the Wrap around check box")[0].kind == "check box"


SWITCH_QUERIES = (
    "the Wi-Fi switch", "turn on Wi-Fi", "turn Wi-Fi off", "switch on the Wi-Fi", "enable Wi-Fi", "toggle Wi-Fi",
    "the Wi-Fi toggle", "schalte Wi-Fi ein", "schalte das Wi-Fi aus", "activa Wi-Fi", "desative o Wi-Fi",
    "please turn off Wi-Fi",
)  # fmt: skip


@pytest.mark.parametrize("query", SWITCH_QUERIES)
@pytest.mark.parametrize("shown", ["switch", "check box", "box"])
def test_a_switch_at_the_end_of_the_row_is_that_of_the_rows_label(ask: Asking, query: str, shown: str) -> None:
    on = scene(
        [
            text("Bluetooth", 100, 200),
            text("Wi-Fi", 100, 260),
            text("Connected", 100, 284, 16),
            text("Hotspot", 100, 330),
        ],
        [element(shown, 900, y, 44, 22) for y in (198, 266, 328)],
    )
    assert ask.point(on, query) == (922, 277)


def test_a_mark_with_a_caption_of_its_own_is_not_taken_by_the_text_before_it(ask: Asking) -> None:
    on = scene([text("Options", 100, 200), text("Wrap", 320, 200)], [element("check box", 296, 202, 16, 16)])
    assert ask(on, "the Options check box")[0].point == Box(100, 200, 70, 20).centre


def test_without_asking_for_a_switch_the_text_is_the_point(ask: Asking) -> None:
    on = scene([text("Bluetooth", 100, 200)], [element("switch", 900, 198, 44, 22)])
    assert ask.point(on, "Bluetooth") == Box(100, 200, 90, 20).centre


def test_a_command_that_begins_with_such_a_verb_is_found_as_it_stands(ask: Asking) -> None:
    on = scene([text("Turn on Wi-Fi", 100, 200), text("Wi-Fi", 100, 260)], [element("switch", 900, 258, 44, 22)])
    assert ask(on, "turn on Wi-Fi")[0].label == "Turn on Wi-Fi"


# Icons


@pytest.fixture
def floppy(monkeypatch: pytest.MonkeyPatch) -> Candidate:
    """A picture that the icon model surely takes for "save"."""
    candidate = Candidate(Box(20, 20, 24, 24), (32, 32), "save", "icon", 0.9, 1.0, "icon")
    knows = {"save", "Save"}
    monkeypatch.setattr(search, "by_icon", lambda f, s, i, names: [candidate] if knows & set(names) else [])
    return candidate


@pytest.mark.parametrize(
    "query", ["the Save icon", "the save symbol", "das Symbol Save", "el icono Save", "o ícone Save"]
)
@pytest.mark.parametrize("kind", ["button", "menu item", "link", "tab", "text"])
def test_who_asks_for_an_icon_gets_the_picture_and_not_the_text(
    ask: Asking, floppy: Candidate, query: str, kind: str
) -> None:
    on = scene([text("Save", 400, 300)], [element(kind, 390, 295, 80, 30)])
    assert ask(on, query) == (floppy,)


def test_a_doubtful_picture_is_not_preferred_to_the_name_itself(
    ask: Asking, floppy: Candidate, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubtful = replace(floppy, name_score=0.65)
    monkeypatch.setattr(search, "by_icon", lambda f, s, i, names: [doubtful])
    assert ask(scene([text("Save", 400, 300)]), "the Save icon")[0].label == "Save"
    assert ask(scene([text("Print", 400, 300)]), "the Save icon") == (doubtful,)


def test_who_asks_for_no_icon_gets_the_text(ask: Asking, floppy: Candidate) -> None:
    on = scene([text("Save", 400, 300)], [element("button", 390, 295, 80, 30)])
    for query in ("Save", "the Save button", "click Save"):
        assert floppy not in ask(on, query)[:1]


def test_without_such_a_picture_the_text_is_better_than_nothing(ask: Asking) -> None:
    on = scene([text("Quux", 400, 300)], [element("button", 390, 295, 80, 30)])
    assert ask(on, "the Quux icon")[0].label == "Quux"


@pytest.mark.parametrize("kind", ["check box", "radio button", "switch"])
def test_the_mark_of_a_caption_is_no_picture_that_may_be_meant(kind: str) -> None:
    mark, alone = element(kind, 60, 102, 16, 16), element(kind, 60, 302, 16, 16)
    tick = element("icon", 63, 105, 10, 10)
    on = scene([text("Wrap around", 84, 100)], [mark, tick, alone])
    assert [box for box in icon_boxes(on) if mark.box.contains(*box.centre)] == []
    assert [box for box in icon_boxes(on) if alone.box.contains(*box.centre)] or kind == "switch"


# Lists, drop-down lists, numbers


CHOICE_QUERIES = (
    "select Large in the Size drop-down", "choose Large from the Size list", 'pick "Large" in the "Size" combo box',
    "wähle Large in der Auswahlliste Size", "selecciona Large en el desplegable Size", "escolha Large na lista Size",
)  # fmt: skip


@pytest.mark.parametrize("query", CHOICE_QUERIES)
def test_an_entry_of_a_drop_down_list_is_the_one_under_its_field(ask: Asking, query: str) -> None:
    choices = ["Small", "Large", "Huge"]
    lines = [text("Size:", 100, 100), text("Small", 210, 100), text("Large", 700, 100)]
    lines += [text(choice, 210, 140 + 30 * i) for i, choice in enumerate(choices)]
    elements = [element("combo", 200, 96, 200, 28)]
    elements += [element("list item", 200, 135 + 30 * i, 200, 30) for i in range(3)]
    assert ask(scene(lines, elements), query)[0].box == Box(200, 165, 200, 30)


def rows(count: int, kind: str = "list item") -> Scene:
    lines = [text(f"{chr(97 + i) * 5}", 110, 100 + 30 * i) for i in range(count)]
    return scene(
        lines,
        [element(kind, 100, 95 + 30 * i, 300, 30) for i in range(count)],
        [Container(Box(90, 90, 320, 800), "list")],
    )


@pytest.mark.parametrize(
    "query",
    ["the {ordinal} item in the list", "row {number}", "the {ordinal} row", "item {number}", "the row number {number}",
     "click row {number}", "Zeile {number}", "die {number}. Zeile", "fila {number}", "a linha {number}"],
)  # fmt: skip
@pytest.mark.parametrize("number", [1, 3, 12, 20])
def test_rows_and_entries_are_counted_from_the_top(ask: Asking, query: str, number: int) -> None:
    ordinal = {1: "first", 3: "third"}.get(number, f"{number}th")
    assert ask.point(rows(20), query.format(number=number, ordinal=ordinal)) == (250, 110 + 30 * (number - 1))


@pytest.mark.parametrize(
    "query", ["the third item in the menu", "the third menu item", "der dritte Menüeintrag", "item 3"]
)
def test_entries_of_an_open_menu_are_counted_without_their_shortcuts(ask: Asking, query: str) -> None:
    entries = ["New", "Open", "Save", "Print"]
    lines = [text(name, 60, 100 + 30 * i) for i, name in enumerate(entries)]
    lines += [text(f"Ctrl+{name[0]}", 200, 100 + 30 * i) for i, name in enumerate(entries)]
    on = scene([*lines, text("File", 55, 60)], [], [Container(Box(50, 90, 250, 130), "menu", "File")])
    assert ask(on, query)[0].label == "Save"
    assert ask(on, query.replace("3", "9").replace("third", "ninth").replace("dritte", "neunte")) == ()


@pytest.mark.parametrize("query", ["the first row", "the last row", "row 1", "the second item in the list"])
def test_a_marked_row_alone_is_not_counted(ask: Asking, query: str) -> None:
    on = scene(
        [text(f"{c * 5}", 110, 100 + 30 * i) for i, c in enumerate("abc")], [element("list item", 100, 125, 300, 30)]
    )
    assert ask(on, query) == ()


@pytest.mark.parametrize("query", ["tab 1", "row 1", "item 1", "column 1"])
def test_a_number_elsewhere_is_no_thing_of_that_number(ask: Asking, query: str) -> None:
    assert ask(scene([text("1", 400, 400)], [element("button", 390, 395, 40, 30)]), query) == ()


def test_a_row_that_is_not_there_is_not_found(ask: Asking) -> None:
    assert ask(rows(4), "row 5") == ()
    assert ask(rows(4), "the 12th item in the list") == ()


@pytest.mark.parametrize(
    "query", ["tab 3", "the third tab", "switch to tab 3", "der 3. Reiter", "the 3rd tab", "pestaña 3"]
)
def test_tabs_are_counted_along_the_row(ask: Asking, query: str) -> None:
    on = scene([text(name, 60 + 120 * i, 50) for i, name in enumerate(["General", "Fonts", "Colours", "Keys"])],
               [element("tab", 40 + 120 * i, 40, 118, 36) for i in range(4)])  # fmt: skip
    assert ask(on, query)[0].box == Box(280, 40, 118, 36)


@pytest.mark.parametrize("name", ["Tab 3", "Row 3", "Column 3", "Item 3"])
def test_a_label_with_that_number_comes_first(ask: Asking, name: str) -> None:
    on = scene([text(name, 500, 500), *(text(w, 60 + 120 * i, 50) for i, w in enumerate(["aaaa", "bbbb", "cccc"]))],
               [element("tab", 40 + 120 * i, 40, 118, 36) for i in range(3)])  # fmt: skip
    for query in (name, f"the {name}", f"click {name}"):
        assert ask(on, query)[0].label == name


def test_a_number_on_a_key_is_its_name(ask: Asking) -> None:
    on = scene(
        [text(str(n), 110 + 60 * n, 110) for n in range(10)],
        [element("button", 100 + 60 * n, 100, 50, 40) for n in range(10)],
    )
    for query in ("button 7", "the 7 button", "press 7", "7"):
        assert ask(on, query)[0].label == "7"


def spreadsheet(first_row: int = 1) -> Scene:
    """Columns A to F, 80 wide from x = 50; eight rows, 24 high from y = 100; headers above and to the left."""
    cells = [element("cell", 50 + 80 * c, 100 + 24 * r, 80, 24) for c in range(6) for r in range(8)]
    columns = [text(chr(65 + c), 85 + 80 * c, 78) for c in range(6)]
    numbers = [text(str(first_row + r), 20, 102 + 24 * r) for r in range(8)]
    return scene([*columns, *numbers, text("5", 300, 600)], cells)


@pytest.mark.parametrize(
    ("query", "point"),
    [("column E", (370, 88)), ("the column E", (370, 88)), ("Spalte E", (370, 88)), ("the fifth column", (370, 88)),
     ("row 5", (25, 208)), ("the 5th row", (25, 208)), ("Zeile 5", (25, 208)), ("cell B3", (170, 160)),
     ("B3", (170, 160)), ("die Zelle B3", (170, 160)), ("click into cell E5", (410, 208))],
)  # fmt: skip
def test_rows_columns_and_cells_of_a_spreadsheet(ask: Asking, query: str, point: tuple[int, int]) -> None:
    x, y = ask.point(spreadsheet(), query)
    assert (abs(x - point[0]) <= 40, abs(y - point[1]) <= 8) == (True, True), (x, y)


def test_a_scrolled_spreadsheet_has_the_rows_it_shows(ask: Asking) -> None:
    assert abs(ask.point(spreadsheet(first_row=40), "row 42")[1] - 160) <= 8


# Synonyms


def test_a_name_that_is_there_comes_before_one_that_means_the_same(ask: Asking) -> None:
    on = scene([text("Preferences", 40, 100), text("Settings", 400, 100)])
    assert ask(on, "settings")[0].label == "Settings"
    assert ask(on, "Preferences")[0].label == "Preferences"


def test_an_exact_name_in_a_later_reading_comes_before_a_synonym_of_the_first(ask: Asking) -> None:
    on = scene([text("Remove", 40, 100), text("Delete file", 400, 100)])
    assert ask(on, "delete file")[0].label == "Delete file"


@pytest.mark.parametrize(
    ("query", "label"), [("preferences", "Einstellungen"), ("Guardar", "Save"), ("Datei öffnen", "Abrir")]
)
def test_only_whole_labels_mean_the_same(ask: Asking, query: str, label: str) -> None:
    assert ask(scene([text(f"{label} everything now", 40, 100)]), query) == ()


@pytest.mark.parametrize(
    ("query", "label"),
    [("file settings", "File properties"), ("restore defaults", "Default"), ("close tab", "Close window"),
     ("Einfügen Zeile", "paste Zeile"), ("new document", "New folder")],
)  # fmt: skip
def test_a_thing_that_is_only_alike_is_not_found(ask: Asking, query: str, label: str) -> None:
    assert ask(scene([text(label, 40, 100)]), query) == ()


# Places after a bare name


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("Delete at the top", 0), ("Delete in the middle", 1), ("Delete at the bottom", 2), ("Delete oben", 0),
        ("Delete unten", 2), ("Delete arriba", 0), ("Delete en la parte inferior", 2), ("Delete no topo", 0),
        ("Delete embaixo", 2),
    ],
)  # fmt: skip
def test_a_place_after_a_bare_name_tells_which_one(ask: Asking, query: str, row: int) -> None:
    on = scene([text("Delete", 300, 100 + 200 * place) for place in range(3)])
    assert ask.point(on, query) == on.lines[row].box.centre


@given(WORDS, WORDS)
@settings(max_examples=20)
def test_a_label_that_says_the_place_is_preferred_to_a_shorter_one_there(ask: Asking, name: str, other: str) -> None:
    whole = f"{name} at the top"
    on = scene([text(name, 300, 100), text(other, 300, 200), text(whole, 300, 300)])
    assert ask(on, whole)[0].label == whole
