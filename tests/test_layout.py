"""The rules of the source tree: links, names, which part may import which, what is loaded when."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "packaging" / "python" / "fingerpost"
FOLDERS = ("app", "engine", "models")
NETWORK = {"aiohttp", "ftplib", "http", "httpx", "requests", "smtplib", "socket", "urllib", "urllib3", "websockets"}
HEAVY = ("PySide6", "cv2", "llama_cpp", "numpy", "onnxruntime", "PIL")


@cache
def sources() -> dict[str, Path]:
    """Module name → file, of the whole package."""
    files = [*PACKAGE.glob("*.py"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))]
    return {module_name(path): path for path in files}


def module_name(path: Path) -> str:
    inside = path.relative_to(PACKAGE if path.is_relative_to(PACKAGE) else ROOT).with_suffix("")
    parts = inside.parts[:-1] if inside.name == "__init__" else inside.parts
    return ".".join(("fingerpost", *parts))


@cache
def imports(module: str) -> frozenset[str]:
    """Every module that `module` imports anywhere in its file, also in functions and for type checkers."""
    tree = ast.parse(sources()[module].read_text("utf-8"))
    return frozenset(name for node in ast.walk(tree) for name in imported(node))


def imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "relative import"
        assert node.module
        for alias in node.names:
            name = f"{node.module}.{alias.name}"
            yield name if name in sources() else node.module


def users_of(library: str) -> set[str]:
    """The modules that import `library` or a part of it."""
    return {module for module in sources() if any(name.split(".")[0] == library for name in imports(module))}


def inside(part: str) -> set[str]:
    return {module for module in sources() if f"{module}.".startswith(f"fingerpost.{part}.")}


def python(code: str) -> str:
    """What `code` prints in a new interpreter that does not look in the current folder."""
    return subprocess.run([sys.executable, "-P", "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_the_packaging_folder_never_shadows_the_library() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()
    spec = importlib.util.find_spec("packaging.version")
    assert spec
    assert spec.origin
    assert not Path(spec.origin).is_relative_to(ROOT / "packaging")


def test_scripts_in_the_packaging_folder_are_not_named_after_modules() -> None:
    """`python packaging/x.py` puts that folder first on the path: its names hide all others."""
    scripts = [path for path in (ROOT / "packaging").rglob("*.py") if not path.is_relative_to(PACKAGE)]
    clashes = [path.name for path in scripts if path.stem in sys.stdlib_module_names - {"__main__"}]
    assert clashes == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_package_reaches_each_folder_by_a_link(folder: str) -> None:
    link = PACKAGE / folder
    assert link.is_symlink()
    assert link.readlink() == Path("..", "..", "..", folder)


def test_a_new_file_is_importable_at_once() -> None:
    probe = ROOT / "engine" / f"probe_{os.getpid()}.py"
    probe.write_text("ANSWER = 42\n", encoding="utf-8")
    try:
        assert python(f"from fingerpost.engine import {probe.stem} as m; print(m.ANSWER)") == "42"
    finally:
        probe.unlink()


def test_nothing_is_importable_by_the_bare_name_of_a_folder() -> None:
    assert python(f"from importlib.util import find_spec; print([n for n in {FOLDERS} if find_spec(n)])") == "[]"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """A type checker that meets a file by its link and by its folder gives it two names; a circle would show both."""
    graph = {module: {name for name in imports(module) if name in sources()} - {module} for module in sources()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_dependencies_point_one_way() -> None:
    assert [m for m in inside("models") if imports(m) & (inside("engine") | inside("app"))] == []
    assert [m for m in inside("engine") if imports(m) & inside("app")] == []


def test_qt_is_used_in_app_only() -> None:
    assert users_of("PySide6") <= inside("app")


def test_llama_cpp_is_used_in_its_engine_only_and_where_weights_are_stored_in_its_kinds() -> None:
    assert users_of("llama_cpp") <= inside("engine.holotron") | inside("models.miniature.training.quantizing")


def test_the_network_is_used_for_models_and_the_remote_engine_only() -> None:
    users = {module for library in NETWORK for module in users_of(library)}
    assert users <= inside("models") | inside("engine.remote")


def test_whoever_opens_a_session_of_onnx_runtime_turns_its_reports_off() -> None:
    openers = {name: path.read_text("utf-8") for name, path in sources().items()}
    openers = {name: text for name, text in openers.items() if "InferenceSession(" in text}
    assert openers
    assert [name for name, text in openers.items() if "onnxruntime.disable_telemetry_events()" not in text] == []


def test_pyside_6_12_is_kept_from_pythons_on_which_it_aborts() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    pins = [pin for pin in map(Requirement, extras["desktop"]) if pin.name.startswith("PySide6")]
    for version, allowed in (("3.11", False), ("3.12", True)):
        chosen = [pin for pin in pins if not pin.marker or pin.marker.evaluate({"python_version": version})]
        assert [pin.specifier.contains("6.12.0") for pin in chosen] == [allowed]


@pytest.mark.parametrize(
    "code",
    [
        "import fingerpost",
        "from fingerpost.app.cli import cli; cli(['--help'], standalone_mode=False)",
    ],
)
def test_a_quick_start_loads_no_heavy_library(code: str) -> None:
    assert python(f"{code}\nimport sys\nprint([name for name in {HEAVY} if name in sys.modules])").endswith("[]")


def test_the_help_of_find_loads_no_engine() -> None:
    code = "from fingerpost.app.cli import cli; cli(['find', '--help'], standalone_mode=False)"
    engines = ("PySide6", "cv2", "llama_cpp", "onnxruntime")
    assert python(f"{code}\nimport sys\nprint([name for name in {engines} if name in sys.modules])").endswith("[]")


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    place = re.compile(r"(?<![\w.~$}/])/(home|root|Users|work|tmp)/[\w.]+|[A-Z]:\\Users\\")
    found = []
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path == Path(__file__) or path.is_symlink() or not path.is_file():
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a model
        found += [f"{name}: {match.group()}" for match in place.finditer(text)]
    assert found == []
