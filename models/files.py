"""The model files that ship with Fingerpost, each checked against its SHA-256 digest before use.

`digests.txt` lists them in the format of the program sha256sum. To add or replace a file:

    cd models && sha256sum ocr/*.onnx ocr/*.txt ... > digests.txt
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from fingerpost.models.errors import ModelFileError

FOLDER = Path(__file__).parent
_REINSTALL = "Install Fingerpost again."


def read(name: str) -> bytes:
    """The content of the model file `name`, for example "ocr/det.onnx": exactly the bytes that were checked.

    Raises `ModelFileError` when the file is missing, unreadable, damaged or not listed.
    """
    digest = _digests().get(name)
    if digest is None:
        raise ModelFileError(f"The model file {name} is not part of this version of Fingerpost.", _REINSTALL)
    try:
        content = (FOLDER / name).read_bytes()
    except FileNotFoundError as error:
        raise ModelFileError(f"The model file {name} is missing.", _REINSTALL) from error
    except OSError as error:
        raise ModelFileError(f"The model file {name} cannot be read: {error.strerror}.", _REINSTALL) from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise ModelFileError(f"The model file {name} is damaged.", _REINSTALL)
    return content


def path(name: str) -> Path:
    """The checked file's path, for a runtime that opens it itself. Raises like `read`."""
    read(name)
    return FOLDER / name


def names() -> tuple[str, ...]:
    """The names of all model files, sorted."""
    return tuple(sorted(_digests()))


@cache
def _digests() -> dict[str, str]:
    table = FOLDER / "digests.txt"
    try:
        lines = table.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ModelFileError(f"The list of model files {table} cannot be read.", _REINSTALL) from error
    return {name.strip(): digest for digest, _, name in (line.partition("  ") for line in lines) if name}
