"""How a key with modifiers is written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.hotkeys import Chord, ChordError
from fingerpost.app.hotkeys.chord import MODIFIERS, NAMED_KEYS
from fingerpost.app.hotkeys.windows import MOD, MOD_NOREPEAT, modifier_mask, virtual_key

KEYS = st.sampled_from([*NAMED_KEYS, *"ABCXYZ0189+-/ÄÑ"])


@given(st.sets(st.sampled_from(MODIFIERS)), KEYS)
def test_what_is_written_is_read_again(modifiers: set[str], key: str) -> None:
    held = tuple(name for name in MODIFIERS if name in modifiers)
    chord = Chord(held, key)
    if set(held) - {"Shift"} or key.startswith("F"):
        assert Chord.parse(str(chord)) == chord
    else:
        with pytest.raises(ChordError):
            Chord.parse(str(chord))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("ctrl + ALT + space", "Ctrl+Alt+Space"),
        ("Strg+Umschalt+k", "Ctrl+Shift+K"),
        ("win+esc", "Super+Escape"),
        ("Alt+Ctrl+F5", "Ctrl+Alt+F5"),
        ("Ctrl++", "Ctrl++"),
        ("f12", "F12"),
    ],
)
def test_what_people_write_is_understood(written: str, read: str) -> None:
    assert str(Chord.parse(written)) == read


@pytest.mark.parametrize(
    "written", ["", "+", "Ctrl", "Ctrl+", "Ctrl+Alt", "A", "Shift+A", "Ctrl+A+B", "A+Ctrl", "Foo+A"]
)
def test_what_is_no_key_with_modifiers_is_refused_in_one_sentence(written: str) -> None:
    with pytest.raises(ChordError) as refused:
        Chord.parse(written)
    assert refused.value.message.count(".") == 1
    assert refused.value.hint


@given(st.text(max_size=20))
def test_any_text_is_a_chord_or_refused(written: str) -> None:
    try:
        chord = Chord.parse(written)
    except ChordError:
        return
    assert Chord.parse(str(chord)) == chord


def test_windows_gets_a_mask_without_key_repeat_and_a_virtual_key() -> None:
    assert modifier_mask(Chord.parse("Ctrl+Alt+K")) == MOD["Ctrl"] + MOD["Alt"] + MOD_NOREPEAT
    assert virtual_key("K") == 0x4B
    assert virtual_key("F1") == 0x70
    assert virtual_key("Ä") is None
    assert [key for key in NAMED_KEYS if virtual_key(key) is None] == []
