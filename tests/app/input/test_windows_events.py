"""SendInput's numbers: places in units of all monitors, characters as UTF-16."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.input.windows import KEY_UP, UNICODE, VK_RETURN, absolute, key_events
from fingerpost.engine.errors import InputError
from fingerpost.engine.geometry import DesktopPoint
from fingerpost.engine.values import Box

desktops = st.builds(
    Box, st.integers(-8000, 0), st.integers(-8000, 0), st.integers(640, 16000), st.integers(480, 16000)
)


@given(desktops, st.data())
def test_windows_finds_the_same_pixel_again_also_left_of_the_first_monitor(desktop: Box, data: st.DataObject) -> None:
    x = data.draw(st.integers(desktop.x, desktop.right - 1))
    y = data.draw(st.integers(desktop.y, desktop.bottom - 1))
    across, down = absolute(DesktopPoint(x, y), desktop)
    assert 0 <= across < 65536
    assert 0 <= down < 65536
    assert desktop.x + across * desktop.width // 65536 == x
    assert desktop.y + down * desktop.height // 65536 == y


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))))
def test_every_character_is_pressed_and_released_as_utf_16(text: str) -> None:
    events = key_events(text)
    pressed = [unit for _, unit, flags in events if not flags & KEY_UP]
    assert b"".join(unit.to_bytes(2, "little") for unit in pressed).decode("utf-16-le") == text
    assert [(key, unit) for key, unit, _ in events[::2]] == [(key, unit) for key, unit, _ in events[1::2]]
    assert {flags for *_, flags in events[::2]} <= {UNICODE}
    assert {flags for *_, flags in events[1::2]} <= {UNICODE | KEY_UP}


def test_a_line_end_is_the_enter_key_and_control_characters_are_refused() -> None:
    assert key_events("\r\n") == [(VK_RETURN, 0, 0), (VK_RETURN, 0, KEY_UP)]
    with pytest.raises(InputError, match="control character"):
        key_events("\x1b")
