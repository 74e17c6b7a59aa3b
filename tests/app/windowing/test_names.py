"""Names of programs, and the parts of the Windows and macOS handlers that are arithmetic."""

from __future__ import annotations

import os

from fingerpost.app.windowing import macos, windows
from fingerpost.app.windowing.processes import is_runner, names_of, running
from fingerpost.engine.values import Box


def test_this_process_is_known_by_its_executable() -> None:
    assert any(name.startswith("python") for name in names_of(os.getpid()))
    assert names_of(os.getpid()) <= running()


def test_a_process_that_is_gone_has_no_name() -> None:
    assert names_of(2**22 + 1) == frozenset()


def test_programs_that_run_others_are_told_from_those_that_do_something() -> None:
    assert is_runner("python3.11")
    assert is_runner("java")
    assert not is_runner("mousepad")
    assert not is_runner("python-editor")


def test_windows_programs_are_named_after_their_file() -> None:
    assert windows.program_name("C:\\Program Files\\KeePassXC\\KeePassXC.exe") == "keepassxc"


def test_a_process_above_us_or_unknown_is_elevated() -> None:
    usual, elevated = 0x2000, 0x3000
    assert not windows.is_elevated(usual, usual)
    assert windows.is_elevated(elevated, usual)
    assert windows.is_elevated(None, elevated)
    assert not windows.is_elevated(elevated, elevated)
    assert not windows.is_elevated(usual, elevated)


def test_an_entry_of_the_macos_list_becomes_a_window() -> None:
    bounds = {"X": -1440.0, "Y": 25.0, "Width": 800.0, "Height": 600.4}
    entry = {"kCGWindowBounds": bounds, "kCGWindowOwnerName": "TextEdit", "kCGWindowOwnerPID": 7, "kCGWindowNumber": 3}
    found = macos.as_window(entry)
    assert (found.id, found.title, found.app, found.pid, found.box) == (3, "", "textedit", 7, Box(-1440, 25, 800, 600))
