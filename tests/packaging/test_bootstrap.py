"""The set-up script: says in one sentence what is wrong, goes on after an interruption, does nothing twice."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "packaging" / "bootstrap"

sys.path.insert(0, str(SCRIPT))
environment = importlib.import_module("environment")
llama = importlib.import_module("llama")
steps = importlib.import_module("steps")
system = importlib.import_module("system")


def test_an_unknown_job_is_refused_with_the_usage() -> None:
    result = subprocess.run([sys.executable, SCRIPT, "everything"], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "{demo,test}" in result.stderr


def test_a_failing_command_is_one_sentence_with_its_reason_and_the_log(tmp_path: Path) -> None:
    work = steps.Steps(tmp_path / "log")
    with pytest.raises(steps.SetupError) as caught:
        work.run(
            [
                sys.executable,
                "-c",
                "print('noise'); print('ERROR: the disk is full.'); print('error: 1'); raise SystemExit(9)",
            ]
        )
    assert "ended with code 9 (ERROR: the disk is full)" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "noise" in work.log.read_text("utf-8")


def test_a_missing_program_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(steps.SetupError, match="cannot be started"):
        steps.Steps(tmp_path / "log").run(["no-such-program-anywhere"])


def test_a_system_without_apt_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(steps.SetupError, match="xvfb, openbox"):
        system.require(steps.Steps(tmp_path / "log"), ["xvfb", "openbox"])


@pytest.mark.skipif(not shutil.which("dpkg-query"), reason="asks Debian's package database")
def test_only_missing_packages_are_asked_for() -> None:
    assert system._missing(["dpkg", "no-such-package-anywhere"]) == ["no-such-package-anywhere"]


@pytest.mark.skipif(os.name == "nt", reason="sends a signal to a process group")
def test_ctrl_c_ends_the_running_command_too(tmp_path: Path) -> None:
    code = (
        "import pathlib, steps, sys\n"
        "sleep = [sys.executable, '-c', 'import time; print(flush=True); time.sleep(60)']\n"
        "try: steps.Steps(pathlib.Path('log')).run(sleep)\n"
        "except KeyboardInterrupt: sys.exit(130)"
    )
    variables = {**os.environ, "PYTHONPATH": str(SCRIPT)}
    child = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=variables, start_new_session=True)
    log = tmp_path / "log"
    while child.poll() is None and not (log.exists() and log.read_text().endswith("\n\n")):
        time.sleep(0.05)
    os.killpg(child.pid, signal.SIGINT)
    assert child.wait(timeout=30) == 130
    with pytest.raises(ProcessLookupError):
        os.killpg(child.pid, 0)


def test_a_half_made_environment_is_made_anew_and_then_left_alone(tmp_path: Path) -> None:
    half = tmp_path / ".venv" / "bin"
    half.mkdir(parents=True)
    (half / "python").symlink_to(sys.executable)
    made = environment.Environment(tmp_path)
    work = steps.Steps(tmp_path / "log")
    made.make(work)
    assert (tmp_path / ".venv" / "pyvenv.cfg").exists()
    assert made.says("import pip")
    log = work.log.read_text("utf-8")
    made.make(work)
    assert work.log.read_text("utf-8") == log


def test_a_checkout_without_links_is_recognised(tmp_path: Path) -> None:
    package = tmp_path / "packaging" / "python" / "fingerpost"
    package.mkdir(parents=True)
    for name in ("app", "engine", "models"):
        (package / name).write_text(f"../../../{name}", encoding="utf-8")
    assert not environment.linked(tmp_path)
    assert environment.linked(ROOT)


def test_the_users_own_compile_options_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_CUDA=ON")
    assert llama._cmake_arguments() == {}
    monkeypatch.delenv("CMAKE_ARGS")
    assert "-DGGML_NATIVE=OFF" in llama._cmake_arguments()["CMAKE_ARGS"]
