"""The checks themselves, here on this machine, and a guard that lets none of them break or hold the others."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from typing import Any

import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st
from Xlib import X, display

from fingerpost.app import doctor
from fingerpost.app.doctor import Check, run_checks
from fingerpost.engine.errors import EngineError
from fingerpost.engine.values import Box
from fingerpost.models import files
from fingerpost.models.errors import ModelFileError


def only(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Leaves one check, so that a test is quick."""
    monkeypatch.setattr(doctor, "CHECKS", [(n, check) for n, check in doctor.CHECKS if n == name])


def raising(error: BaseException) -> Any:
    def check(_: str) -> Check:
        raise error

    return check


@pytest.mark.usefixtures("x_display")
def test_every_check_is_a_row_and_a_failed_one_says_what_to_do() -> None:
    checks = run_checks()
    assert [check.name for check in checks] == [name for name, _ in doctor.CHECKS]
    assert all(check.detail for check in checks)
    assert all(check.fix for check in checks if check.ok is False)


@pytest.mark.parametrize("error", [RuntimeError("boom"), SystemExit("boom"), OSError("boom")])
def test_a_check_that_breaks_is_a_row_and_the_next_one_still_runs(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    monkeypatch.setattr(doctor, "CHECKS", [("bad", raising(error)), ("good", lambda name: Check(name, True, "fine"))])
    bad, good = run_checks()
    assert (bad.ok, good.ok) == (False, True)
    assert "boom" in bad.detail


def test_an_error_for_users_keeps_its_two_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "CHECKS", [("bad", raising(EngineError("It broke.", "Mend it.")))])
    assert run_checks() == (Check("bad", False, "It broke.", "Mend it."),)


def test_a_check_that_hangs_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()

    def hang(name: str) -> Check:
        never.wait()
        return Check(name, True, "")

    monkeypatch.setattr(doctor, "TIME_LIMIT_S", 0.05)
    monkeypatch.setattr(doctor, "CHECKS", [("slow", hang)])
    (slow,) = run_checks()
    never.set()
    assert slow.ok is False
    assert "no answer" in slow.detail


def test_the_program_leaves_although_a_check_hangs() -> None:
    program = """
import threading
from fingerpost.app import doctor
doctor.TIME_LIMIT_S = 0.05
doctor.CHECKS = (("slow", lambda name: threading.Event().wait()),)
print(doctor.run_checks()[0].ok)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "False\n"


def test_a_damaged_model_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(name: str) -> bytes:
        raise ModelFileError(f"The model file {name} is damaged.", "Install Fingerpost again.")

    only(monkeypatch, "Model files")
    monkeypatch.setattr(files, "read", damaged)
    (check,) = run_checks()
    assert check.ok is False
    assert files.names()[0] in check.detail


def test_two_onnxruntimes_at_once_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "ONNX Runtime")
    monkeypatch.setattr(doctor, "_version", lambda package: "1.22.0" if package.startswith("onnxruntime") else None)
    (check,) = run_checks()
    assert check.ok is False
    assert "overwrite each other" in check.detail
    assert "uninstall" in check.fix


def test_the_device_that_the_networks_really_use_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "ONNX Runtime")
    (check,) = run_checks()
    assert check.ok is True
    assert "networks on the CPU; with --device cuda: on the " in check.detail
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CPUExecutionProvider"])
    (check,) = run_checks()
    assert check.detail.endswith("on the CPU, this ONNX Runtime is built without CUDA")


def test_the_qt_that_aborts_on_old_pythons_is_refused_only_there(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "Qt")
    monkeypatch.setattr(doctor, "_version", lambda package: "6.12.0" if package.startswith("PySide6") else None)
    (check,) = run_checks()
    assert check.ok is (sys.version_info >= (3, 12))
    monkeypatch.setattr(doctor, "_version", lambda package: "6.11.3" if package.startswith("PySide6") else None)
    assert run_checks()[0].ok is True


def test_a_llama_cpp_that_does_not_load_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "llama.cpp")
    monkeypatch.setattr(doctor, "_version", lambda _: "0.3.36")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    (check,) = run_checks()
    assert check.ok is False
    assert "does not load" in check.detail


def test_the_capture_that_works_is_named_and_tried(x_display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "CHECKS", [pair for pair in doctor.CHECKS if "apture" in pair[0]])
    found, tried = run_checks()
    assert found.detail.startswith("X11, 1 monitor")
    assert tried.ok is False, "a black screen"
    connection = display.Display(x_display)
    screen = connection.screen()
    screen.root.create_window(
        9, 9, 50, 50, 0, screen.root_depth, background_pixel=0xFFFFFF, event_mask=X.NoEventMask
    ).map()
    connection.sync()
    assert run_checks()[1] == Check("Test capture", True, "1280 × 800 pixels")
    connection.close()


def test_the_map_shows_each_monitor_where_it_stands() -> None:
    drawing = doctor.screen_map([("1", Box(0, 0, 1920, 1080)), ("2", Box(-1920, 540, 1920, 1080))]).splitlines()
    (one,) = [(row, line.index("1")) for row, line in enumerate(drawing) if "1" in line]
    (two,) = [(row, line.index("2")) for row, line in enumerate(drawing) if "2" in line]
    assert two[1] < one[1], "the second stands left"
    assert two[0] > one[0], "and lower"


boxes = st.builds(Box, st.integers(-9000, 9000), st.integers(-9000, 9000), st.integers(1, 8000), st.integers(1, 8000))


@given(st.lists(boxes, min_size=1, max_size=5))
def test_any_layout_can_be_drawn_in_60_columns(monitors: list[Box]) -> None:
    drawing = doctor.screen_map([(str(number), box) for number, box in enumerate(monitors, start=1)])
    assert "┘" in drawing
    assert max(map(len, drawing.splitlines())) <= 60


def test_a_screen_that_does_not_answer_is_asked_once(x_server: subprocess.Popen[bytes]) -> None:
    x_server.send_signal(signal.SIGSTOP)
    rows = {row.name: row for row in doctor.run_checks()}
    assert rows["Screen capture"].ok is False
    assert all(rows[name].ok is False and "not tried" in rows[name].detail for name in doctor.NEED_THE_SCREEN)
    assert rows["Model files"].ok
