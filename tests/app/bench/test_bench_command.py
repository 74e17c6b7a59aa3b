from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fingerpost.app.bench import session
from fingerpost.app.cli import cli
from fingerpost.engine.errors import BenchError, FingerpostError, UsageError
from fingerpost.engine.values import Engine

Line = dict[str, Any]
WriteCases = Callable[[list[Line]], Path]
Bench = Callable[..., Result]


@pytest.fixture
def cases(lines: list[Line], write_cases: WriteCases) -> Path:
    return write_cases(lines)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, engine: Engine) -> Bench:
    """Run the command on the engine that finds colours. Errors for the user are raised."""

    def run(*arguments: str | Path) -> Result:
        result = CliRunner().invoke(cli, ["bench", *map(str, arguments)])
        if isinstance(result.exception, FingerpostError):
            raise result.exception
        return result

    monkeypatch.setattr(session, "make_engine", lambda name, threads, device: engine)
    return run


def test_the_tables_show_the_score_by_group(bench: Bench, cases: Path) -> None:
    result = bench(cases)
    assert result.exit_code == 0
    rows = [row.split() for row in result.stdout.splitlines()]
    assert ["accuracy", "75.0", "%", "3/4"] in rows
    assert ["absent", "rejected", "100.0", "%", "1/1"] in rows
    assert ["icon", "2", "100.0", "%", "0"] in rows
    assert ["field", "2", "50.0", "%", "0"] in rows
    assert ["draw", "2", "50.0", "%", "0"] in rows


def test_only_and_limit_choose_the_cases(bench: Bench, cases: Path) -> None:
    assert json.loads(bench(cases, "--only", "category=field", "--json").stdout)["score"]["cases"] == 2
    assert json.loads(bench(cases, "--limit", "3", "--json").stdout)["score"]["cases"] == 3


def test_saved_answers_hold_the_agreed_fields(bench: Bench, cases: Path, tmp_path: Path) -> None:
    bench(cases, "--save", tmp_path / "run.jsonl")
    saved = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text("utf-8").splitlines()]
    assert [list(line) for line in saved] == [["id", "found", "x", "y", "bbox", "latency_ms", "confidence"]] * 5
    found, _, absent = saved[:3]
    assert (found["found"], found["x"], found["y"], found["bbox"]) == (True, 20, 20, [10, 10, 20, 20])
    assert (absent["found"], absent["x"], absent["y"], absent["bbox"]) == (False, None, None, None)


def test_the_stated_confidence_is_held_against_what_was_right(bench: Bench, cases: Path) -> None:
    rows = [" ".join(row.split()) for row in bench(cases).stdout.splitlines()]
    assert "90 to 100 % 4 100.0 % 75.0 %" in rows
    assert "calibration error 25.0 %" in rows
    assert json.loads(bench(cases, "--json").stdout)["score"]["reliability"]["error"] == pytest.approx(0.25)


def test_a_run_is_compared_with_an_earlier_one(bench: Bench, cases: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.jsonl"
    bench(cases, "--save", run)
    worse = [json.loads(line) for line in run.read_text("utf-8").splitlines()]
    worse[0] |= {"x": 90, "bbox": [80, 10, 20, 20]}
    worse[4] |= {"x": 70}
    run.write_text("".join(f"{json.dumps(line)}\n" for line in worse), "utf-8")
    result = bench(cases, "--compare", run, "--save", run)  # read before it is written
    rows = [row.split() for row in result.stdout.splitlines()]
    assert ["icon", "2", "50.0", "%", "0", "100.0", "%", "0", "+50.0"] in rows
    assert ["field", "2", "100.0", "%", "0", "50.0", "%", "0", "-50.0"] in rows
    text = result.stdout
    assert (
        text.index("Newly right (1)")
        < text.index("a     red")
        < text.index("Newly wrong (1)")
        < text.index("e     blue")
    )
    assert json.loads(bench(cases, "--compare", run, "--json").stdout)["comparison"]["newly_right"] == []


def test_misses_name_the_answer_and_the_right_place(bench: Bench, cases: Path) -> None:
    rows = [row.split() for row in bench(cases, "--misses", "9").stdout.splitlines()]
    assert ["e", "blue", "20,", "20", "60,", "10,", "20,", "20"] in rows
    misses = json.loads(bench(cases, "--misses", "9", "--json").stdout)["misses"]
    assert misses == [{"id": "e", "instruction": "blue", "point": [20, 20], "bbox": [60, 10, 20, 20]}]


def test_brackets_in_an_instruction_are_no_markup(bench: Bench, lines: list[Line], write_cases: WriteCases) -> None:
    lines[4]["id"] = "e[bold]"
    assert "e[bold]" in bench(write_cases(lines), "--misses", "1").stdout


@pytest.mark.parametrize("value", ["category", "=icon", "category="])
def test_a_trait_without_a_value_is_wrong_use(bench: Bench, cases: Path, value: str) -> None:
    result = bench(cases, "--only", value)
    assert result.exit_code == 2
    assert "is not of the form TRAIT=VALUE" in result.stderr


def test_what_is_wrong_with_a_request_is_told_before_the_run(
    bench: Bench, cases: Path, engine: Any, tmp_path: Path
) -> None:
    (tmp_path / "other.jsonl").write_text('{"id": "z"}\n', "utf-8")
    with pytest.raises(UsageError):
        bench(cases, "--only", "app=word")
    with pytest.raises(BenchError, match="cannot be read"):
        bench(cases, "--compare", tmp_path / "none.jsonl")
    with pytest.raises(BenchError, match="none of these cases"):
        bench(cases, "--compare", tmp_path / "other.jsonl")
    with pytest.raises(BenchError, match="cannot be written"):
        bench(cases, "--save", tmp_path / "none" / "run.jsonl")
    assert engine.looked == []


def test_the_cases_are_never_replaced_by_answers(bench: Bench, cases: Path, tmp_path: Path) -> None:
    before = cases.read_bytes()
    (tmp_path / "link.jsonl").symlink_to(cases)
    for target in (cases, cases.parent / "." / cases.name, tmp_path / "link.jsonl"):
        with pytest.raises(UsageError):
            bench(cases, "--save", target)
    assert cases.read_bytes() == before


SLOW_BENCH = """
import sys, time
from fingerpost.app.bench import session
from fingerpost.app.cli import main
from fingerpost.engine.values import Answer

class Slow:
    name = "slow"
    calls = 0
    def find(self, frame, query):
        self.calls += 1
        if self.calls == 3:
            print("third", file=sys.stderr, flush=True)
            time.sleep(60)
        return Answer(False, False, "slow", 1.0, frame.size)

session.make_engine = lambda name, threads, device: Slow()
main(["bench", *sys.argv[1:]])
"""


@pytest.mark.skipif(os.name != "posix", reason="sends Ctrl-C as a signal")
def test_ctrl_c_keeps_and_scores_what_was_done(cases: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.jsonl"
    code, out, err = stopped_at_the_third(cases, "--save", run)
    assert code == 130
    assert err == "Stopped after 2 of 5 cases.\n"
    assert [json.loads(line)["id"] for line in run.read_text("utf-8").splitlines()] == ["a", "c"]
    assert "0/2" in out


@pytest.mark.skipif(os.name != "posix", reason="sends Ctrl-C as a signal")
@pytest.mark.parametrize("answered", ["a", "e"], ids=["before the stop", "after the stop"])
@pytest.mark.parametrize("form", ["--json", "--misses=1"])
def test_ctrl_c_while_comparing_leaves_with_its_own_code_whatever_was_answered_before(
    cases: Path, tmp_path: Path, answered: str, form: str
) -> None:
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_text(json.dumps({"id": answered, "found": False}) + "\n", "utf-8")
    code, out, err = stopped_at_the_third(cases, "--compare", earlier, form)
    assert (code, err) == (130, "Stopped after 2 of 5 cases.\n")
    if form == "--json":
        assert (json.loads(out)["comparison"] is not None) == (answered == "a")


def stopped_at_the_third(cases: Path, *options: object) -> tuple[int, str, str]:
    """Exit code, output and errors of a run that gets Ctrl-C at its third case."""
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW_BENCH, str(cases), *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr
    assert child.stderr.readline() == "third\n"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    return child.returncode, out, err


@pytest.mark.skipif(os.name != "posix", reason="opens a pseudo terminal")
@pytest.mark.parametrize("terminal", [True, False])
def test_the_progress_bar_is_for_terminals_only(cases: Path, terminal: bool) -> None:
    code = SLOW_BENCH.replace("time.sleep(60)", "time.sleep(0.3)")
    reader, writer = pty.openpty() if terminal else os.pipe()
    environment = {**os.environ, "TERM": "xterm"}
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(cases)], stdout=subprocess.DEVNULL, stderr=writer, env=environment
    )
    os.close(writer)
    shown = b""
    try:
        while part := os.read(reader, 4096):
            shown += part
    except OSError:  # how a pseudo terminal says that the other side is closed
        pass
    os.close(reader)
    assert child.wait(timeout=30) == 0
    assert (b"slow" in shown) == (b"/5" in shown) == terminal
