"""Names and places that programs tell, joined with what is seen: better where the tree is right, never worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from fingerpost.engine.accessibility import AccessibleNode, find_node, uncovered
from fingerpost.engine.accessibility.merge import with_accessible
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.lite.scene import Container, Element, Scene, TextLine
from fingerpost.engine.values import Answer, Box, Frame, FrameSize, Query

WIDTH, HEIGHT = 800, 600
TITLES = {"File": 20, "Edit": 70, "View": 120, "Tools": 170, "Help": 230}
"""The titles of a menu bar and their places."""
TOOL = Box(100, 60, 32, 32)
ASKED = ("Bookmarks menu", "Tools", "Applications", "Network", "letters.txt", "the Help menu", "Places")
"""What is written on the file manager's window."""


def line(text: str, box: Box, score: float = 0.95) -> TextLine:
    return TextLine(text, box, score, tuple(np.linspace(box.x, box.right, len(text)).tolist()))


def drawn(*boxes: Box) -> Frame:
    """A grey frame with something in each of the boxes."""
    pixels = np.full((HEIGHT, WIDTH, 4), 230, np.uint8)
    for box in boxes:
        pixels[box.y + 4 : box.bottom - 4 : 3, box.x + 4 : box.right - 4] = 40
    return Frame(pixels)


def menu_bar() -> list[AccessibleNode]:
    return [AccessibleNode(title, "menu", Box(x, 20, 44, 24), depth=1) for title, x in TITLES.items()]


def scene(
    elements: Sequence[Element] = (), lines: Sequence[TextLine] = (), containers: Sequence[Container] = ()
) -> Scene:
    titles = [line(title, Box(x + 4, 22, 34, 20)) for title, x in TITLES.items()]
    size = FrameSize(WIDTH, HEIGHT)
    return Scene(size, (*titles, *lines), tuple(elements), tuple(containers), 1.0)


def picture(*boxes: Box) -> Frame:
    return drawn(*(node.box for node in menu_bar()), *boxes)


def joined(nodes: Sequence[AccessibleNode], seen: Scene, frame: Frame) -> list[Element]:
    """The elements of the joined scene without the menu bar."""
    told = with_accessible(seen, [*menu_bar(), *nodes], frame)
    return [element for element in told.elements if element.name not in TITLES]


def shifted(nodes: Sequence[AccessibleNode], dx: int, dy: int) -> tuple[AccessibleNode, ...]:
    return tuple(replace(node, box=node.box.moved(dx, dy)) for node in nodes)


def test_a_thing_seen_and_told_is_one_element_with_the_told_name_kind_and_place() -> None:
    seen = scene([Element(Box(102, 63, 28, 27), "check box", 0.6), Element(Box(108, 68, 16, 16), "icon", 0.5)])
    assert joined([AccessibleNode("Up", "button", TOOL)], seen, picture(TOOL)) == [Element(TOOL, "button", 1.0, "Up")]


def test_a_told_button_is_added_where_something_is_drawn_and_only_there() -> None:
    node = AccessibleNode("Up", "button", TOOL)
    assert [e.name for e in joined([node], scene(), picture(TOOL))] == ["Up"]
    assert joined([node], scene(), picture()) == []


def test_nodes_outside_of_the_picture_are_left_out() -> None:
    outside = [Box(WIDTH + 5, 60, 32, 32), Box(WIDTH - 10, 60, 32, 32), Box(-40, 60, 32, 32)]
    assert joined([AccessibleNode("Up", "button", box) for box in outside], scene(), picture()) == []


def test_a_nameless_node_gives_its_kind_to_what_is_seen_and_adds_nothing() -> None:
    seen = scene([Element(TOOL, "box", 0.6)])
    assert joined([AccessibleNode("", "button", TOOL)], seen, picture(TOOL)) == [Element(TOOL, "button", 1.0)]
    assert joined([AccessibleNode("", "button", TOOL)], scene(), picture(TOOL)) == []


def test_a_button_that_stays_pressed_is_a_switch_where_one_is_seen() -> None:
    node = AccessibleNode("Bluetooth", "toggle button", TOOL)
    assert joined([node], scene([Element(TOOL, "switch", 0.8)]), picture(TOOL))[0].kind == "switch"
    assert joined([node], scene([Element(TOOL, "box", 0.8)]), picture(TOOL))[0].kind == "button"


def test_a_button_that_stays_pressed_is_a_check_box_where_its_box_is_seen() -> None:
    told, mark = Box(300, 300, 100, 30), Box(305, 307, 16, 16)
    seen = scene([Element(mark, "check box", 0.85)], [line("Match case", Box(325, 305, 70, 20))])
    elements = joined([AccessibleNode("Match case", "toggle button", told)], seen, picture(told, mark))
    assert elements == [Element(told, "check box", 1.0, "Match case")]


@pytest.mark.parametrize("role", ["menu bar", "toolbar", "status bar"])
def test_a_bar_that_looks_like_a_field_is_none(role: str) -> None:
    bar = Box(100, 100, 400, 28)
    seen = scene([Element(bar, "field", 0.6)])
    assert joined([AccessibleNode("", role, bar)], seen, picture(bar)) == []
    assert joined([AccessibleNode("", "panel", bar)], seen, picture(bar)) == [Element(bar, "field", 0.6)]


def test_a_node_on_which_another_text_is_read_is_left_out() -> None:
    button = Box(300, 300, 90, 30)
    seen = scene([], [line("Discard", Box(315, 305, 60, 20))])
    assert joined([AccessibleNode("Save", "button", button)], seen, picture(button)) == []


def test_the_description_may_be_what_is_written() -> None:
    button = Box(300, 300, 90, 30)
    seen = scene([], [line("Discard", Box(315, 305, 60, 20))])
    node = AccessibleNode("close-button", "button", button, description="Discard")
    assert [e.name for e in joined([node], seen, picture(button))] == ["close-button"]


def test_a_field_is_named_by_its_label_and_not_by_what_it_holds() -> None:
    entry = Box(300, 300, 200, 30)
    seen = scene([], [line("Jane Miller", Box(310, 305, 90, 20))])
    assert [e.name for e in joined([AccessibleNode("Author", "field", entry)], seen, picture(entry))] == ["Author"]


def test_what_an_open_menu_covers_is_left_out_and_its_entries_are_not() -> None:
    popup = Box(20, 44, 200, 90)
    entry = Box(20, 50, 200, 30)
    nodes = [
        menu_bar()[0],
        AccessibleNode("", "menu popup", popup, depth=2),
        AccessibleNode("Import", "menu item", entry, depth=3),
        *menu_bar()[1:],
        AccessibleNode("Up", "button", TOOL, depth=1),
    ]
    seen = scene([], [line("Import", Box(50, 54, 60, 20))])
    told = with_accessible(seen, nodes, picture(entry, TOOL))
    assert {e.name for e in told.elements} == {*TITLES, "Import"}
    assert Container(popup, "menu", "File") in told.containers


def test_a_menu_that_tells_only_its_entries_covers_as_well() -> None:
    entries = [Box(20, 44, 200, 30), Box(20, 74, 200, 30)]
    nodes = [
        menu_bar()[0],
        AccessibleNode("Import", "menu item", entries[0], depth=2),
        AccessibleNode("Print", "menu item", entries[1], depth=2),
        *menu_bar()[1:],
        AccessibleNode("Up", "button", TOOL, depth=1),
    ]
    seen = scene([], [line("Import", Box(50, 49, 60, 20)), line("Print", Box(50, 79, 40, 20))])
    told = with_accessible(seen, nodes, picture(*entries, TOOL))
    assert "Up" not in {e.name for e in told.elements}
    assert Container(Box(20, 44, 200, 60), "menu", "File") in told.containers


def test_the_text_in_a_spin_box_is_no_second_field() -> None:
    spin = Box(300, 300, 80, 28)
    nodes = [
        AccessibleNode("Width", "spin", spin, depth=1),
        AccessibleNode("", "field", Box(303, 302, 55, 24), depth=2),
    ]
    assert [e.kind for e in joined(nodes, scene(), picture(spin))] == ["spin"]


def test_a_misread_letter_is_put_right() -> None:
    row = Box(100, 200, 200, 24)
    seen = scene([], [line("Pr0perties", Box(104, 202, 90, 20), 0.7)])
    told = with_accessible(seen, [*menu_bar(), AccessibleNode("Properties", "list item", row)], picture(row))
    corrected = [read for read in told.lines if read.text == "Properties"]
    assert len(corrected) == 1
    assert len(corrected[0].char_x) == len("Properties")


def test_bars_and_windows_seen_within_a_told_window_that_knows_better_are_left_out() -> None:
    bar = Box(0, 56, 400, 40)
    nodes = [
        AccessibleNode("Editor", "window", Box(0, 0, 600, 500)),
        *menu_bar(),
        AccessibleNode("", "toolbar", bar, depth=1),
    ]
    fragment, wrong_window = (
        Container(Box(96, 58, 80, 36), "toolbar"),
        Container(Box(10, 10, 300, 100), "window", "File"),
    )
    elsewhere = Container(Box(620, 56, 150, 40), "toolbar")
    seen = scene(containers=[fragment, wrong_window, elsewhere])
    told = with_accessible(seen, nodes, picture(Box(0, 56, 400, 40)))
    assert elsewhere in told.containers
    assert Container(bar, "toolbar") in told.containers
    assert Container(Box(0, 0, 600, 500), "window", "Editor") in told.containers
    assert fragment not in told.containers
    assert wrong_window not in told.containers


def test_a_picture_in_a_row_is_no_button() -> None:
    row, icon = Box(100, 200, 200, 24), Box(102, 202, 20, 20)
    seen = scene([Element(icon, "button", 0.6)], [line("Pictures", Box(130, 202, 70, 20))])
    elements = joined([AccessibleNode("Pictures", "list item", row)], seen, picture(row))
    assert Element(icon, "icon", 0.6) in elements


def test_a_tree_of_another_moment_changes_nothing() -> None:
    names = ("Undo", "Redo", "Cut", "Copy", "Paste")
    stale = [AccessibleNode(name, "menu item", Box(20, 100 + 30 * i, 200, 30)) for i, name in enumerate(names)]
    seen = scene([], [line("An unrelated text", Box(30, 105 + 30 * i, 120, 20)) for i in range(5)])
    assert with_accessible(seen, stale, picture(*(node.box for node in stale))) is seen


def test_places_are_of_the_desktop_and_the_frame_may_be_a_part_of_it() -> None:
    nodes = [
        replace(node, box=node.box.moved(-1920, 40)) for node in (*menu_bar(), AccessibleNode("Up", "button", TOOL))
    ]
    frame = replace(picture(TOOL), origin=(-1920, 40))
    told = with_accessible(scene(), nodes, frame)
    assert Element(TOOL, "button", 1.0, "Up") in told.elements


def test_nodes_under_a_window_above_are_told_apart() -> None:
    nodes = [AccessibleNode("a", "button", Box(0, 0, 20, 20)), AccessibleNode("b", "button", Box(100, 0, 20, 20))]
    assert [node.name for node in uncovered(nodes, [Box(90, 0, 200, 200)])] == ["a"]


def test_no_nodes_no_change() -> None:
    seen = scene()
    assert with_accessible(seen, [], picture()) is seen


# With a real program


def found_in(answer: Answer, node: AccessibleNode | None) -> bool:
    assert node is not None
    return answer.found and node.box.contains(answer.targets[0].x, answer.targets[0].y)


def test_a_button_that_shows_only_a_picture_is_found_by_its_name(file_manager, lite: LiteEngine) -> None:
    nodes = file_manager.snapshot.nodes
    for name in ("Go Up", "Compact View", "Detailed List", "Thumbnail View"):
        answer = lite.find(file_manager.frame, Query(name), nodes)
        assert found_in(answer, find_node(nodes, None, name)), name
        assert answer.targets[0].source == "accessibility"
        assert answer.targets[0].label == name
        assert answer.targets[0].kind == "button"
        assert not answer.ambiguous
    assert not lite.find(file_manager.frame, Query("Compact View")).found


def test_a_button_is_found_in_another_language_than_the_tree_tells(file_manager, lite: LiteEngine) -> None:
    nodes = file_manager.snapshot.nodes
    answer = lite.find(file_manager.frame, Query("Neu laden"), nodes)
    assert found_in(answer, find_node(nodes, "button", "Reload"))


def test_what_nobody_tells_and_nobody_sees_is_not_found(file_manager, lite: LiteEngine) -> None:
    assert not lite.find(file_manager.frame, Query("Quarterly Invoice"), file_manager.snapshot.nodes).found


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("the button right of the Compact View button", "Detailed List"),
        ("the third button in the toolbar", "Go Forward"),
        ("the second icon in the toolbar", "Go Back"),
        ("the reload button in the toolbar", "Reload"),
    ],
)
def test_buttons_known_by_their_names_only_are_counted_and_related(
    file_manager, lite: LiteEngine, query: str, name: str
) -> None:
    nodes = file_manager.snapshot.nodes
    assert found_in(lite.find(file_manager.frame, Query(query), nodes), find_node(nodes, None, name))


@pytest.mark.parametrize("query", ASKED)
def test_what_is_written_is_found_in_the_same_place_with_the_tree(file_manager, lite: LiteEngine, query: str) -> None:
    seen = lite.find(file_manager.frame, Query(query))
    told = lite.find(file_manager.frame, Query(query), file_manager.snapshot.nodes)
    assert seen.found
    assert told.found
    assert told.targets[0].box.contains(seen.targets[0].x, seen.targets[0].y)
    assert told.targets[0].source == "accessibility"


def test_places_relative_to_the_window_are_brought_back(file_manager, lite: LiteEngine) -> None:
    nodes = file_manager.snapshot.nodes
    window = nodes[0].box
    relative = shifted(nodes, -window.x, -window.y)
    answer = lite.find(file_manager.frame, Query("Go Up"), relative)
    assert found_in(answer, find_node(nodes, "button", "Go Up"))


def test_places_in_logical_units_are_brought_back(file_manager, lite: LiteEngine) -> None:
    nodes = file_manager.snapshot.nodes
    halves = tuple(replace(node, box=Box(*(value // 2 for value in node.box))) for node in nodes)
    answer = lite.find(file_manager.frame, Query("Go Up"), halves)
    assert found_in(answer, find_node(nodes, "button", "Go Up"))


def test_a_scrambled_tree_changes_no_answer(file_manager, lite: LiteEngine) -> None:
    random = np.random.default_rng(7)
    scrambled = tuple(
        replace(node, box=node.box.moved(*random.integers(-250, 250, 2).tolist()))
        for node in file_manager.snapshot.nodes
    )
    for query in (*ASKED, "Go Up", "Reload"):
        seen = lite.find(file_manager.frame, Query(query))
        assert lite.find(file_manager.frame, Query(query), scrambled).targets == seen.targets
