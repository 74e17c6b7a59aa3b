"""A real Sway without a screen, and a real program on it that says what reaches it."""

from __future__ import annotations

import os
import pwd
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fingerpost.engine import capture
from fingerpost.engine.values import Box

DEADLINE_S = 20.0
RED = (0, 0, 192)
TWO = ("HEADLESS-1 resolution 640x480 position 0,0 scale 1", "HEADLESS-2 resolution 800x600 position 640,0 scale 2")


@dataclass(frozen=True)
class Desktop:
    """A running Sway; the environment names it."""

    process: subprocess.Popen[bytes]

    def ask(self, *words: str) -> None:
        """Give Sway a command, such as output HEADLESS-1 scale 2."""
        subprocess.run(["swaymsg", "--", *words], check=True, stdout=subprocess.DEVNULL)

    def wait_for_colour(self, x: int, y: int, colour: tuple[int, int, int]) -> None:
        """Returns once that desktop pixel is of that colour: blue, green, red."""
        wait_for_colour(x, y, colour)


def wait_for_colour(x: int, y: int, colour: tuple[int, int, int]) -> None:
    until = time.monotonic() + DEADLINE_S
    shown: tuple[int, ...] = ()
    while time.monotonic() < until:
        shown = tuple(int(value) for value in capture.handler().grab(Box(x, y, 1, 1))[0, 0, :3])
        if shown == colour:
            return
        time.sleep(0.02)
    raise AssertionError(f"{shown} instead of {colour} at {x},{y}")


class Program:
    """A program whose every line of output is an event."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for(self, start: str) -> str:
        """The next line that begins with `start`."""
        until = time.monotonic() + DEADLINE_S
        seen = []
        while (left := until - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if line.startswith(start):
                return line
            seen.append(line)
        raise AssertionError(f"no “{start}”, only {seen}")

    def tell(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def waiting(self) -> list[str]:
        """What has been said and not been asked for."""
        return [self._lines.get() for _ in range(self._lines.qsize())]

    def end(self) -> None:
        """With all that it started."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=10)
        self._reader.join(timeout=10)
        if self.process.stdin:
            self.process.stdin.close()

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout:
            for line in self.process.stdout:
                self._lines.put(line.rstrip("\n"))


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Desktop]]:
    """Starts Sway with outputs as its configuration writes them; by default two, the second of scale 2."""
    program = shutil.which("sway")
    assert program, "sway is missing: python3 packaging/bootstrap test installs it"
    folder = Path(tempfile.mkdtemp(prefix="sway"))
    started: list[subprocess.Popen[bytes]] = []

    def start(*outputs: str) -> Desktop:
        wanted = outputs or TWO
        lines = ["default_border none", "focus_follows_mouse no", *(f"output {output}" for output in wanted)]
        (folder / "config").write_text("\n".join(lines) + "\n", encoding="utf-8")
        started.append(_start_sway(program, folder, len(wanted)))
        sockets = _wait_for_sockets(folder)
        for name in ("DISPLAY", "XDG_SESSION_TYPE", "DBUS_SESSION_BUS_ADDRESS"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("XDG_RUNTIME_DIR", tempfile.gettempdir())  # the programs may be another user's than Sway
        monkeypatch.setenv("WAYLAND_DISPLAY", str(sockets[0]))
        monkeypatch.setenv("SWAYSOCK", str(sockets[1]))
        return Desktop(started[-1])

    yield start
    for process in started:
        process.kill()
        process.wait(timeout=10)
    shutil.rmtree(folder)


def _start_sway(program: str, folder: Path, outputs: int) -> subprocess.Popen[bytes]:
    """Sway refuses to run as root; then it runs as nobody."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
        "WLR_BACKENDS": "headless",
        "WLR_RENDERER": "pixman",
        "WLR_LIBINPUT_NO_DEVICES": "1",
        "WLR_HEADLESS_OUTPUTS": str(outputs),
    }
    # With scan-out, Sway 1.7 shows a full-screen program's own memory, and then copies old pixels of its own.
    command = [program, "-Dnoscanout", "-c", str(folder / "config")]
    if os.geteuid() != 0:
        return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return subprocess.Popen(
        command,
        env=environment,
        stderr=subprocess.DEVNULL,
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        extra_groups=[],
    )


def _wait_for_sockets(folder: Path) -> tuple[Path, Path]:
    until = time.monotonic() + DEADLINE_S
    while time.monotonic() < until:
        display = [path for path in folder.glob("wayland-*") if path.suffix != ".lock"]
        talk = list(folder.glob("sway-ipc.*"))
        if display and talk:
            return display[0], talk[0]
        time.sleep(0.02)
    raise AssertionError("Sway did not start")


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Program]]:
    """Starts the test card, full screen on every output, and returns once it is drawn."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "wayland")
    programs: list[Program] = []

    def start() -> Program:
        programs.append(Program(sys.executable, str(Path(__file__).with_name("card.py"))))
        programs[-1].wait_for("ready")
        for monitor in capture.monitors().monitors:
            wait_for_colour(monitor.box.x, monitor.box.y, RED)
        return programs[-1]

    yield start
    for program in programs:
        program.end()


MOUSE_AND_KEYBOARD = """
import sys
from fingerpost.app.input import wlroots
from fingerpost.engine.wayland.connection import Connection
with Connection() as connection:
    pointer, keyboard = wlroots._pointer(connection), wlroots._keyboard(connection, {})
    print("plugged in", flush=True)
    for line in sys.stdin:
        keyboard.modifiers(int(line), 0, 0, 0)
        connection.roundtrip()
        print("held", flush=True)
"""


@pytest.fixture
def devices() -> Iterator[Callable[[], Program]]:
    """Plugs in a mouse and a keyboard; a line with XKB's mask of modifiers holds them."""
    programs: list[Program] = []

    def start() -> Program:
        programs.append(Program(sys.executable, "-c", MOUSE_AND_KEYBOARD))
        programs[-1].wait_for("plugged in")
        return programs[-1]

    yield start
    for program in programs:
        program.end()


@pytest.fixture
def program() -> Iterator[Callable[..., Program]]:
    """Starts any program."""
    programs: list[Program] = []

    def start(*command: str) -> Program:
        programs.append(Program(*command))
        return programs[-1]

    yield start
    for one in programs:
        one.end()
