"""Reads a GGUF file's header and says in a sentence what is wrong with the file, before llama.cpp gets it.

The library ends the process on some broken files, and says "failed to load" on others.
"""

from __future__ import annotations

import stat
import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingerpost.engine.errors import ModelError

MAGIC = b"GGUF"
MAX_DIMENSIONS = 4
AGAIN = "Download it again."
TOGETHER = "Download both files of one model."
CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
CLIP_STD = (0.26862954, 0.26130258, 0.27577711)
"""How OpenAI's CLIP, and with it C-RADIO, normalises red, green and blue."""
TOLERANCE = 1e-3
WITH_CLIP_COLOURS = frozenset({"nemotron_v2_vl"})
"""Projectors whose weights were trained with `CLIP_MEAN` and `CLIP_STD`."""


@dataclass(frozen=True)
class Header:
    """Keys and values of a file; `bytes_needed` is where its last tensor ends."""

    path: Path
    values: dict[str, Any]
    bytes_needed: int

    @property
    def architecture(self) -> str:
        return str(self.values.get("general.architecture", ""))

    @property
    def projector(self) -> str:
        """The kind of a vision file's projector, "" when it says none; llama.cpp reads the same keys in this order."""
        keys = ("clip.projector_type", "clip.vision.projector_type")
        return next((str(self.values[key]) for key in keys if self.values.get(key)), "")

    def integer(self, key: str) -> int:
        """Raises `ModelError` when the key is not there, or is no whole number."""
        value = self.values.get(key)
        if not isinstance(value, int):
            raise ModelError(f"The model file {self.path.name} lacks the entry {key}.", "Convert or download it anew.")
        return value


def read_header(path: Path) -> Header:
    """Raises `ModelError` for a missing file, one that is no GGUF file, and one that is cut."""
    magic, size = _beginning(path)
    if magic != MAGIC:
        raise ModelError(f"{path.name} is no GGUF model file.", "Choose a file that ends in .gguf.")
    header = _parse(path)
    if header.bytes_needed > size:
        missing = header.bytes_needed - size
        raise ModelError(f"The model file {path.name} is cut: its last {missing:,} bytes are missing.", AGAIN)
    return header


def _beginning(path: Path) -> tuple[bytes, int]:
    """The first bytes of a file, and its size. A pipe is not opened: that would wait for somebody to write."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ModelError(f"{path} is no file that can hold a model.", "Choose a file that ends in .gguf.")
        with path.open("rb") as file:
            return file.read(len(MAGIC)), status.st_size
    except OSError as error:
        raise ModelError(f"The model file {path} cannot be read: {error.strerror}.", "Check the path.") from error
    except ValueError as error:  # a name with a zero in it
        raise ModelError(f"The model file {str(path)!r} cannot be read: {error}.", "Check the path.") from error


def _parse(path: Path) -> Header:
    try:
        reader = _HeaderReader(path)
    except (
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
        OSError,
        MemoryError,
        RecursionError,
        AttributeError,
    ) as error:
        raise ModelError(f"The header of the model file {path.name} is damaged.", AGAIN) from error
    return Header(path, reader.values, reader.bytes_needed)


def check_language(header: Header) -> None:
    """Raises `ModelError` for a vision file: it is easily taken for the model beside it."""
    if header.architecture == "clip":
        raise ModelError(f"{header.path.name} is the vision part of a model.", "Choose the language model's file.")


def check_vision(header: Header, n_embd: int, projectors: Collection[str]) -> None:
    """Raises `ModelError` when a vision file does not fit the language model or normalises colours wrongly.

    n_embd      values a token that the language model takes
    projectors  the kinds of projector it was trained with
    """
    name = header.path.name
    if header.architecture != "clip":
        raise ModelError(f"{name} holds no vision model.", "Choose the mmproj file of the model.")
    width = header.integer("clip.vision.projection_dim")
    if width != n_embd:
        raise ModelError(
            f"{name} belongs to another model: it gives {width} values a token, and the model takes {n_embd}.",
            TOGETHER,
        )
    if header.projector not in projectors:
        raise ModelError(
            f"{name} belongs to another model: its projector is “{header.projector}”, and the model takes "
            f"{' or '.join(projectors)}.",
            TOGETHER,
        )
    if header.projector in WITH_CLIP_COLOURS:
        _check_colours(header)


def _check_colours(header: Header) -> None:
    for key, expected in (("clip.vision.image_mean", CLIP_MEAN), ("clip.vision.image_std", CLIP_STD)):
        found = header.values.get(key)
        values = [value for value in found if isinstance(value, float)] if isinstance(found, list) else []
        if len(values) != 3 or any(abs(a - b) > TOLERANCE for a, b in zip(values, expected, strict=True)):
            raise ModelError(
                f"{header.path.name} normalises colours as the model was not trained: {key} is {_numbers(values)}.",
                f"Convert it anew with {key.rsplit('.', 1)[1]} {_numbers(expected)} in preprocessor_config.json.",
            )


def _numbers(values: Sequence[float]) -> str:
    return "[" + ", ".join(f"{value:.4f}" for value in values) + "]"


class _HeaderReader:
    """The keys, and the table of tensors; the tensors themselves are not read. Format: GGUF version 2 and 3."""

    def __init__(self, path: Path) -> None:
        from gguf import GGMLQuantizationType
        from gguf.constants import GGML_QUANT_SIZES

        self._sizes = {int(kind): GGML_QUANT_SIZES[kind] for kind in GGMLQuantizationType}
        self.values: dict[str, Any] = {}
        with path.open("rb") as self._file:
            self._read(4)
            version = self._number("I")
            if version not in {2, 3}:
                raise ValueError(f"version {version}")
            tensors, keys = self._number("Q"), self._number("Q")
            if max(tensors, keys) > 1_000_000:
                raise ValueError("too many entries")
            for _ in range(keys):
                key = self._string()
                self.values[key] = self._value(self._number("I"))
            names = [word.partition("\0")[0] for word in self.values.get("tokenizer.ggml.tokens", [])]
            names = [name for name in names if name]  # llama.cpp reads up to a zero, and gives the empty ones a name
            if len(set(names)) != len(names):  # it ends the process
                raise ValueError("two tokens with the same name")
            ends = [self._tensor_end() for _ in range(tensors)]
            alignment = int(self.values.get("general.alignment", 32))
            start = -(-self._file.tell() // alignment) * alignment
            self.bytes_needed = start + max(ends, default=0)

    def _read(self, count: int) -> bytes:
        data = self._file.read(count)
        if len(data) != count:
            raise ValueError("the file ends in its header")
        return data

    def _number(self, code: str) -> Any:
        return struct.unpack("<" + code, self._read(struct.calcsize("<" + code)))[0]

    def _string(self) -> str:
        count = self._number("Q")
        if count > 1 << 26:
            raise ValueError("a text of absurd length")
        return self._read(count).decode("utf-8")

    def _value(self, kind: int) -> Any:
        codes = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
        if kind in codes:
            return self._number(codes[kind])
        if kind == 8:
            return self._string()
        if kind == 9:
            inner, count = self._number("I"), self._number("Q")
            if count > 1 << 26:
                raise ValueError("a list of absurd length")
            return [self._value(inner) for _ in range(count)]
        raise ValueError(f"unknown kind of value {kind}")

    def _tensor_end(self) -> int:
        """Where a tensor ends, in bytes from the start of the data."""
        self._string()
        dimensions, elements = self._number("I"), 1
        if dimensions > MAX_DIMENSIONS:
            raise ValueError(f"a tensor of {dimensions} dimensions")
        for _ in range(dimensions):
            elements *= self._number("Q")
        block, block_bytes = self._sizes[self._number("I")]
        return int(self._number("Q") + -(-elements // block) * block_bytes)
