"""The history's SQLite file: opening it, bringing it up to date, setting a damaged one aside. No rows here."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from fingerpost.app.text import text
from fingerpost.engine.errors import FingerpostError

MIGRATIONS = (
    """
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        time REAL NOT NULL,              -- seconds since 1970, UTC
        query TEXT NOT NULL,
        engine TEXT NOT NULL, elapsed_ms REAL NOT NULL,
        found INTEGER NOT NULL, ambiguous INTEGER NOT NULL, targets INTEGER NOT NULL,
        label TEXT NOT NULL, kind TEXT NOT NULL, confidence REAL NOT NULL,
        action TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
        window_title TEXT NOT NULL, app TEXT NOT NULL,
        folded TEXT NOT NULL             -- all that is searched, without case and accents
    );
    CREATE INDEX entries_time ON entries (time);
    CREATE TABLE pictures (
        entry INTEGER PRIMARY KEY REFERENCES entries (id) ON DELETE CASCADE,
        size INTEGER NOT NULL,           -- bytes
        png BLOB NOT NULL
    );
    """,
)
"""Each brings a database of the version before to its own; the first makes an empty one version 1."""

WAIT_S = 0.5  # for another process that is writing; the user interface stands still meanwhile
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class HistoryError(FingerpostError):
    """The history cannot be read or written."""


def opened(path: Path) -> sqlite3.Connection:
    """A connection to an up-to-date database at `path`, created readable for this user only.

    Raises `sqlite3.Error`, `OSError`, or `HistoryError` for a file of a newer version.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    path.chmod(0o600)  # SQLite gives its two side files the same
    connection = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection)
        _migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten with zeros
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA journal_mode = WAL")  # SQLite keeps another mode where the file system is not fit for it
    connection.execute("PRAGMA synchronous = NORMAL")


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")  # two processes may start at once; the second finds the work done
    try:
        version = _version(connection)
        if version > len(MIGRATIONS):
            raise HistoryError(text("history.problem.newer", path=path), text("history.problem.newer_hint"))
        for script in MIGRATIONS[version:]:
            for statement in script.split(";"):  # executescript would end the transaction
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is broken, rather than locked, full or forbidden."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED


def is_sound(path: Path) -> bool:
    """Whether the database at `path` is whole. Reads all of it."""
    try:
        connection = opened(path)
    except sqlite3.Error as error:
        return not is_damage(error)
    try:
        return bool(connection.execute("PRAGMA quick_check").fetchone()[0] == "ok")
    except sqlite3.Error as error:
        return not is_damage(error)
    finally:
        connection.close()


def set_aside(path: Path) -> Path:
    """Rename a damaged database to the first free name; its side files go with it. Raises `OSError`."""
    number = 1
    while (kept := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    path.rename(kept)
    for ending in ("-wal", "-shm"):
        side = path.with_name(path.name + ending)
        if side.exists():
            side.rename(kept.with_name(kept.name + ending))
    return kept
