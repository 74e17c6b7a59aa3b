"""Conversations about a screen: what "the other one" and "the one below" mean after which answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.engine import pictures
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.lite.scene import Container, Element, Scene, TextLine
from fingerpost.engine.references.neighbours import SIDES, nearest, neighbour, stands
from fingerpost.engine.session import MAX_TURNS, Session
from fingerpost.engine.values import Answer, Box, Frame, Query, Target

FRAME = Frame(np.random.default_rng(7).integers(0, 256, (400, 600, 4), np.uint8))


@dataclass
class Script:
    """An engine that finds what it was told to find."""

    places: dict[str, tuple[Box, ...]]
    ambiguous: bool = True
    kind: str = "button"
    elements: tuple[Element, ...] = ()
    lines: tuple[TextLine, ...] = ()
    source: str = "text"
    asked: list[str] = field(default_factory=list)
    name: str = "script"

    def see(self, frame: Frame) -> Scene:
        return Scene(frame.size, self.lines, self.elements, (), 1.0)

    def find(self, frame: Frame, query: Query, accessible: object = ()) -> Answer:
        self.asked.append(query.text)
        boxes = self.places.get(query.text, ())
        confidence = 1 / len(boxes) if boxes and self.ambiguous else 0.9
        targets = tuple(Target(query.text, self.kind, *b.centre, b, confidence, self.source) for b in boxes)
        return Answer(bool(boxes), self.ambiguous and len(boxes) > 1, self.name, 1.0, frame.size, targets)


A, B, C = Box(10, 10, 40, 20), Box(10, 100, 60, 30), Box(200, 10, 20, 10)


def talk(engine: Script, *queries: str, frame: Frame = FRAME, typing: bool = False) -> tuple[Session, list[Answer]]:
    session = Session()
    return session, [session.find(engine, frame, Query(text), typing=typing) for text in queries]


def first(answer: Answer) -> Box | None:
    return answer.targets[0].box if answer.targets else None


def test_without_an_answer_before_the_words_are_an_ordinary_query() -> None:
    engine = Script({"the other one": (C,)})
    _, answers = talk(engine, "save", "the other one")
    assert engine.asked == ["save", "the other one"]
    assert [first(a) for a in answers] == [None, C]


def test_the_other_one_is_the_next_best_until_none_is_left() -> None:
    _, answers = talk(Script({"save": (A, B, C)}), "save", "the other one", "not that", "no", "el otro")
    assert [first(a) for a in answers] == [A, B, C, None, None]
    assert [a.ambiguous for a in answers] == [True, True, False, False, False]
    assert answers[1].reason.startswith("2 other places")
    assert answers[3].reason == "No other place fits."


def test_fewer_places_left_are_surer() -> None:
    _, answers = talk(Script({"save": (A, B, C)}), "save", "the other one", "the other one")
    assert [round(a.targets[0].confidence, 2) for a in answers] == [0.33, 0.5, 0.98]


@pytest.mark.parametrize(
    "choice", ["the other one", "the second one", "the last one", "the lower one", "the right one"]
)
@pytest.mark.parametrize("boxes", [(A, B), (A, B, C)])
def test_to_choose_among_the_guesses_of_a_model_makes_none_of_them_surer(choice: str, boxes: tuple[Box, ...]) -> None:
    """What is certain may be clicked unasked, and how certain a model may be is its profile's to say."""
    guessed, written = (
        talk(Script({"save": boxes}, source=source), "save", choice)[1][1].targets for source in ("model", "text")
    )
    assert [target.box for target in guessed] == [target.box for target in written]
    assert {target.confidence for target in guessed} == {1 / len(boxes)}
    assert written[0].confidence > guessed[0].confidence


def test_a_rejected_place_never_comes_back_by_a_refinement() -> None:
    engine = Script({"save": (A, B)})
    _, answers = talk(engine, "save", "not that", "save", "the other one", "the first one", "the one above")
    assert [first(a) for a in answers] == [A, B, A, B, B, None]


def test_what_was_rejected_counts_again_when_it_looks_different() -> None:
    engine, session = Script({"save": (A, B)}), Session()
    session.find(engine, FRAME, Query("save"))
    assert first(session.find(engine, FRAME, Query("not that"))) == B
    changed = FRAME.pixels.copy()
    changed[15:20, 15:30] = 0
    assert first(session.find(engine, Frame(changed), Query("the next one"))) == A
    assert first(session.find(engine, Frame(FRAME.pixels.copy()), Query("the next one"))) == B


def test_on_a_changed_screen_the_query_before_is_asked_again() -> None:
    engine, session = Script({"save": (A, B)}), Session()
    session.find(engine, FRAME, Query("save"))
    other = Frame(FRAME.pixels.copy())
    other.pixels[300, 300] = 0
    engine.places["save"] = (A, C)
    assert first(session.find(engine, other, Query("the other one"))) == C
    assert engine.asked == ["save", "save"]


def test_next_and_previous_walk_through_what_was_found() -> None:
    said = ["save", "the next one", "the next one", "the next one", "the previous one"]
    _, answers = talk(Script({"save": (A, B, C)}), *said)
    assert [first(a) for a in answers] == [A, B, C, A, C]


@pytest.mark.parametrize(
    ("text", "box"),
    [("the second one", B), ("number 3", C), ("the last one", C), ("the fourth one", None), ("the one below", B),
     ("the one to the right", C), ("the lower one", B), ("the one on the right", C), ("the left one", A),
     ("the smaller one", C), ("the larger one", B), ("no, the second", B), ("no, the left one", B)],
)  # fmt: skip
def test_one_of_several_is_chosen(text: str, box: Box | None) -> None:
    _, answers = talk(Script({"save": (A, B, C)}), "save", text)
    assert first(answers[1]) == box
    assert answers[1].found == (box is not None)
    assert bool(answers[1].reason) == (box is None)
    assert not answers[1].ambiguous


def test_a_place_is_added_to_the_query() -> None:
    engine = Script({"save": (A, B), "save in the dialog": (C,)})
    _, answers = talk(engine, "save", "the other one", "that, but in the dialog")
    assert first(answers[2]) == C
    assert engine.asked == ["save", "save in the dialog"]


def test_a_button_that_is_called_so_is_meant_rather() -> None:
    engine = Script({"save": (A, B), "the next": (C,)}, lines=(TextLine("Next", C, 1.0, ()),))
    assert first(talk(engine, "save", "the next")[1][1]) == C
    assert first(talk(engine, "save", "the next one")[1][1]) == B
    assert first(talk(Script({"save": (A, B), "the next": (C,)}), "save", "the next")[1][1]) == B


def grid(kind: str = "button") -> tuple[Element, ...]:
    return tuple(Element(Box(10 + 50 * x, 10 + 40 * y, 40, 30), kind, 1.0) for y in range(3) for x in range(3))


@pytest.mark.parametrize(
    ("text", "number"), [("the one below", 7), ("the one above", 1), ("the one to the left", 3), ("rechts davon", 5)]
)
def test_next_to_a_single_place_stands_one_of_the_same_kind(text: str, number: int) -> None:
    elements = (*grid(), *grid("icon"))
    engine = Script({"five": (elements[4].box,)}, ambiguous=False, elements=elements)
    _, answers = talk(engine, "five", text)
    assert first(answers[1]) == elements[number].box
    assert answers[1].targets[0].kind == "button"


def test_beyond_the_edge_there_is_nothing() -> None:
    engine = Script({"one": (grid()[0].box,)}, ambiguous=False, elements=grid())
    assert not talk(engine, "one", "the one above")[1][1].found


def test_a_check_box_is_found_with_its_caption() -> None:
    marks = tuple(Element(Box(10, y, 14, 14), "check box", 1.0) for y in (10, 40))
    lines = tuple(TextLine(text, Box(30, y, 60, 14), 1.0, ()) for text, y in (("Bold", 10), ("Italic", 40)))
    bold = marks[0].box.union(lines[0].box)
    engine = Script({"bold": (bold,)}, ambiguous=False, kind="check box", elements=marks, lines=lines)
    target = talk(engine, "bold", "the one below")[1][1].targets[0]
    assert (target.label, target.kind) == ("Italic", "check box")
    assert marks[1].box.contains(target.x, target.y)


def test_texts_of_another_area_are_no_neighbours() -> None:
    lines = tuple(TextLine(text, Box(10, y, 60, 14), 1.0, ()) for text, y in (("Open", 10), ("Body", 40)))
    menu = Container(Box(0, 0, 100, 30), "menu bar")
    target = Target("Open", "menu", *lines[0].box.centre, lines[0].box, 1.0, "text")
    assert neighbour(Scene(FRAME.size, lines, (), (menu,), 1.0), target, "below") is None
    assert neighbour(Scene(FRAME.size, lines, (), (), 1.0), target, "below") is not None


def typed(*texts: str) -> list[str]:
    """The texts that are asked while they are typed letter by letter, each after clearing the line."""
    return [text[: i + 1] for text in texts for i in range(len(text)) if text[: i + 1].strip()]


@pytest.mark.parametrize(
    "after",
    [
        typed("the other one"),
        ["edi", "ed", "e", *typed("the other one")],
        typed("el otro"),
        [*typed("the otehr"), "the ote", "the ot", "the oth", "the other"],
        [*typed("not that"), "not tha", "not that"],
    ],
)
def test_a_query_in_the_making_is_not_what_later_words_refer_to(after: list[str]) -> None:
    noise = dict.fromkeys((*typed("the otehr", "not that", "el otro"), "e", "ed", "edi"), (C,))
    engine = Script({**noise, "edit": (A, B)})
    assert first(talk(engine, *typed("edit"), *after, typing=True)[1][-1]) == B


def test_a_refinement_typed_anew_refines_the_one_before() -> None:
    engine = Script({"edit": (A, B, C)})
    _, answers = talk(engine, *typed("edit", "the next one", "the next one"), typing=True)
    assert first(answers[-1]) == C
    _, answers = talk(engine, *typed("edit", "not that"), "not that", typing=True)
    assert first(answers[-1]) == B


def test_turns_are_only_added_and_the_oldest_are_forgotten() -> None:
    engine, session = Script({"save": (A,)}), Session()
    seen = []
    for number in range(MAX_TURNS + 3):
        session.find(engine, FRAME, Query(f"q{number}"))
        seen.append(session.turns)
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(seen[:MAX_TURNS]))
    assert len(session.turns) == MAX_TURNS
    assert session.turns[-1].query == f"q{MAX_TURNS + 2}"


def test_a_session_goes_on_from_its_turns() -> None:
    engine = Script({"save": (A, B, C)})
    session, _ = talk(engine, "save", "not that")
    assert first(Session(session.turns).find(engine, FRAME, Query("not that"))) == C


boxes = st.builds(Box, st.integers(0, 500), st.integers(0, 300), st.integers(1, 90), st.integers(1, 90))
words = st.sampled_from(
    ["not that", "the other one", "the next one", "the previous one", "no, the second one", "the one below", "no"]
)


@settings(deadline=None, max_examples=150)
@given(st.lists(boxes, max_size=6), st.lists(words, max_size=6), st.booleans())
def test_no_refinement_returns_what_was_rejected(places: list[Box], said: list[str], ambiguous: bool) -> None:
    elements = tuple(Element(box, "button", 1.0) for box in places)
    engine = Script({"save": tuple(places)}, ambiguous, elements=elements)
    session, answers = talk(engine, "save", *said)
    for turn, answer in zip(session.turns[1:], answers[1:], strict=True):
        assert answer.found == bool(answer.targets)
        assert answer.found or answer.reason or turn.subject != "save"
        assert all(0 <= t.confidence <= 1 for t in answer.targets)
        if turn.subject == "save":
            assert not [t for t in answer.targets if any(r.is_at(FRAME, t) for r in turn.rejected)]


@given(boxes, boxes)
def test_a_box_stands_on_one_side_at_most_and_the_other_on_the_opposite(a: Box, b: Box) -> None:
    opposite = {"below": "above", "above": "below", "left": "right", "right": "left"}
    sides = [side for side in SIDES if stands(a, b, side)]
    assert not {"below", "above"} <= set(sides)
    assert not {"left", "right"} <= set(sides)
    assert [opposite[side] for side in sides] == [side for side in [opposite[s] for s in sides] if stands(b, a, side)]


@given(st.lists(boxes, min_size=1, max_size=8), boxes, st.sampled_from(SIDES))
def test_the_nearest_stands_on_that_side(places: list[Box], origin: Box, side: str) -> None:
    targets = [Target("", "button", *box.centre, box, 1.0, "text") for box in places]
    pointed = Target("", "button", *origin.centre, origin, 1.0, "text")
    found = nearest(targets, pointed, side)
    assert (found is None) == (not any(stands(box, origin, side) for box in places))
    assert found is None or stands(found.box, origin, side)


def test_a_conversation_about_real_applications(lite: LiteEngine, screenshot: Path) -> None:
    frame, session = pictures.load(screenshot), Session()

    def place(text: str) -> tuple[str, int, int]:
        target = session.find(lite, frame, Query(text)).targets[0]
        return target.label, target.x, target.y

    edits = session.find(lite, frame, Query("the Edit menu"))
    shown = [(t.label, t.x, t.y) for t in edits.targets]
    assert place("the other one") == shown[1]
    assert place("not that") == shown[2]
    assert place("the 7 button")[0] == "7"
    said = ["the one to the right", "the one below", "das links davon", "el de arriba"]
    assert [place(text)[0] for text in said] == ["8", "5", "4", "7"]
