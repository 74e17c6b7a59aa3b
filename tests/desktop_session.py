"""A whole desktop for tests: X server, window manager, session bus, accessibility bus, real programs.

Everything is private to the session: its own display, its own bus, its own home folder. Leaving the context ends
everything that was started.

    with desktop_session("1280x800") as desktop:
        kcalc = desktop.launch("kcalc")
        frame = desktop.screenshot()
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import mss
import numpy as np
from Xlib import X, Xatom
from Xlib.display import Display

from fingerpost.engine.values import Frame

KEPT = ("PATH", "TZ", "OMP_NUM_THREADS")
"""What programs inherit of the environment of the tests. Nothing else: no other display, no other bus."""


def start_x_server(size: str = "1280x800x24") -> tuple[subprocess.Popen[bytes], str]:
    """A virtual X server and its display; the server says itself which display is free."""
    program = shutil.which("Xvfb")
    assert program, "Xvfb is missing: python3 packaging/bootstrap test installs it"
    reader, writer = os.pipe()
    command = [program, "-displayfd", str(writer), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as answer:
        number = answer.readline().strip()
    assert number, "Xvfb did not start"
    return server, f":{number}"


def wait_until(condition: Callable[[], bool], seconds: float = 30.0, what: str = "the condition") -> None:
    """Returns once the condition holds; an AssertionError when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what} did not come true within {seconds:g} seconds"
        time.sleep(0.03)


@dataclass
class DesktopSession:
    """A running desktop.

    env   for programs that shall run on it; also what a test sets in its own process (the fixture `desktop` does)
    home  a home folder that is empty at first
    server  the X server
    """

    display: str
    env: dict[str, str]
    home: Path
    server: subprocess.Popen[bytes]
    _stack: ExitStack = field(repr=False, default_factory=ExitStack)
    _programs: dict[int, subprocess.Popen[bytes]] = field(repr=False, default_factory=dict)

    def launch(self, program: str, *args: str, within_s: float = 60.0, window: bool = True) -> subprocess.Popen[bytes]:
        """Starts a program and waits until it has opened a window. It ends with the session."""
        before = set(self.windows())
        process = self.start(program, *args)

        def opened() -> bool:
            assert process.poll() is None, f"{program} ended at once"
            return bool(set(self.windows()) - before)

        if window:
            wait_until(opened, within_s, f"a window of {program}")
        return process

    def start(self, program: str, *args: str) -> subprocess.Popen[bytes]:
        """Starts a program without waiting. It ends with the session."""
        path = shutil.which(program)
        assert path, f"{program} is missing: python3 packaging/bootstrap test installs it"
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(
            [path, *args], env=self.env, cwd=self.home, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        self._stack.callback(end, process)
        self._programs[process.pid] = process
        return process

    def stop(self, pid: int) -> None:
        """Ends a program that was started here, and waits until its windows are gone."""
        before = len(self.windows())
        end(self._programs.pop(pid))
        wait_until(lambda: len(self.windows()) < before, 10, "the end of its windows")

    def windows(self) -> list[int]:
        """The managed windows, oldest first."""
        display = Display(self.display)
        try:
            name = display.intern_atom("_NET_CLIENT_LIST")
            listed = display.screen().root.get_full_property(name, Xatom.WINDOW)
            return [int(window) for window in listed.value] if listed else []
        finally:
            display.close()

    def screenshot(self) -> Frame:
        """The whole screen, desktop physical pixels."""
        with mss.MSS(display=self.display) as screen:
            shot = screen.grab(screen.monitors[0])
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4).copy()
        return Frame(pixels, title="test desktop")

    def settled(self, seconds: float = 20.0) -> Frame:
        """A screenshot of a screen that did not change for half a second."""
        last = self.screenshot()
        calm = 0
        end = time.monotonic() + seconds
        while calm < 5 and time.monotonic() < end:
            time.sleep(0.1)
            now = self.screenshot()
            calm = calm + 1 if np.array_equal(now.pixels, last.pixels) else 0
            last = now
        return last

    def click(self, x: int, y: int) -> None:
        """A real click, through the XTest extension."""
        command = ["xdotool", "mousemove", "--sync", str(x), str(y), "click", "1"]
        subprocess.run(command, check=True, env=self.env, timeout=20)

    def point(self, x: int, y: int) -> None:
        """Moves the pointer, as the user does."""
        subprocess.run(["xdotool", "mousemove", str(x), str(y)], check=True, env=self.env, timeout=20)

    def pointer(self) -> tuple[int, int]:
        """Where the pointer is."""
        display = Display(self.display)
        try:
            there = display.screen().root.query_pointer()
            return int(there.root_x), int(there.root_y)
        finally:
            display.close()

    def key(self, *keys: str) -> None:
        """Key presses by their names as xdotool knows them: "ctrl+f"."""
        subprocess.run(["xdotool", "key", *keys], check=True, env=self.env, timeout=20)


@contextmanager
def desktop_session(
    size: str = "1280x800", manager: str | None = "openbox", bus: bool = True
) -> Iterator[DesktopSession]:
    """A desktop of `size` pixels with a window manager and a session bus of its own.

    manager  the window manager, None for none
    bus      False for a desktop without a session bus
    """
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="desktop-", ignore_cleanup_errors=True)))
        server, display = start_x_server(f"{size}x24")
        stack.callback(end, server)
        env = environment(display, home)
        if bus:
            env["DBUS_SESSION_BUS_ADDRESS"] = stack.enter_context(session_bus(env))
            _start_accessibility(env)
        desktop = DesktopSession(display, env, home, server, stack)
        if manager:
            _start_manager(desktop, manager)
        yield desktop


@contextmanager
def session_bus(env: dict[str, str]) -> Iterator[str]:
    """A session bus; gives its address. It starts what is asked for by name."""
    reader, writer = os.pipe()
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--print-address={writer}"]
    daemon = subprocess.Popen(
        command,
        pass_fds=(writer,),
        env=env,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as answer:
            address = answer.readline().strip()
        assert address, "dbus-daemon did not start"
        yield address
    finally:
        end(daemon)


def environment(display: str, home: Path) -> dict[str, str]:
    """What programs on the desktop see: no other desktop, English, accessibility on."""
    runtime = home / ".runtime"
    runtime.mkdir(mode=0o700, exist_ok=True)
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {
        "DISPLAY": display,
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(runtime),
        "XDG_SESSION_TYPE": "x11",
        "XDG_CURRENT_DESKTOP": "XFCE",  # Qt then takes the icons of GTK; without a desktop it draws none
        "LANG": "C.UTF-8",
        "QT_ACCESSIBILITY": "1",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "QT_QPA_PLATFORM": "xcb",
        "GSETTINGS_BACKEND": "memory",
    }


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and all that it started in its session, also when it was stopped."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGCONT)
            os.kill(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=3)
    with suppress(ProcessLookupError, PermissionError):
        if os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, signal.SIGKILL)


def _start_accessibility(env: dict[str, str]) -> None:
    """Programs look for the accessibility bus when they start: it must be there before them."""
    command = ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus"]
    subprocess.run([*command, "org.a11y.Bus.GetAddress"], env=env, check=True, capture_output=True, timeout=30)


def _start_manager(desktop: DesktopSession, program: str) -> None:
    desktop.start(program, *(["--sm-disable"] if program == "openbox" else []))
    display = Display(desktop.display)
    try:
        name = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
        root = display.screen().root
        wait_until(lambda: root.get_full_property(name, X.AnyPropertyType) is not None, 20, program)
    finally:
        display.close()
