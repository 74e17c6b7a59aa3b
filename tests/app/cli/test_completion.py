from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fingerpost.app.cli import COMMANDS, cli

SHELLS = ("bash", "zsh", "fish")


def script(shell: str) -> str:
    result = CliRunner().invoke(cli, ["completion", shell])
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_says_how_to_install_it(shell: str) -> None:
    first, rest = script(shell).split("\n", 1)
    assert first.startswith("# ")
    assert shell in first
    assert f"_FINGERPOST_COMPLETE={shell}_complete" in rest


def test_bash_accepts_the_script(tmp_path: Path) -> None:
    path = tmp_path / "completion"
    path.write_text(script("bash"), "utf-8")
    subprocess.run(["bash", "-n", path], check=True)


def test_commands_and_options_are_completed() -> None:
    def complete(words: str) -> list[str]:
        environment = {**os.environ, "_FINGERPOST_COMPLETE": "bash_complete", "COMP_WORDS": words}
        environment["COMP_CWORD"] = str(len(words.split(" ")) - 1)
        command = [sys.executable, "-c", "from fingerpost.app.cli import main; main()"]
        said = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        return [line.split(",")[1] for line in said.splitlines()]

    assert complete("fingerpost ") == [*COMMANDS]
    assert complete("fingerpost be") == ["bench"]
    assert complete("fingerpost completion z") == ["zsh"]
    assert complete("fingerpost bench --mi") == ["--misses"]


def test_another_shell_is_wrong_use() -> None:
    assert CliRunner().invoke(cli, ["completion", "cmd"]).exit_code == 2
