"""Reads a case file: one JSON object a line, an instruction and the box of the element it names.

Fields that count: id, image (path relative to the case file), instruction, bbox [x, y, width, height] in pixels of the
picture, absent (true: nothing on the picture fits; bbox is null), scale (of the user interface; 1 when not given).
All other fields are traits to group by: category, kind, app, theme, resolution, style, ...
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from fingerpost.engine.errors import BenchError, UsageError
from fingerpost.engine.values import Query

MAX_SHOWN = 20  # bad lines that are explained; a file of another kind would fill the terminal
UNKNOWN = "-"  # a trait that a case does not have

Parsed = TypeVar("Parsed")


class Rect(NamedTuple):
    """A rectangle in pixels of the picture. The numbers are those of the file, which may be fractions."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Case:
    """One instruction on one picture.

    bbox    where the element is; None when it is not there, and "not found" is the right answer
    scale   frame pixels per logical pixel of the user interface
    traits  all other fields of the line, as text
    """

    id: str
    image: Path
    query: Query
    bbox: Rect | None
    scale: float
    traits: Mapping[str, str]

    def trait(self, name: str) -> str:
        return self.traits.get(name, UNKNOWN)


class LineError(Exception):
    """What is wrong with one line, as the end of a sentence."""


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a file, in its order.

    Raises `BenchError` when the file or one of its lines cannot be used; it explains each bad line with its number.
    """
    seen: set[str] = set()
    pictures: dict[Path, bool] = {}

    def parse(fields: dict[str, Any]) -> Case:
        case = _case(fields, path.parent)
        if case.id in seen:
            raise LineError(f"the id {case.id!r} was used before")
        seen.add(case.id)
        if case.image not in pictures:
            pictures[case.image] = _is_file(case.image)
        if not pictures[case.image]:
            raise LineError(f"there is no picture {fields['image']}")
        return case

    return read_lines(path, parse)


def select(cases: Iterable[Case], only: Sequence[tuple[str, str]], limit: int | None = None) -> tuple[Case, ...]:
    """The first `limit` cases that have the traits asked for: one of the values named for each trait.

    Raises `UsageError` when no case is left, and says which traits or values there are.
    """
    kept = list(cases)
    wanted: dict[str, set[str]] = {}
    for name, value in only:
        wanted.setdefault(name, set()).add(value)
    for name, values in wanted.items():
        there = {case.trait(name) for case in kept}
        if there <= {UNKNOWN}:
            names = sorted({trait for case in kept for trait in case.traits})
            raise UsageError(f"No case has the trait {name!r}.", f"Choose one of: {', '.join(names)}.")
        kept = [case for case in kept if case.trait(name) in values]
        if not kept:
            raise UsageError(
                f"No case is left with {name}={' or '.join(sorted(values))}.", f"There are: {', '.join(sorted(there))}."
            )
    return tuple(kept[:limit])


def read_lines(path: Path, parse: Callable[[dict[str, Any]], Parsed]) -> tuple[Parsed, ...]:
    """Every line of a file of JSON objects, parsed. Empty lines are left out.

    `parse` raises `LineError` for a line it cannot use. Raises `BenchError` when any line is bad, or there is none.
    """
    good: list[Parsed] = []
    bad: list[str] = []
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            good.append(parse(_object(line)))
        except LineError as error:
            bad.append(f"  line {number}: {error}")
    if bad:
        more = [f"  and {len(bad) - MAX_SHOWN} more"] if len(bad) > MAX_SHOWN else []
        lines = "1 line" if len(bad) == 1 else f"{len(bad)} lines"
        raise BenchError(
            "\n".join([f"{path} has {lines} that cannot be used:", *bad[:MAX_SHOWN], *more]),
            'Correct or delete them; "fingerpost bench --help" tells the form.',
        )
    if not good:
        raise BenchError(f"{path} is empty.", "Give a file with one JSON object a line.")
    return tuple(good)


def number(value: Any) -> float | None:
    """The value when it is a finite number, which true and false are not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise BenchError(f"{path} is not a text file.", "Give a file with one JSON object a line.") from None
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a NUL
        return False


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON ({error.msg.lower()} at character {error.colno})") from None
    except RecursionError:
        raise LineError("not JSON (nested too deeply)") from None
    if not isinstance(value, dict):
        raise LineError("not a JSON object")
    return value


def _case(fields: dict[str, Any], folder: Path) -> Case:
    missing = [name for name in ("id", "image", "instruction") if fields.get(name) in (None, "")]
    if missing:
        raise LineError(f"{' and '.join(missing)} missing")
    wrong = [name for name in ("id", "image", "instruction") if not isinstance(fields[name], str)]
    if wrong:
        raise LineError(f"{' and '.join(wrong)} must be text")
    absent = fields.get("absent", False)
    if not isinstance(absent, bool):
        raise LineError("absent must be true or false")
    scale = 1.0 if fields.get("scale") is None else number(fields["scale"])
    if scale is None or scale <= 0:
        raise LineError("scale must be a number above 0")
    return Case(
        id=fields["id"],
        image=folder / fields["image"],
        query=_query(fields["instruction"]),
        bbox=None if absent else _bbox(fields.get("bbox")),
        scale=scale,
        traits=dict(_traits(fields)),
    )


def _query(instruction: str) -> Query:
    try:
        return Query(instruction)
    except UsageError as error:
        raise LineError(f"instruction: {error.message.rstrip('.').lower()}") from None


def _bbox(value: Any) -> Rect:
    if value is None:
        raise LineError("bbox missing (absent cases need absent: true)")
    numbers = [number(part) for part in value] if isinstance(value, list) else []
    x, y, width, height = numbers if len(numbers) == 4 else (None,) * 4
    if x is None or y is None or width is None or height is None or width <= 0 or height <= 0:
        raise LineError("bbox must be [x, y, width, height] with width and height above 0")
    return Rect(x, y, width, height)


def _traits(fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        if name in ("id", "image", "instruction", "bbox") or value is None:
            continue
        yield name, value if isinstance(value, str) else json.dumps(value)
