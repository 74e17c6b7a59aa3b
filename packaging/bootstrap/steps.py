"""Runs the steps of the set-up: one line a step with its time on the terminal, all output in a log file."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

BEAT = 60.0
"""Seconds between two signs of life of a long step where the terminal cannot redraw a line."""


class SetupError(Exception):
    """The set-up cannot go on; the message is one sentence for the user."""

    def __init__(self, message: str, exit_code: int = 3) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class Steps:
    """Prints the steps and keeps their log. `log` is begun anew each time."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._title = ""
        self._redraws = sys.stdout.isatty() and os.name == "posix"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("", encoding="utf-8")

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Show `title`, and how long the block took once it is done."""
        start = time.monotonic()
        self._title = title
        print(f"- {title} ...", end="" if self._redraws else "\n", flush=True)
        try:
            yield
        finally:
            self._tell(time.monotonic() - start)
            print(end="\n" if self._redraws else "", flush=True)

    def run(self, command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> None:
        """Run `command` with its output in the log. Raises `SetupError` when it fails."""
        begin = self.log.stat().st_size
        if code := self.attempt(command, env):
            reason = self._reason(begin)
            raise SetupError(f"{_shown(command)} ended with code {code}{reason}; all it said is in {self.log}.")

    def attempt(self, command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> int:
        """Run `command` with its output in the log and return its exit code."""
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"\n$ {_shown(command)}\n")
            log.flush()
            try:
                child = subprocess.Popen(
                    [str(part) for part in command],
                    env={**os.environ, **(env or {})},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            except OSError as error:
                raise SetupError(f"{command[0]} cannot be started ({error.strerror}).") from error
            return self._wait(child)

    def _wait(self, child: subprocess.Popen[bytes]) -> int:
        start = told = time.monotonic()
        try:
            while True:
                try:
                    return child.wait(timeout=1)
                except subprocess.TimeoutExpired:
                    now = time.monotonic()
                if self._redraws or now - told >= BEAT:
                    told = now
                    self._tell(now - start)
        except BaseException:
            _end(child)
            raise

    def _tell(self, seconds: float) -> None:
        if self._redraws:
            print(f"\r- {self._title} ... {seconds:.0f} s", end="", flush=True)
        else:
            print(f"  {seconds:.0f} s", flush=True)

    def _reason(self, begin: int) -> str:
        """The first line of the log after byte `begin` that names an error, ready to be put into a sentence."""
        said = self.log.read_bytes()[begin:].decode("utf-8", errors="replace")
        marked = [line.strip() for line in said.splitlines() if line.lstrip().startswith(("E: ", "ERROR: ", "error: "))]
        return f" ({marked[0][:200].rstrip('.')})" if marked else ""


def show(command: Sequence[str | Path]) -> int:
    """Run `command` in full view of the user and return its exit code."""
    print(f"\n$ {_shown(command)}", flush=True)
    child = subprocess.Popen([str(part) for part in command])
    try:
        return child.wait()
    except BaseException:
        _end(child)
        raise


def _shown(command: Sequence[str | Path]) -> str:
    return subprocess.list2cmdline([str(part) for part in command])


def _end(child: subprocess.Popen[bytes]) -> None:
    """Wait for a child that got the same Ctrl-C; stop it when it does not end by itself."""
    for stop in (child.terminate, child.kill):
        try:
            child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            stop()
