"""However a command ends, its exit code is the documented one, and nobody sees a traceback."""

from __future__ import annotations

import codecs
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.app.cli import as_json_does

pytestmark = pytest.mark.skipif(os.name != "posix", reason="closes pipes and sends Ctrl-C as POSIX has them")

SMALL = ("--help", "completion bash", "doctor", "doctor --json")
FULL = Path("/dev/full")
"""Where nothing can be written, as on a full disk."""


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "fingerpost", *map(str, arguments)]


def environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}


def into_a_closed_pipe(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(
            command(*arguments),
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            env=environment(),
        )
    finally:
        os.close(writer)


def into_a_full_disk(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    with FULL.open("w", encoding="utf-8") as full:
        return subprocess.run(
            command(*arguments),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            env=environment(),
        )


@pytest.mark.parametrize("words", SMALL)
def test_a_reader_that_went_away_is_no_answer_and_needs_no_words(words: str) -> None:
    result = into_a_closed_pipe(*words.split())
    assert (result.returncode, result.stderr) == (3, "")


def test_a_place_that_was_found_and_could_not_be_told_is_not_called_found(screenshot: Path) -> None:
    for form in ([], ["--json"]):
        result = into_a_closed_pipe("find", "the Replace button", "--image", screenshot, *form)
        assert (result.returncode, result.stderr) == (3, "")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", SMALL)
def test_a_full_disk_under_the_output_is_one_clear_error(words: str) -> None:
    result = into_a_full_disk(*words.split())
    assert result.returncode == 3
    assert "No space left" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 2


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_the_exit_code_tells_even_where_no_error_can_be_written() -> None:
    with FULL.open("w", encoding="utf-8") as full:
        missing = command("find", "Save", "--image", "missing.png")
        assert subprocess.run(missing, stderr=full, timeout=60, check=False).returncode == 3
        assert subprocess.run(command("frobnicate"), stderr=full, timeout=60, check=False).returncode == 2


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_what_the_output_cannot_hold_is_written_otherwise(encoding: str, screenshot: Path) -> None:
    name = "Gärten 保存 🎉 \udcff"  # the last is a byte that is no UTF-8
    spoken = subprocess.run(
        command("find", name, "--image", screenshot),
        capture_output=True,
        timeout=60,
        check=False,
        env={**environment(), "PYTHONIOENCODING": encoding},
    )
    assert (spoken.returncode, spoken.stderr) == (1, b"")
    assert spoken.stdout.startswith(b"Not found: ")


@given(st.text(st.characters(exclude_categories=[])), st.sampled_from(["ascii", "latin-1", "cp1252", "utf-8"]))
def test_json_says_the_same_whatever_the_encoding_of_the_output(text: str, encoding: str) -> None:
    codecs.register_error("escaped", as_json_does)
    written = json.dumps(text, ensure_ascii=False).encode(encoding, "escaped")
    assert json.loads(written.decode(encoding)).encode("utf-16", "surrogatepass") == text.encode(
        "utf-16", "surrogatepass"
    )


STOPPED_IN_THE_MIDDLE = """
import sys, time
from fingerpost.app.cli import main
from fingerpost.engine import finder

def look(source):
    print("looking", file=sys.stderr, flush=True)
    time.sleep(60)

finder.look = look
main(sys.argv[1:])
"""


@pytest.mark.parametrize("name", ["find", "read"])
def test_ctrl_c_is_not_not_found(name: str, screenshot: Path) -> None:
    arguments = [name, *(["Save"] if name == "find" else []), "--image", str(screenshot)]
    child = subprocess.Popen(
        [sys.executable, "-c", STOPPED_IN_THE_MIDDLE, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr
    assert child.stderr.readline() == "looking\n"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert (out, err.strip()) == ("", "")
