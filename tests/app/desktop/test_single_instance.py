"""One application a desktop session; later starts are heard by the first."""

from __future__ import annotations

import queue
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.connection import Client
from pathlib import Path

import pytest

from fingerpost.app.desktop.single_instance import Instance, InstanceError, address, ask


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":77")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return tmp_path


@pytest.fixture
def first(runtime: Path) -> Iterator[tuple[Instance, queue.Queue[str]]]:
    assert runtime
    wishes: queue.Queue[str] = queue.Queue()
    instance = Instance(wishes.put)
    yield instance, wishes
    instance.close()
    instance.close()


def test_a_wish_reaches_the_running_application(first: tuple[Instance, queue.Queue[str]]) -> None:
    for wish in ("toggle", "settings", "toggle"):
        assert ask(wish)
        assert first[1].get(timeout=5) == wish


def test_a_second_start_is_told_that_one_is_running(first: tuple[Instance, queue.Queue[str]]) -> None:
    with pytest.raises(InstanceError) as refused:
        Instance(first[1].put)
    assert "already running" in refused.value.message
    assert ask("toggle")  # the first one is unharmed


def test_an_unknown_wish_and_noise_are_not_heard(first: tuple[Instance, queue.Queue[str]]) -> None:
    assert not ask("format the disk")
    with Client(address()) as connection:
        connection.send_bytes(b"\xff\x00")
    with Client(address()):
        pass  # says nothing and leaves
    assert ask("find")
    assert first[1].get(timeout=5) == "find"
    assert first[1].empty()


@pytest.mark.usefixtures("runtime")
def test_without_a_running_application_nothing_answers() -> None:
    assert not ask("toggle")


def test_a_killed_application_leaves_its_place_free(runtime: Path) -> None:
    code = (
        "import time; from fingerpost.app.desktop.single_instance import Instance\n"
        "i = Instance(print); print('up', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"up\n"
    process.kill()
    process.wait(timeout=10)
    process.stdout.close()
    assert any(runtime.rglob("*.socket"))  # it could not clean up
    wishes: queue.Queue[str] = queue.Queue()
    instance = Instance(wishes.put)
    assert ask("toggle")
    instance.close()


@pytest.mark.usefixtures("runtime")
def test_two_desktops_of_one_user_do_not_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    here = address()
    monkeypatch.setenv("DISPLAY", ":78")
    assert address() != here


def test_a_folder_that_cannot_be_used_is_told_in_one_sentence(runtime: Path) -> None:
    (runtime / "fingerpost").write_text("not a folder")
    with pytest.raises(InstanceError) as refused:
        Instance(print)
    assert refused.value.hint


def test_a_folder_whose_name_is_too_long_for_a_socket_is_told_in_one_sentence(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime / ("long" * 30)))
    with pytest.raises(InstanceError) as raised:
        Instance(lambda wish: None)
    assert "None" not in raised.value.message


def test_asking_loads_neither_qt_nor_numpy() -> None:
    code = (
        "from fingerpost.app.desktop.single_instance import ask; import sys\n"
        "print([n for n in ('PySide6', 'numpy', 'cv2') if n in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
