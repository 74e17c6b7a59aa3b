"""Starting at login: the texts that each system reads, and the file that Linux desktops look for."""

from __future__ import annotations

import configparser
import os
import plistlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.desktop import autostart
from fingerpost.app.desktop.autostart import AutostartError

PARTS = st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"])), min_size=1, max_size=4)


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "autostart" / "fingerpost.desktop"


def arguments(line: str) -> list[str]:
    """An Exec line read as the Desktop Entry Specification says: the file's escapes, the quotes, the field codes."""
    unescaped = line.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")
    return ["".join(part).replace("%%", "%") for part in split(iter(unescaped))]


def split(characters: Iterator[str]) -> Iterator[list[str]]:
    """Words between spaces; double quotes hold a word together, and in them a backslash takes the next one as it is."""
    word: list[str] | None = None
    quoted = False
    for character in characters:
        if character == '"':
            quoted, word = not quoted, word or []
        elif character == " " and not quoted:
            yield word or []
            word = None
        else:
            word = [*(word or []), next(characters) if character == "\\" and quoted else character]
    yield word or []


class DesktopFile(configparser.RawConfigParser):
    """Keys keep their case, and only "=" ends them."""

    def __init__(self, text: str) -> None:
        super().__init__(delimiters=("=",), interpolation=None)
        self.read_string(text)

    def optionxform(self, optionstr: str) -> str:
        return optionstr


@given(parts=PARTS)
def test_a_desktop_reads_the_command_back(parts: list[str]) -> None:
    assert arguments(autostart.exec_line(parts)) == parts


def test_a_plain_command_stays_readable() -> None:
    assert autostart.exec_line(("/usr/bin/fingerpost", "app", "--hidden")) == "/usr/bin/fingerpost app --hidden"


@given(parts=PARTS)
def test_macos_reads_the_command_back(parts: list[str]) -> None:
    plain = ["".join(character for character in part if character.isprintable()) for part in parts]
    content = plistlib.loads(autostart.launch_agent(plain).encode("utf-8"))
    assert content["ProgramArguments"] == plain
    assert content["RunAtLoad"] is True


def test_windows_gets_one_line_with_quotes_where_they_are_needed() -> None:
    line = autostart.windows_command((r"C:\Program Files\Python\pythonw.exe", "-m", "fingerpost", "app"))
    assert line == r'"C:\Program Files\Python\pythonw.exe" -m fingerpost app'


def test_the_command_starts_this_installation_hidden() -> None:
    command = autostart.command()
    assert command[-2:] == ("app", "--hidden")
    assert Path(command[0]).parent == Path(sys.executable).parent
    assert os.access(command[0], os.X_OK)


def test_an_appimage_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPIMAGE", "/opt/Fingerpost.AppImage")
    assert autostart.command() == ("/opt/Fingerpost.AppImage", "app", "--hidden")


def test_switching_it_on_and_off_again(place: Path) -> None:
    assert not autostart.is_enabled()
    autostart.set_enabled(False)
    autostart.set_enabled(True)
    assert autostart.is_enabled()
    content = DesktopFile(place.read_text("utf-8"))["Desktop Entry"]
    assert content["Type"] == "Application"
    assert arguments(content["Exec"]) == list(autostart.command())
    autostart.set_enabled(False)
    assert not autostart.is_enabled()
    assert list(place.parent.iterdir()) == []


def test_where_it_cannot_be_written_one_sentence_says_so(place: Path) -> None:
    place.parent.write_text("in the way", "utf-8")
    with pytest.raises(AutostartError) as raised:
        autostart.set_enabled(True)
    assert raised.value.message
    assert "app --hidden" in raised.value.hint


def test_the_desktop_entry_of_the_package_starts_commands_that_exist() -> None:
    from fingerpost.app.cli.app import app

    path = Path(__file__).parents[3] / "packaging" / "linux" / "org.fingerpost.Fingerpost.desktop"
    parser = DesktopFile(path.read_text("utf-8"))
    options = {name for parameter in app.params for name in parameter.opts}
    for section in parser.sections():
        program, command, *rest = arguments(parser[section]["Exec"])
        assert (program, command) == ("fingerpost", "app")
        assert set(rest) <= options
