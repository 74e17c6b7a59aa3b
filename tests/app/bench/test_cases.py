from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingerpost.app.bench.cases import MAX_SHOWN, Rect, read_cases, select
from fingerpost.engine.errors import BenchError, UsageError

Line = dict[str, Any]
WriteCases = Callable[[list[Line]], Path]


def test_a_case_is_read_with_all_its_fields(lines: list[Line], write_cases: WriteCases, tmp_path: Path) -> None:
    lines[0] |= {"scale": 2, "enabled": True, "theme": "dark"}
    first, *_, absent, _ = read_cases(write_cases(lines))
    assert first.id == "a"
    assert first.image == tmp_path / "one.png"
    assert first.query.text == "red"
    assert first.bbox == Rect(10, 10, 20, 20)
    assert first.scale == 2
    assert [first.trait(name) for name in ("theme", "enabled", "toolkit")] == ["dark", "true", "-"]
    assert absent.bbox is None


def test_empty_lines_and_a_byte_order_mark_are_left_out(lines: list[Line], write_cases: WriteCases) -> None:
    path = write_cases(lines)
    path.write_text("\ufeff" + path.read_text("utf-8").replace("\n", "\r\n\r\n"), "utf-8")
    assert len(read_cases(path)) == len(lines)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": None}, "id missing"),
        ({"image": "", "instruction": None}, "image and instruction missing"),
        ({"id": 7}, "id must be text"),
        ({"id": "a"}, "the id 'a' was used before"),
        ({"image": "none.png"}, "there is no picture none.png"),
        ({"image": "x" * 5000}, "there is no picture xxx"),
        ({"instruction": "   "}, "the query is empty"),
        ({"instruction": "x" * 10_000}, "the query has 10,000 characters"),
        ({"bbox": None}, "bbox missing"),
        ({"bbox": [1, 2, 3]}, "bbox must be"),
        ({"bbox": [1, 2, 0, 4]}, "bbox must be"),
        ({"bbox": [1, 2, "3", 4]}, "bbox must be"),
        ({"bbox": [1, 2, True, 4]}, "bbox must be"),
        ({"bbox": [1, 2, float("inf"), 4]}, "bbox must be"),
        ({"absent": "yes"}, "absent must be true or false"),
        ({"scale": 0}, "scale must be a number above 0"),
    ],
)
def test_a_bad_line_is_explained_with_its_number(
    lines: list[Line], write_cases: WriteCases, change: Line, reason: str
) -> None:
    lines[1] |= change
    with pytest.raises(BenchError) as caught:
        read_cases(write_cases(lines))
    heading, explained = caught.value.message.split("\n")
    assert heading.endswith("cases.jsonl has 1 line that cannot be used:")
    assert explained.startswith(f"  line 2: {reason}") or f": {reason}" in explained


def test_all_bad_lines_are_explained_at_once(lines: list[Line], write_cases: WriteCases) -> None:
    path = write_cases(lines)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": \n[1, 2]\n' + "[" * 100_000 + "\n")
    with pytest.raises(BenchError) as caught:
        read_cases(path)
    assert caught.value.message.split("\n")[1:] == [
        "  line 6: not JSON (expecting value at character 8)",
        "  line 7: not a JSON object",
        "  line 8: not JSON (nested too deeply)",
    ]


def test_a_file_of_another_kind_does_not_fill_the_terminal(write_cases: WriteCases) -> None:
    with pytest.raises(BenchError) as caught:
        read_cases(write_cases([{"id": str(number)} for number in range(1000)]))
    assert len(caught.value.message.split("\n")) == MAX_SHOWN + 2
    assert caught.value.message.endswith("and 980 more")


@pytest.mark.parametrize(
    ("content", "said"), [(None, "No such file"), (b"", "is empty"), (b"\x89PNG\xff", "is not a text file")]
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "cases.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BenchError, match=said):
        read_cases(path)


def test_values_of_a_trait_add_up_and_traits_narrow_down(lines: list[Line], write_cases: WriteCases) -> None:
    cases = read_cases(write_cases(lines))

    def ids(*only: tuple[str, str]) -> str:
        return "".join(case.id for case in select(cases, only))

    assert ids() == "abcde"
    assert ids(("category", "field")) == "ce"
    assert ids(("category", "field"), ("category", "icon")) == "abce"
    assert ids(("category", "field"), ("app", "draw")) == "e"
    assert [case.id for case in select(cases, [("app", "draw")], limit=1)] == ["b"]


def test_a_selection_that_leaves_nothing_says_what_there_is(lines: list[Line], write_cases: WriteCases) -> None:
    cases = read_cases(write_cases(lines))
    with pytest.raises(UsageError) as caught:
        select(cases, [("colour", "red")])
    assert caught.value.hint == "Choose one of: absent, app, category."
    with pytest.raises(UsageError) as caught:
        select(cases, [("app", "word")])
    assert caught.value.hint == "There are: draw, paint."
