"""Trees with places of another space: found out by the texts, and brought back."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from fingerpost.engine.accessibility import AccessibleNode
from fingerpost.engine.accessibility.placement import Placement, anchors, placement
from fingerpost.engine.lite.scene import TextLine
from fingerpost.engine.values import Box

WORDS = ("File", "Edit", "View", "Bookmarks", "Tools", "Help", "Cancel", "Apply", "Export", "Close")
SHIFTS = st.integers(-400, 400)


def written(text: str, box: Box) -> TextLine:
    return TextLine(text, box, 0.95, ())


def buttons(scale: float = 1.0) -> list[Box]:
    """Two rows of buttons of 80 x 30 on the picture, irregular like real ones."""
    boxes = [Box(100 + 97 * (i % 5) + 7 * i, 60 + 55 * (i // 5), 80, 30) for i in range(len(WORDS))]
    return [Box(*(round(value / scale) for value in box)) for box in boxes]


def lines() -> list[TextLine]:
    return [
        written(word, Box(box.centre[0] - 25, box.y + 6, 50, 18)) for word, box in zip(WORDS, buttons(), strict=True)
    ]


def nodes(boxes: list[Box]) -> list[AccessibleNode]:
    return [AccessibleNode(word, "button", box) for word, box in zip(WORDS, boxes, strict=True)]


def test_a_tree_that_agrees_is_left_as_it_is() -> None:
    assert placement(anchors(nodes(buttons()), lines())) == Placement()


def test_without_any_text_in_common_a_tree_is_taken_as_it_is() -> None:
    assert anchors([AccessibleNode("Elsewhere", "button", Box(0, 0, 80, 30))], lines()) == []
    assert placement([]) == Placement()


@given(SHIFTS, SHIFTS, st.sampled_from((1.0, 1.5, 2.0)))
def test_a_shift_and_a_scale_are_undone_within_two_pixels(dx: int, dy: int, scale: float) -> None:
    assume(scale != 1.0 or abs(dx) > 40 or abs(dy) > 15)  # the texts stand in the boxes after a smaller shift, too
    told = [box.moved(round(dx / scale), round(dy / scale)) for box in buttons(scale)]
    found = placement(anchors(nodes(told), lines()))
    assert found is not None
    for box, true in zip(told, buttons(), strict=True):
        back = found.apply(box)
        assert abs(back.x - true.x) <= 3
        assert abs(back.y - true.y) <= 3


@given(st.lists(st.tuples(SHIFTS, SHIFTS), min_size=len(WORDS), max_size=len(WORDS), unique=True))
def test_a_tree_whose_nodes_are_all_over_the_place_is_refused_or_right(shifts: list[tuple[int, int]]) -> None:
    """Never more than the agreed share of the texts may stand outside of their nodes."""
    told = [box.moved(*shift) for box, shift in zip(buttons(), shifts, strict=True)]
    common = anchors(nodes(told), lines())
    found = placement(common)
    assert found is None or sum(anchor.holds(found) for anchor in common) >= 0.6 * len(common)


def test_scattered_nodes_are_refused() -> None:
    told = [box.moved(61 * i * (-1) ** i, 43 * i) for i, box in enumerate(buttons(), start=1)]
    assert placement(anchors(nodes(told), lines())) is None


def test_one_or_two_texts_elsewhere_are_no_proof_of_a_shift() -> None:
    told = [
        AccessibleNode(word, "button", box.moved(300, 200)) for word, box in zip(WORDS[:2], buttons(), strict=False)
    ]
    assert placement(anchors(told, lines())) is None


def test_names_that_are_everywhere_prove_nothing() -> None:
    often = [written("Open", Box(100, 40 * i, 50, 18)) for i in range(1, 8)]
    assert anchors([AccessibleNode("Open", "button", Box(90, 30, 80, 30))], often) == []
