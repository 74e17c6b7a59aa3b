"""The palette on a real X server with a window manager: it gets the keyboard at once, and no key is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from Xlib import XK, X, display
from Xlib.ext import xtest

Wait = Callable[[Callable[[], Any]], Any]


class PaletteProgram:
    """Drives `palette_program.py`."""

    def __init__(self, runtime: Path) -> None:
        command = [sys.executable, str(Path(__file__).with_name("palette_program.py"))]
        kept = {**os.environ, "QT_QPA_PLATFORM": "xcb", "XDG_RUNTIME_DIR": str(runtime)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=kept, stderr=subprocess.DEVNULL
        )

    def tell(self, command: str) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "the palette's process has ended"
        return json.loads(answer)

    def end(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        finally:
            self.process.kill()
            self.process.stdout.close()


@pytest.fixture
def palette(manager: str, program: Any, tmp_path: Path) -> Iterator[PaletteProgram]:
    """With a window below it that has the keyboard."""
    assert manager
    program.tell("open", "below", [0, 0, 1000, 700])
    started = PaletteProgram(tmp_path)
    yield started
    started.end()


def press(*names: str) -> None:
    connection = display.Display()
    for name in names:
        code = connection.keysym_to_keycode(XK.string_to_keysym(name))
        for kind in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(connection, kind, code)
    connection.sync()
    connection.close()


def test_what_is_typed_right_after_opening_arrives_and_the_program_below_gets_none(
    palette: PaletteProgram, program: Any, wait_for: Wait
) -> None:
    program.tell("focus", "below")
    for _ in range(12):
        palette.tell("open")
        press(*"export")
        wait_for(lambda: palette.tell("query") == "export")
        press("space", *"as")
        wait_for(lambda: palette.tell("query") == "export as")
        palette.tell("close")
    assert program.of("key") == []


def test_escape_cancels_and_the_keyboard_goes_back(palette: PaletteProgram, program: Any, wait_for: Wait) -> None:
    program.tell("focus", "below")
    palette.tell("open")
    wait_for(lambda: palette.tell("area")[4])
    press("Escape")
    wait_for(lambda: palette.tell("cancelled") == 1)
    palette.tell("close")
    wait_for(lambda: not palette.tell("area")[4])
    wait_for(lambda: press("a") or program.of("key"))
    assert palette.tell("query") == ""


def test_it_is_shown_where_it_belongs(palette: PaletteProgram, wait_for: Wait) -> None:
    palette.tell("open")
    x, y, width, height, _ = wait_for(lambda: (area := palette.tell("area"))[4] and area)
    assert abs(x + width / 2 - 640) <= 1
    assert 0 < y < 800 / 3
    assert height < 300


def test_the_hotkey_again_right_after_opening_closes_it_and_types_nothing(
    palette: PaletteProgram, program: Any, wait_for: Wait
) -> None:
    program.tell("focus", "below")
    for times in range(1, 6):
        palette.tell("open")
        subprocess.run(["xdotool", "key", "ctrl+alt+space"], check=True, timeout=20)
        wait_for(lambda times=times: palette.tell("cancelled") == times)
        assert palette.tell("query") == ""
        palette.tell("close")
