"""Where the engine's process begins. Light: the program has to import this too, to name it to the new process."""

from __future__ import annotations

from multiprocessing.connection import Connection

from fingerpost.engine.process.courtesy import make_way


def main(connection: Connection, engine: str, threads: int, factory: str, beat_s: float) -> None:
    """See `worker.work`."""
    make_way()
    from fingerpost.engine.process.worker import work

    work(connection, engine, threads, factory, beat_s)
