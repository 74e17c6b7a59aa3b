"""What is never captured; and what happens where the windows are unknown."""

from __future__ import annotations

import subprocess

import pytest

from fingerpost.app import windowing
from fingerpost.app.acting.exclusions import excluded, windows_to_check
from fingerpost.app.settings.values import Settings
from fingerpost.app.windowing import WindowAt
from fingerpost.engine.errors import WindowError
from fingerpost.engine.values import Box

BANK = WindowAt(1, "My Bank — Browser", "firefox", 5, Box(0, 0, 9, 9), names=frozenset({"firefox", "navigator"}))
VAULT = WindowAt(2, "Passwords.kdbx", "keepassxc", 6, Box(0, 0, 9, 9), names=frozenset({"keepassxc"}))


def test_a_program_is_excluded_by_any_of_its_names_whatever_the_case() -> None:
    assert excluded([BANK, VAULT], Settings(excluded_apps=(" KeePassXC",))) is VAULT
    assert excluded([BANK], Settings(excluded_apps=("Navigator",))) is BANK
    assert excluded([BANK], Settings(excluded_apps=("fire",))) is None


def test_a_window_is_excluded_by_a_part_of_its_title() -> None:
    assert excluded([VAULT, BANK], Settings(excluded_apps=(), excluded_titles=("my BANK",))) is BANK


def test_empty_entries_exclude_nothing() -> None:
    assert excluded([BANK, VAULT], Settings(excluded_apps=("", " "), excluded_titles=("", "  "))) is None


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A desktop that does not list its windows."""
    monkeypatch.setattr(windowing, "HANDLERS", ())


@pytest.mark.usefixtures("unknown")
def test_with_excluded_titles_unknown_windows_mean_no() -> None:
    with pytest.raises(WindowError, match="does not tell"):
        windows_to_check(Settings(excluded_titles=("bank",)))


@pytest.mark.usefixtures("unknown")
def test_an_excluded_program_that_runs_means_no_and_one_that_does_not_is_no_matter() -> None:
    assert windows_to_check(Settings(excluded_apps=("keepassxc-that-nobody-has",))) == ()
    with subprocess.Popen(["sleep", "30"]) as running:
        with pytest.raises(WindowError, match="sleep is running"):
            windows_to_check(Settings(excluded_apps=("Sleep",)))
        running.kill()


def test_on_a_desktop_that_tells_the_windows_are_given(program: object, x_display: str) -> None:
    assert windows_to_check(Settings(excluded_titles=("bank",))) == ()
