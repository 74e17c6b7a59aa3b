"""What the README promises is so: its commands, options, example and JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from fingerpost.app.cli import COMMANDS, cli

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found, name
    return found


def options(name: str) -> set[str]:
    return {option for parameter in command(name).params for option in parameter.opts if option.startswith("--")}


def test_the_first_two_blocks_are_one_command_each_and_ci_runs_the_second() -> None:
    first, second = re.findall(r"^```\w+\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[:2]
    assert first == "python3 packaging/bootstrap demo\n"
    assert second == "python3 packaging/bootstrap test\n"
    assert second in (ROOT / ".ci" / "run").read_text("utf-8")


def test_every_file_that_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).is_file()] == []


@pytest.mark.parametrize("line", sorted(set(re.findall(r"fingerpost (\w+[^`#\n]*[^`#\n ])", "\n".join(blocks("sh"))))))
def test_the_readmes_command_lines_use_existing_options(line: str) -> None:
    name = line.split(maxsplit=1)[0]
    assert set(re.findall(r"--[\w-]+", line)) <= options(name)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_readme_mentions_every_command(name: str) -> None:
    assert f"fingerpost {name}" in README


def test_the_readme_explains_every_option_of_find() -> None:
    explained = set(re.findall(r"^\| `(--[\w-]+)", README, re.MULTILINE))
    assert explained == options("find") - {"--help"}


def test_the_readmes_python_example_runs_and_finds_its_target() -> None:
    (example,) = blocks("python")
    result = subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "click at" in result.stdout


def test_the_readmes_json_has_the_form_of_a_real_answer() -> None:
    (shown,) = map(json.loads, blocks("json"))
    arguments = ["find", "the Replace with field", "--image", "packaging/media/screenshot.png", "--json"]
    run = [sys.executable, "-m", "fingerpost", *arguments]
    real = json.loads(subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    assert form(real) == form(shown)
    assert real["frame"] == shown["frame"]
    left, top, width, height = shown["targets"][0]["box"]
    assert left <= real["targets"][0]["x"] < left + width
    assert top <= real["targets"][0]["y"] < top + height


def form(value: object) -> object:
    """The names and types of a JSON value; of a list, those of its first member."""
    if isinstance(value, dict):
        return {name: form(part) for name, part in value.items()}
    if isinstance(value, list):
        return [form(value[0])] if value else []
    return type(value)
