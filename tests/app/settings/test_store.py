"""The settings file: nothing that was in it is lost, whatever happens, and a sentence says what went wrong."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.settings import store
from fingerpost.app.settings.checks import CHECKS, understood
from fingerpost.app.settings.store import SettingsError, load, save
from fingerpost.app.settings.values import ACTIONS, MAX_DAYS, MAX_THREADS, THEMES, Settings
from fingerpost.app.text import LANGUAGES

NAMES = st.lists(st.text(), max_size=4).map(tuple)
ANY_SETTINGS = st.builds(
    Settings,
    language=st.sampled_from(["", *LANGUAGES]),
    theme=st.sampled_from(THEMES),
    reduced_motion=st.sampled_from([None, True, False]),
    hotkey=st.sampled_from(["Ctrl+Alt+Space", "Super+F", "F12", "Ctrl++"]),
    engine=st.text(),
    model=st.text(st.characters(exclude_categories=[])),  # a file's name may hold half characters
    threads=st.integers(1, MAX_THREADS),
    action=st.sampled_from(ACTIONS),
    allowed_apps=NAMES,
    dry_run=st.booleans(),
    excluded_apps=NAMES,
    excluded_titles=NAMES,
    history=st.booleans(),
    history_pictures=st.booleans(),
    history_days=st.integers(0, MAX_DAYS),
    dim=st.booleans(),
    start_at_login=st.booleans(),
    first_run_done=st.booleans(),
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fingerpost" / "settings.json"


def write(file: Path, content: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")


def others(file: Path) -> list[str]:
    return sorted(path.name for path in file.parent.iterdir() if path != file)


@given(settings=ANY_SETTINGS)
def test_what_is_saved_is_loaded(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("kept") / "settings.json"
    save(settings, file)
    assert load(file) == (settings, None)


@given(content=st.dictionaries(st.sampled_from([*CHECKS, "version", "else"]), ANY_JSON))
def test_whatever_a_file_holds_loading_gives_settings_that_can_be_saved(
    content: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("any") / "settings.json"
    write(file, content)
    settings, _ = load(file)
    assert understood(dataclasses.asdict(settings))[1] == []
    save(settings, file)
    assert load(file) == (settings, None)


def test_every_field_has_a_check_and_the_defaults_pass_it() -> None:
    assert set(CHECKS) == {field.name for field in dataclasses.fields(Settings)}
    assert understood(dataclasses.asdict(Settings()))[1] == []


def test_without_a_file_the_defaults_hold_and_none_is_made(file: Path) -> None:
    assert load(file) == (Settings(), None)
    assert not file.parent.exists()


def test_the_place_is_the_users_folder_for_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    save(Settings(theme="dark"))
    assert (tmp_path / "fingerpost" / "settings.json").exists()
    assert load()[0].theme == "dark"


def test_keys_of_a_newer_version_survive(file: Path) -> None:
    write(file, {"version": 7, "theme": "dark", "voice": {"on": True}})
    settings, problem = load(file)
    assert (settings.theme, problem) == ("dark", None)
    save(dataclasses.replace(settings, theme="light"), file)
    kept = json.loads(file.read_text("utf-8"))
    assert (kept["voice"], kept["version"], kept["theme"]) == ({"on": True}, 7, "light")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"), ("theme", ["dark"]), ("threads", True), ("threads", 0), ("threads", 10**30),
        ("threads", 2.0), ("hotkey", "A"), ("hotkey", None), ("excluded_apps", "keepassxc"), ("excluded_titles", [1]),
        ("history", "no"), ("history_days", -1), ("language", "xx"), ("reduced_motion", 1), ("action", {}),
    ],
)  # fmt: skip
def test_a_value_that_makes_no_sense_is_as_usual_and_is_named(file: Path, name: str, value: object) -> None:
    write(file, {name: value, "dim": False})
    settings, problem = load(file)
    assert settings == Settings(dim=False)
    assert problem is not None
    assert name in problem


def test_values_that_made_no_sense_are_kept_aside_when_they_are_replaced(file: Path) -> None:
    write(file, {"excluded_apps": "keepassxc, bank"})
    save(load(file)[0], file)
    assert others(file) == ["settings.damaged-1.json"]
    assert "bank" in (file.parent / "settings.damaged-1.json").read_text("utf-8")


@pytest.mark.parametrize("content", ['{"theme": "da', "", "[]", "\0\0\0", "[" * 100_000, '"x"'])
def test_a_damaged_file_is_kept_aside_and_told(file: Path, content: str) -> None:
    write(file, content)
    settings, problem = load(file)
    assert settings == Settings()
    assert problem is not None
    assert "settings.damaged-1.json" in problem
    assert (file.parent / "settings.damaged-1.json").read_text("utf-8") == content
    assert load(file) == (Settings(), None)


def test_a_second_damaged_file_does_not_replace_the_first(file: Path) -> None:
    for content in ("{one", "{two"):
        write(file, content)
        load(file)
    assert others(file) == ["settings.damaged-1.json", "settings.damaged-2.json"]


def test_saving_over_a_file_that_was_damaged_meanwhile_keeps_it_aside(file: Path) -> None:
    save(Settings(), file)
    write(file, "{half")
    save(Settings(theme="dark"), file)
    assert load(file)[0].theme == "dark"
    assert (file.parent / "settings.damaged-1.json").read_text("utf-8") == "{half"


def test_a_byte_order_mark_of_an_editor_does_no_harm(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps({"theme": "dark"}).encode())
    assert load(file)[0].theme == "dark"


def test_older_files_are_brought_up_to_date(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(store.MIGRATIONS, 0, lambda old: {"theme": old["look"], "version": 1})
    write(file, {"version": 0, "look": "dark"})
    assert load(file) == (Settings(theme="dark"), None)


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.json"
    write(target, {"theme": "dark"})
    file.parent.mkdir()
    file.symlink_to(target)
    save(Settings(theme="light"), file)
    assert file.is_symlink()
    assert load(target)[0].theme == "light"


def test_only_the_user_can_read_the_file(file: Path) -> None:
    save(Settings(), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_full_or_read_only_disk_is_one_sentence_and_loses_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    save(Settings(theme="dark"), file)

    def refuse(_number: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(SettingsError) as raised:
        save(Settings(theme="light"), file)
    assert os.strerror(code) in raised.value.message
    assert raised.value.hint
    assert load(file)[0].theme == "dark"
    assert others(file) == []


def test_a_folder_in_the_files_place_is_told_and_left_alone(file: Path) -> None:
    file.mkdir(parents=True)
    settings, problem = load(file)
    assert settings == Settings()
    assert problem is not None
    assert str(file) in problem
    with pytest.raises(SettingsError):
        save(settings, file)
    assert file.is_dir()


def test_a_file_in_the_folders_place_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "fingerpost").write_text("in the way", "utf-8")
    file = tmp_path / "fingerpost" / "settings.json"
    assert load(file)[0] == Settings()
    with pytest.raises(SettingsError):
        save(Settings(), file)
