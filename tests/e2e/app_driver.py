"""Drives the desktop application as a user does: real keys on a real X server; what happened is read from its log."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop_session import DesktopSession, end, wait_until

from fingerpost.app.history.store import History
from fingerpost.engine import accessibility

HOTKEY = "super+space"
"""Not the default with Ctrl: programs like KCalc show other captions while Ctrl is held."""
CALM_S = 0.3


class AppDriver:
    """A running `fingerpost app`. `events` are the lines of its log so far."""

    def __init__(self, desktop: DesktopSession, process: subprocess.Popen[bytes], log: Path) -> None:
        self.desktop = desktop
        self.process = process
        self.log = log
        self._mark = 0

    # what it tells

    @property
    def events(self) -> list[dict[str, Any]]:
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines() if line.endswith("}")]

    @property
    def recent(self) -> list[dict[str, Any]]:
        """What was written since `forget`."""
        return self.events[self._mark :]

    @property
    def state(self) -> str:
        """ "idle", "open" or "acting"."""
        return next((str(entry["state"]) for entry in reversed(self.events) if entry["event"] == "state"), "idle")

    def forget(self) -> None:
        """Later waits look only at what is written from now on."""
        self._mark = len(self.events)

    def seen(self, event: str, **values: object) -> dict[str, Any] | None:
        """The last event of that name, with these values, since `forget`."""
        for entry in reversed(self.recent):
            if entry["event"] == event and all(entry.get(key) == value for key, value in values.items()):
                return entry
        return None

    def wait(self, event: str, seconds: float = 30.0, **values: object) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while (found := self.seen(event, **values)) is None:
            assert time.monotonic() < end, f"no event {event} {values}, but {self.recent}"
            assert self.process.poll() is None, f"the application ended while event {event} was awaited"
            time.sleep(0.02)
        return found

    def says(self, words: str) -> bool:
        """Whether one of its windows shows these words, as a screen reader is told."""
        nodes = accessibility.snapshot(5.0, self.process.pid).nodes
        return any(words in node.name or words in node.text for node in nodes)

    @property
    def history(self) -> History:
        return History(self.desktop.home / ".local" / "share" / "fingerpost" / "history.sqlite")

    # what a user does

    def open(self) -> None:
        """Press the hotkey, and wait until the palette is painted."""
        self.forget()
        self.desktop.key(HOTKEY)
        self.wait("palette painted")

    def type(self, words: str) -> None:
        subprocess.run(["xdotool", "type", "--delay", "12", words], check=True, env=self.desktop.env, timeout=60)

    def say(self, query: str) -> dict[str, Any]:
        """Type a query into the open palette, and wait for its answer."""
        self.type(query)
        return self.wait("answered", query=query)

    def find(self, query: str, may_be_ambiguous: bool = False) -> dict[str, Any]:
        """Hotkey and query; the answer once it is pointed at, long enough to be agreed to."""
        self.open()
        self.say(query)
        self.settle()
        answer = self.wait("answered", query=query)
        assert not answer["ambiguous"] or may_be_ambiguous, self.recent
        return answer

    def settle(self) -> None:
        """Until the ring stands still: what a person takes to look at it."""
        last = -1
        while last != len(self.events):
            last = len(self.events)
            time.sleep(CALM_S)

    def enter(self) -> dict[str, Any]:
        """Agree, and wait for what became of it. Later waits look at what was written since."""
        self.forget()
        self.desktop.key("Return")
        return self.wait("finished")

    def click(self, query: str) -> dict[str, Any]:
        """The whole way: hotkey, query, Enter."""
        answer = self.find(query)
        assert answer["found"], answer
        assert not answer["ambiguous"], answer
        return self.enter()

    def leave(self) -> None:
        """Close the palette, if it is open, and wait until nothing goes on."""
        wait_until(lambda: self.state != "acting", what="the end of the action")
        if self.state == "open":
            self.desktop.key("Escape")
        wait_until(lambda: self.state == "idle", what="a closed palette")

    # what may befall it

    def engine(self) -> int | None:
        """The process of the engine, None while there is none."""
        return next((child for child in children(self.process.pid) if b"spawn_main" in _command_line(child)), None)

    def tell_engine(self, number: signal.Signals) -> int:
        """Send the engine's process a signal; returns its id."""
        found = self.engine()
        assert found is not None, "there is no engine"
        os.kill(found, number)
        return found


def children(pid: int) -> list[int]:
    """The processes that any thread of a process has started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for listed in lists for child in listed.read_text().split()]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def running_app(
    desktop: DesktopSession,
    *options: str,
    settings: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
) -> Iterator[AppDriver]:
    """`fingerpost app` on a desktop, with a configuration of its own; ready to answer."""
    folder = desktop.home / ".config" / "fingerpost"
    folder.mkdir(parents=True, exist_ok=True)
    chosen = {"version": 1, "first_run_done": True, "language": "en", "hotkey": "Super+Space", **(settings or {})}
    (folder / "settings.json").write_text(json.dumps(chosen), encoding="utf-8")
    number = time.monotonic_ns()
    log = desktop.home / f"events-{number}.jsonl"
    command = [sys.executable, "-m", "fingerpost", "app", "--hidden", "--log", str(log), *options]
    said = desktop.home / f"said-{number}.txt"
    with said.open("wb") as output:
        process = subprocess.Popen(
            command,
            env={**desktop.env, **(env or {})},
            cwd=desktop.home,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    driver = AppDriver(desktop, process, log)
    try:
        _wait(lambda: driver.seen("engine ready") is not None or process.poll() is not None)
        assert process.poll() is None, said.read_text("utf-8", "replace")
        yield driver
    finally:
        end(process)


def _wait(condition: Callable[[], bool]) -> None:
    wait_until(condition, 60, "the engine of the application")
