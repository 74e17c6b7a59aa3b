"""The history: entries in, entries out. Thread-safe; two processes may use the same file at once.

Nothing is created before the first use, so a history that is switched off leaves no trace.
"""

from __future__ import annotations

import sqlite3
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

from fingerpost.app.history.database import WAIT_S, HistoryError, is_damage, is_sound, opened, set_aside
from fingerpost.app.history.values import Entry
from fingerpost.app.text import text

PICTURE_BYTES = 100_000_000  # of all pictures together; beyond, the oldest pictures go and their entries stay
COLUMNS = tuple(field.name for field in fields(Entry) if field.name not in {"id", "picture"})
INSERT = f"INSERT INTO entries ({', '.join(COLUMNS)}, folded) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
SELECT = f"SELECT id, {', '.join(COLUMNS)} FROM entries"
SEARCHED = ("query", "label", "window_title", "app", "reason")

Result = TypeVar("Result")


def default_path() -> Path:
    """Where this user's history is kept. Nothing is created."""
    return platformdirs.user_data_path("fingerpost", appauthor=False) / "history.sqlite"


class History:
    """All methods raise `HistoryError` when the file cannot be used: no space, no permission, locked for long.

    problem   what was wrong with the file and what was done about it, one sentence; None as a rule. A damaged
              database is set aside at once and a new one begun.
    """

    def __init__(self, path: Path | None = None, picture_bytes: int = PICTURE_BYTES) -> None:
        self.path = path or default_path()
        self.problem: str | None = None
        self._picture_bytes = picture_bytes
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.RLock()

    def add(self, entry: Entry) -> int:
        """Keep `entry`; returns its id."""
        return self._use(lambda database: self._add(database, entry))

    def search(self, words: str = "", limit: int = 500) -> tuple[Entry, ...]:
        """The entries that contain every word, newest first, whatever the case and accents; without their pictures."""
        folded = fold(words).split()
        where = " AND ".join(["instr(folded, ?)"] * len(folded)) or "1"
        command = f"{SELECT} WHERE {where} ORDER BY time DESC, id DESC LIMIT ?"
        return self._use(lambda database: tuple(map(_entry, database.execute(command, (*folded, limit)))))

    def picture(self, entry: int) -> bytes | None:
        """The PNG of the entry with this id, None when it has none (any more)."""
        command = "SELECT png FROM pictures WHERE entry = ?"
        row = self._use(lambda database: database.execute(command, (entry,)).fetchone())
        return bytes(row[0]) if row else None

    def queries(self, limit: int = 50) -> tuple[str, ...]:
        """The latest different queries, newest first."""
        command = "SELECT query FROM entries GROUP BY query ORDER BY MAX(time) DESC, MAX(id) DESC LIMIT ?"
        return self._use(lambda database: tuple(row[0] for row in database.execute(command, (limit,))))

    def count(self) -> int:
        return int(self._use(lambda database: database.execute("SELECT COUNT(*) FROM entries").fetchone()[0]))

    def delete(self, entry: int) -> None:
        """Remove the entry with this id, and its picture; an unknown id is nothing to do."""
        self._use(lambda database: _delete(database, "id = ?", entry))

    def prune(self, days: int) -> int:
        """Remove the entries older than so many days (0: none); returns how many went."""
        oldest = datetime.now(UTC) - timedelta(days=days)
        return self._use(lambda database: _delete(database, "time < ?", oldest.timestamp())) if days else 0

    def clear(self) -> None:
        """Remove everything, also from the free space of the file."""
        self._use(_clear)

    def close(self) -> None:
        """Let go of the file; a later call opens it again."""
        with self._lock:
            if self._connection:
                self._connection.close()
            self._connection = None

    def _add(self, database: sqlite3.Connection, entry: Entry) -> int:
        values = [getattr(entry, name) for name in COLUMNS]
        values[COLUMNS.index("time")] = entry.time.timestamp()
        searched = fold("\n".join(getattr(entry, name) for name in SEARCHED))
        with _transaction(database):
            number = int(database.execute(INSERT, (*map(_storable, values), _storable(searched))).lastrowid or 0)
            if entry.picture:
                command = "INSERT INTO pictures (entry, size, png) VALUES (?, ?, ?)"
                database.execute(command, (number, len(entry.picture), entry.picture))
                database.execute(FORGET_PICTURES, (self._picture_bytes,))
        return number

    def _use(self, action: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run `action` on the database; once more on a new one when the file turns out to be damaged."""
        with self._lock:
            try:
                return self._try(action)
            except sqlite3.Error as error:
                if not is_damage(error):
                    raise self._failure(str(error)) from error
                self._begin_anew()
                try:
                    return self._try(action)
                except sqlite3.Error as again:
                    raise self._failure(str(again)) from again

    def _try(self, action: Callable[[sqlite3.Connection], Result]) -> Result:
        """Raises `sqlite3.Error` and `HistoryError`."""
        if self._connection is None:
            try:
                self._connection = opened(self.path)
            except OSError as error:
                raise self._failure(error.strerror or type(error).__name__) from error
        return action(self._connection)

    def _begin_anew(self) -> None:
        """Set the damaged file aside, unless another process has done so already."""
        self.close()
        if is_sound(self.path):
            return
        try:
            self.problem = text("history.problem.damaged", path=set_aside(self.path))
        except OSError as error:
            raise self._failure(error.strerror or type(error).__name__) from error

    def _failure(self, reason: str) -> HistoryError:
        message = text("history.problem.unusable", path=self.path, reason=reason)
        return HistoryError(message, text("history.problem.unusable_hint"))


FORGET_PICTURES = """
DELETE FROM pictures WHERE entry IN (
    SELECT entry FROM (SELECT entry, SUM(size) OVER (ORDER BY entry DESC) AS newer_and_this FROM pictures)
    WHERE newer_and_this > ?)
"""


def fold(words: str) -> str:
    """Without case, accents and ligatures: "Größe" and "GROSSE" both become "grosse"."""
    apart = unicodedata.normalize("NFKD", words.upper().casefold())  # upper first: "ı" and "I" are one letter
    return "".join(character for character in apart if not unicodedata.combining(character)).upper().casefold()


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _delete(database: sqlite3.Connection, where: str, value: float) -> int:
    """Remove the entries where it holds, also from the journal; returns how many."""
    with _transaction(database):
        gone = database.execute(f"DELETE FROM entries WHERE {where}", (value,)).rowcount
    if gone:
        _empty_journal(database)
    return gone


def _clear(database: sqlite3.Connection) -> None:
    with _transaction(database):
        database.execute("DELETE FROM entries")
        database.execute("DELETE FROM sqlite_sequence")
    with _impatient(database), suppress(sqlite3.OperationalError):  # somebody reads; the rows are zeros already
        database.execute("VACUUM")
    _empty_journal(database)


def _empty_journal(database: sqlite3.Connection) -> None:
    """The write-ahead log still holds the pages as they were; while another process reads, who closes last does it."""
    with _impatient(database):
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@contextmanager
def _impatient(database: sqlite3.Connection) -> Iterator[None]:
    """Do not wait for a process that reads: what is tidied up here can wait, and the user interface cannot."""
    database.execute("PRAGMA busy_timeout = 100")
    try:
        yield
    finally:
        database.execute(f"PRAGMA busy_timeout = {round(WAIT_S * 1000)}")


def _storable(value: object) -> object:
    """Half characters, as some window titles have, cannot be stored."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _entry(row: tuple[Any, ...]) -> Entry:
    values = dict(zip(("id", *COLUMNS), row, strict=True))
    flags = {name: bool(values[name]) for name in ("found", "ambiguous")}
    return Entry(**(values | flags | {"time": datetime.fromtimestamp(values["time"], UTC)}))
