"""Drives the desktop application as a user does: real keys on a real X server; what happened is read from its log."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop_session import DesktopSession, end, wait_until

HOTKEY = "super+space"
"""Not the default with Ctrl: programs like KCalc show other captions while Ctrl is held."""


class AppDriver:
    """A running `fingerpost app`. `events` are the lines of its log so far."""

    def __init__(self, desktop: DesktopSession, process: subprocess.Popen[bytes], log: Path) -> None:
        self.desktop = desktop
        self.process = process
        self.log = log
        self._mark = 0

    @property
    def events(self) -> list[dict[str, Any]]:
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines() if line.endswith("}")]

    def forget(self) -> None:
        """Later waits look only at what is written from now on."""
        self._mark = len(self.events)

    def seen(self, event: str, **values: object) -> dict[str, Any] | None:
        """The last event of that name, with these values, since `forget`."""
        for entry in reversed(self.events[self._mark :]):
            if entry["event"] == event and all(entry.get(key) == value for key, value in values.items()):
                return entry
        return None

    def wait(self, event: str, seconds: float = 40.0, **values: object) -> dict[str, Any]:
        wait_until(
            lambda: self.seen(event, **values) is not None, seconds, f"event {event} {values}, got {self.events}"
        )
        found = self.seen(event, **values)
        assert found is not None
        return found

    def open(self) -> None:
        """Press the hotkey, until the palette is painted."""
        self.forget()
        self.desktop.key(HOTKEY)
        self.wait("palette painted")

    def say(self, query: str) -> dict[str, Any]:
        """Type a query into the open palette, and wait for its answer."""
        subprocess.run(["xdotool", "type", "--delay", "12", query], check=True, env=self.desktop.env, timeout=60)
        return self.wait("answered", query=query)

    def find(self, query: str) -> dict[str, Any]:
        """Hotkey and query; the answer once it is pointed at, long enough to be agreed to."""
        self.open()
        answer = self.say(query)
        self.settle()
        return answer

    def settle(self) -> None:
        """Until the tree has arrived and the ring stands still: what a person takes to look at it."""
        last = -1
        while last != len(self.events):
            last = len(self.events)
            time.sleep(0.4)

    def enter(self) -> dict[str, Any]:
        """Agree, and wait for what became of it."""
        self.desktop.key("Return")
        return self.wait("finished")

    def click(self, query: str) -> dict[str, Any]:
        """The whole way: hotkey, query, Enter."""
        answer = self.find(query)
        assert answer["found"], answer
        return self.enter()


@contextmanager
def running_app(
    desktop: DesktopSession, *options: str, settings: dict[str, object] | None = None
) -> Iterator[AppDriver]:
    """`fingerpost app` on a desktop, with a configuration of its own; ready to answer."""
    folder = desktop.home / ".config" / "fingerpost"
    folder.mkdir(parents=True, exist_ok=True)
    chosen = {"version": 1, "first_run_done": True, "language": "en", "hotkey": "Super+Space"} | (settings or {})
    (folder / "settings.json").write_text(json.dumps(chosen), encoding="utf-8")
    log = desktop.home / f"events-{time.monotonic_ns()}.jsonl"
    command = [sys.executable, "-m", "fingerpost", "app", "--hidden", "--log", str(log), *options]
    said = (desktop.home / "app.txt").open("wb")
    process = subprocess.Popen(
        command, env=desktop.env, cwd=desktop.home, stdout=said, stderr=said, start_new_session=True
    )
    driver = AppDriver(desktop, process, log)
    try:
        wait_until(
            lambda: driver.seen("engine ready") is not None or process.poll() is not None, 60, "the engine of the app"
        )
        assert process.poll() is None, (desktop.home / "app.txt").read_text("utf-8", "replace")
        yield driver
    finally:
        end(process)
        said.close()
