"""Programs that run, by the names Linux keeps of them."""

from __future__ import annotations

from pathlib import Path

PROC = Path("/proc")
RUNNERS = ("python", "perl", "ruby", "node", "java", "bash", "sh", "electron")
"""Programs that run others; their own name says nothing."""


def names_of(pid: int) -> frozenset[str]:
    """The names of a process in lower case: its executable file and what it was started as. Empty when unknown."""
    found = set()
    folder = PROC / str(pid)
    try:
        found.add((folder / "comm").read_text("utf-8", "replace").strip())  # cut to 15 characters by Linux
        first = (folder / "cmdline").read_bytes().split(b"\0")[0]
        found.add(Path(first.decode("utf-8", "replace")).name)
        found.add((folder / "exe").readlink().name.removesuffix(" (deleted)"))
    except OSError:  # it ended, or belongs to somebody else
        pass
    return frozenset(name.lower() for name in found if name)


def running() -> frozenset[str]:
    """The names of all processes, lower case."""
    try:
        numbers = [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]
    except OSError:
        return frozenset()
    return frozenset(name for number in numbers for name in names_of(number))


def is_runner(name: str) -> bool:
    """Whether a program of that name only runs other programs: "python3.11", "java"."""
    return name.rstrip("0123456789.") in RUNNERS
