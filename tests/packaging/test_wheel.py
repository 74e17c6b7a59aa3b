"""What is installed for a user: the wheel's contents, built from the checkout, from the sdist, and without links."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINKS = ROOT / "packaging" / "python" / "fingerpost"
FOLDERS = ("app", "engine", "models")


def build(source: Path, out: Path, target: str) -> Path:
    """Run the build back end in `source` and return the one file it makes in `out`."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(out)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = out.iterdir()
    return built


def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def shipped_files(root: Path) -> set[str]:
    """Every file of the three folders, by the name it must have in the wheel."""
    return {
        f"fingerpost/{path.relative_to(root).as_posix()}"
        for folder in FOLDERS
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("unpacked")
    shutil.unpack_archive(build(ROOT, tmp_path_factory.mktemp("sdist"), "sdist"), folder)
    (unpacked,) = folder.iterdir()
    return unpacked


@pytest.fixture(scope="session")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip installed the wheel alone."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target"]
    subprocess.run([*pip, str(folder), str(wheel)], check=True, capture_output=True)
    return folder


def test_the_wheel_holds_every_file_of_the_three_folders_under_fingerpost(wheel: Path) -> None:
    package = {f"fingerpost/{name}" for name in ("__init__.py", "__main__.py", "py.typed")}
    assert contents(wheel) == package | shipped_files(ROOT)


def test_the_wheel_holds_the_models_and_the_licences(wheel: Path) -> None:
    assert {"fingerpost/models/ocr/det.onnx", "fingerpost/models/ocr/rec.onnx"} <= contents(wheel)
    miniature = {"miniature.gguf", "miniature-mmproj.gguf", "screen.png"}
    assert {f"fingerpost/models/miniature/{name}" for name in miniature} <= contents(wheel)
    with zipfile.ZipFile(wheel) as archive:
        licences = {Path(name).name for name in archive.namelist() if ".dist-info/licenses/" in name}
    assert licences == {"LICENSE", "NOTICE"}


def test_the_sdist_builds_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    assert contents(build(sdist, tmp_path, "wheel")) == contents(wheel)


def test_the_wheel_is_the_same_where_git_cannot_make_links(wheel: Path, tmp_path: Path) -> None:
    """On Windows git writes a link as a text file that holds the link's target."""
    checkout = tmp_path / "checkout"
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, checkout / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE", ".gitignore"):
        shutil.copy(ROOT / name, checkout)
    package = checkout / LINKS.relative_to(ROOT)
    package.mkdir(parents=True)
    for entry in LINKS.iterdir():
        if entry.is_symlink():
            (package / entry.name).write_text(str(entry.readlink()), encoding="utf-8")
        elif entry.is_file():
            shutil.copy(entry, package)
    assert contents(build(checkout, tmp_path / "out", "wheel")) == contents(wheel)


def test_an_install_adds_one_package_and_one_command(site: Path) -> None:
    installed = {path.name for path in site.iterdir() if not path.name.endswith(".dist-info")}
    assert installed == {"fingerpost", "bin"}
    assert {path.name for path in (site / "bin").iterdir()} == {"fingerpost"}


def test_an_installed_wheel_shows_its_help(site: Path, tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "fingerpost", "--help"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "fingerpost find" in shown.stdout


def test_an_installed_wheel_is_the_one_that_runs(site: Path, tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", "import fingerpost.models; print(fingerpost.models.__file__)"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(shown.stdout.strip()).is_relative_to(site)
