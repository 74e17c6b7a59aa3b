from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost.models import files
from fingerpost.models.errors import ModelFileError

SHIPPED = files.names()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A model folder with one listed file."""
    content = b"weights"
    (tmp_path / "net.onnx").write_bytes(content)
    (tmp_path / "digests.txt").write_text(f"{hashlib.sha256(content).hexdigest()}  net.onnx\n", encoding="utf-8")
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    files._digests.cache_clear()
    yield tmp_path
    files._digests.cache_clear()


@pytest.mark.parametrize("name", SHIPPED)
def test_every_listed_file_ships_unharmed(name: str) -> None:
    assert files.path(name).read_bytes() == files.read(name)


def test_the_text_models_are_listed() -> None:
    assert {"ocr/det.onnx", "ocr/rec.onnx", "ocr/characters.txt"} <= set(SHIPPED)


def test_a_file_is_read_as_it_is(folder: Path) -> None:
    assert files.read("net.onnx") == b"weights"
    assert files.path("net.onnx") == folder / "net.onnx"


def test_a_damaged_file_is_refused(folder: Path) -> None:
    (folder / "net.onnx").write_bytes(b"weightz")
    with pytest.raises(ModelFileError) as caught:
        files.path("net.onnx")
    assert caught.value.message == "The model file net.onnx is damaged."
    assert caught.value.hint == "Install Fingerpost again."


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "net.onnx").unlink()
    with pytest.raises(ModelFileError) as caught:
        files.read("net.onnx")
    assert caught.value.message == "The model file net.onnx is missing."


def test_a_file_that_cannot_be_opened_is_named(folder: Path) -> None:
    (folder / "net.onnx").unlink()
    (folder / "net.onnx").mkdir()
    with pytest.raises(ModelFileError, match=r"net\.onnx cannot be read"):
        files.read("net.onnx")


@pytest.mark.parametrize("name", ["other.onnx", "digests.txt", "../files.py"])
def test_only_listed_files_are_read(folder: Path, name: str) -> None:
    (folder / "other.onnx").write_bytes(b"weights")
    with pytest.raises(ModelFileError, match="not part of this version"):
        files.read(name)


def test_a_missing_list_is_named(folder: Path) -> None:
    (folder / "digests.txt").unlink()
    with pytest.raises(ModelFileError, match=r"digests\.txt cannot be read"):
        files.read("net.onnx")
