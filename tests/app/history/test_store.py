"""The history's database: what goes in comes out, what is removed is gone, and a damaged file is no disaster."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.app.history.database import MIGRATIONS, HistoryError
from fingerpost.app.history.store import History, fold
from fingerpost.app.history.values import OUTCOMES, Entry
from fingerpost.app.settings.values import ACTIONS

WORDS = st.text(st.characters(exclude_categories=["Cs"]))
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=0)
)
ENTRIES = st.builds(
    Entry,
    query=WORDS,
    time=MOMENTS,
    engine=WORDS,
    elapsed_ms=st.floats(0, 1e6),
    found=st.booleans(),
    ambiguous=st.booleans(),
    targets=st.integers(0, 99),
    label=WORDS,
    kind=WORDS,
    confidence=st.floats(0, 1),
    action=st.sampled_from(["", *ACTIONS]),
    outcome=st.sampled_from(OUTCOMES),
    reason=WORDS,
    window_title=WORDS,
    app=WORDS,
)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "fingerpost" / "history.sqlite")


def queries(history: History, words: str = "") -> list[str]:
    return [entry.query for entry in history.search(words)]


def bytes_on_disk(history: History) -> bytes:
    """The database and its side files."""
    return b"".join(path.read_bytes() for path in sorted(history.path.parent.iterdir()))


def damage(history: History) -> None:
    """Break the file while nobody has it open."""
    history.close()
    content = history.path.read_bytes()
    history.path.write_bytes(b"SQLite format 3\0" + b"\xa5" * len(content))


@settings(max_examples=40)
@given(entries=st.lists(ENTRIES, max_size=4))
def test_what_goes_in_comes_out(entries: list[Entry], tmp_path_factory: pytest.TempPathFactory) -> None:
    history = History(tmp_path_factory.mktemp("round") / "history.sqlite")
    ids = [history.add(entry) for entry in entries]
    found = {entry.id: entry for entry in history.search()}
    history.close()
    assert set(found) == set(ids)
    for number, entry in zip(ids, entries, strict=True):
        assert found[number] == Entry(**{**vars(entry), "id": number})


def test_no_letter_depends_on_its_case() -> None:
    letters = [letter for letter in map(chr, range(0x20000)) if letter.upper() != letter or letter.lower() != letter]
    assert len(letters) > 2000
    assert [
        letter for letter in letters if fold(letter) != fold(letter.upper()) or fold(fold(letter)) != fold(letter)
    ] == []


@settings(max_examples=40)
@given(query=WORDS.filter(lambda words: fold(words).split() != []))
def test_an_entry_is_found_by_its_own_words(query: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    history = History(tmp_path_factory.mktemp("own") / "history.sqlite")
    history.add(Entry(query=query))
    assert queries(history, query.upper()) == [query]
    assert queries(history, fold(query)) == [query]
    history.close()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("grosse", ["Schriftgröße"]), ("GRÖSSE", ["Schriftgröße"]), ("schrift mousepad", ["Schriftgröße"]),
        ("acao", ["a ação"]), ("100%", ["100% zoom"]), ("%", ["100% zoom"]), ("_", []), ("'; --", []), ("zz", []),
        ("  ", ["100% zoom", "a ação", "Schriftgröße"]),
    ],
)  # fmt: skip
def test_the_search_wants_every_word_whatever_the_case_and_accents(
    history: History, words: str, expected: list[str]
) -> None:
    start = datetime(2026, 5, 1, tzinfo=UTC)
    history.add(Entry(query="Schriftgröße", app="mousepad", time=start))
    history.add(Entry(query="a ação", window_title="Início", time=start + timedelta(hours=1)))
    history.add(Entry(query="100% zoom", label="Zoom", time=start + timedelta(hours=2)))
    assert queries(history, words) == expected


def test_pictures_are_read_one_by_one(history: History) -> None:
    first = history.add(Entry(query="with", picture=b"png"))
    second = history.add(Entry(query="without"))
    assert (history.picture(first), history.picture(second), history.picture(99)) == (b"png", None, None)
    assert [entry.picture for entry in history.search()] == [None, None]


def test_earlier_queries_come_newest_first_and_once(history: History) -> None:
    for query in ("save", "open", "save", "close"):
        history.add(Entry(query=query))
    assert history.queries() == ("close", "save", "open")
    assert history.queries(2) == ("close", "save")


def test_nothing_is_created_before_something_is_kept(history: History) -> None:
    history.close()
    assert not history.path.parent.exists()


def test_only_the_user_can_read_the_files(history: History) -> None:
    history.add(Entry(query="secret"))
    files = list(history.path.parent.iterdir())
    assert history.path in files
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(history.path.parent.stat().st_mode) == 0o700


def test_clearing_leaves_no_word_and_no_pixel_on_the_disk(history: History) -> None:
    for number in range(50):
        history.add(Entry(query=f"hunter2 {number}", picture=b"PIXELS" * 2000))
    history.clear()
    left = bytes_on_disk(history)
    assert history.count() == 0
    assert b"hunter2" not in left
    assert b"PIXELS" not in left


def test_clearing_works_while_another_process_reads(history: History) -> None:
    history.add(Entry(query="hunter2", picture=b"PIXELS" * 2000))
    reader = sqlite3.connect(history.path)
    reader.execute("BEGIN")
    reader.execute("SELECT COUNT(*) FROM entries").fetchone()
    history.clear()
    reader.close()
    history.close()
    assert b"hunter2" not in history.path.read_bytes()
    assert b"PIXELS" not in history.path.read_bytes()


def test_deleting_one_leaves_the_others_and_nothing_of_it(history: History) -> None:
    gone = history.add(Entry(query="hunter2", picture=b"PIXELS" * 2000))
    history.add(Entry(query="kept", picture=b"kept"))
    history.delete(gone)
    history.delete(gone)
    assert queries(history) == ["kept"]
    assert history.picture(gone) is None
    left = bytes_on_disk(history)
    assert b"hunter2" not in left
    assert b"PIXELS" not in left


def test_old_entries_are_pruned_by_days_and_zero_keeps_all(history: History) -> None:
    now = datetime.now(UTC)
    for days in (0, 29, 31, 400):
        history.add(Entry(query=str(days), time=now - timedelta(days=days)))
    assert history.prune(0) == 0
    assert history.prune(30) == 2
    assert queries(history) == ["0", "29"]


def test_the_oldest_pictures_go_when_there_are_too_many_and_entries_stay(tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite", picture_bytes=1000)
    ids = [history.add(Entry(query=str(number), picture=b"x" * 400)) for number in range(5)]
    assert [history.picture(number) is not None for number in ids] == [False, False, False, True, True]
    assert history.count() == 5


def test_a_damaged_database_is_set_aside_and_a_new_one_begun(history: History) -> None:
    history.add(Entry(query="before"))
    damage(history)
    history.add(Entry(query="after"))
    assert queries(history) == ["after"]
    assert history.problem is not None
    assert "history.damaged-1.sqlite" in history.problem
    assert (history.path.parent / "history.damaged-1.sqlite").exists()


def test_damage_that_shows_while_the_file_is_open_is_no_disaster(history: History) -> None:
    for number in range(200):
        history.add(Entry(query=f"long enough to fill pages {number}", picture=b"x" * 9000))
    history.close()
    with history.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (history.path.stat().st_size - 4096))
    assert history.search() == ()
    assert history.problem is not None
    history.add(Entry(query="after"))
    assert queries(history) == ["after"]


def test_a_file_that_another_process_has_mended_is_not_set_aside_again(history: History) -> None:
    history.add(Entry(query="before"))
    damage(history)
    other = History(history.path)
    other.add(Entry(query="after"))
    other.close()
    history.add(Entry(query="later"))
    assert queries(history) == ["later", "after"]
    assert not (history.path.parent / "history.damaged-2.sqlite").exists()


def test_a_history_of_a_newer_version_is_left_alone(history: History) -> None:
    history.add(Entry(query="kept"))
    history.close()
    database = sqlite3.connect(history.path)
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    database.close()
    with pytest.raises(HistoryError) as raised:
        history.add(Entry(query="new"))
    assert str(history.path) in raised.value.message
    database = sqlite3.connect(history.path)
    assert database.execute("SELECT query FROM entries").fetchall() == [("kept",)]
    database.close()


def test_a_folder_in_the_files_place_is_one_sentence(history: History) -> None:
    history.path.mkdir(parents=True)
    with pytest.raises(HistoryError) as raised:
        history.count()
    assert str(history.path) in raised.value.message


def test_a_program_that_holds_the_file_for_seconds_is_not_waited_for(history: History) -> None:
    history.add(Entry(query="before"))
    holder = sqlite3.connect(history.path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    letting_go = threading.Timer(3.0, holder.execute, ["ROLLBACK"])
    letting_go.start()
    with pytest.raises(HistoryError, match="locked"):
        history.add(Entry(query="meanwhile"))
    letting_go.join()
    history.add(Entry(query="after"))
    assert queries(history) == ["after", "before"]
    holder.close()


def test_a_full_disk_is_one_sentence_and_the_history_stays(history: History) -> None:
    history.add(Entry(query="kept"))
    history._use(lambda database: database.execute("PRAGMA max_page_count = 1"))  # as a disk without room
    with pytest.raises(HistoryError) as raised:
        history.add(Entry(query="new", picture=b"x" * 1_000_000))
    assert "full" in raised.value.message
    assert queries(history) == ["kept"]


def test_two_processes_write_at_once(history: History) -> None:
    code = (
        "import sys; from pathlib import Path; from fingerpost.app.history.store import History;"
        "from fingerpost.app.history.values import Entry; h = History(Path(sys.argv[1]));"
        "[h.add(Entry(query=sys.argv[2])) for _ in range(40)]"
    )
    command = [sys.executable, "-c", code, str(history.path)]
    processes = [subprocess.Popen([*command, name]) for name in ("one", "two")]
    for _ in range(40):
        history.add(Entry(query="three"))
    assert [process.wait(60) for process in processes] == [0, 0]
    assert sorted(queries(history)) == ["one"] * 40 + ["three"] * 40 + ["two"] * 40


def test_threads_share_one_history(history: History) -> None:
    threads = [threading.Thread(target=lambda: history.add(Entry(query="x"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert history.count() == 8


def test_half_characters_of_a_window_title_are_replaced(history: History) -> None:
    history.add(Entry(query="x", window_title="bad \udc80 title"))
    assert history.search("title")[0].window_title == "bad ? title"
