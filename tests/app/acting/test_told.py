"""What a program tells of a click that the pixels do not show."""

from __future__ import annotations

from dataclasses import replace

from fingerpost.app.acting.told import told_change
from fingerpost.engine.accessibility import AccessibleNode
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box

CHECK = AccessibleNode("Match case", "check box", Box(10, 10, 90, 20), frozenset({"enabled", "showing"}))
FIELD = AccessibleNode("Name", "field", Box(10, 40, 90, 20), frozenset({"enabled"}), text="Jane")
ON_CHECK, ON_FIELD = DesktopPoint(20, 20), DesktopPoint(20, 50)


def test_a_checked_box_another_text_and_another_name_are_changes() -> None:
    assert told_change(ON_CHECK, [CHECK, FIELD], [replace(CHECK, states=CHECK.states | {"checked"}), FIELD])
    assert told_change(ON_FIELD, [CHECK, FIELD], [CHECK, replace(FIELD, text="John")])
    assert told_change(ON_FIELD, [FIELD], [replace(FIELD, name="Surname")])


def test_the_keyboard_moving_there_is_none() -> None:
    assert not told_change(ON_CHECK, [CHECK, FIELD], [replace(CHECK, states=CHECK.states | {"focused"}), FIELD])


def test_nodes_that_only_one_walk_reached_tell_nothing() -> None:
    assert not told_change(ON_CHECK, [CHECK], [FIELD])
    assert not told_change(ON_CHECK, [], [CHECK])
    assert not told_change(ON_CHECK, [CHECK, FIELD], [])


def test_what_changes_elsewhere_does_not_count() -> None:
    assert not told_change(ON_CHECK, [CHECK, FIELD], [CHECK, replace(FIELD, text="John")])
