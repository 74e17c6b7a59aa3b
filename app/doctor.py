"""What works on this machine: one check a part, each with what to do when it fails.

No check may break or delay the others: each runs with a time limit, and a check that fails unexpectedly is a row
that says so.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from fingerpost.engine import capture
from fingerpost.engine.deadline import within
from fingerpost.engine.errors import FingerpostError
from fingerpost.engine.values import Box
from fingerpost.models import files
from fingerpost.models.errors import ModelFileError

TIME_LIMIT_S = 15.0


@dataclass(frozen=True)
class Check:
    """One row. `ok` is None for a part that is not needed for the main job and is not there; `fix` may be empty."""

    name: str
    ok: bool | None
    detail: str
    fix: str = ""


def run_checks() -> tuple[Check, ...]:
    """All checks, in order of what depends on what. A screen that does not answer is asked once, not by each."""
    rows: list[Check] = []
    dead = False
    for name, check in CHECKS:
        if dead and name in NEED_THE_SCREEN:
            rows.append(Check(name, False, "not tried: the screen does not answer", "See Screen capture."))
            continue
        start = time.monotonic()
        rows.append(_guarded(name, check))
        dead = dead or (name == "Screen capture" and not rows[-1].ok and time.monotonic() - start > SLOW_S)
    return tuple(rows)


def _guarded(name: str, check: Callable[[str], Check]) -> Check:
    """A check's row, also when it breaks or does not return in time."""
    try:
        return within(TIME_LIMIT_S, lambda: check(name))
    except (TimeoutError, subprocess.TimeoutExpired):
        return Check(name, False, f"no answer within {TIME_LIMIT_S:.0f} seconds", "Run fingerpost doctor again.")
    except FingerpostError as error:
        return Check(name, False, error.message, error.hint)
    except (Exception, SystemExit) as error:
        return Check(name, False, f"{type(error).__name__}: {error}", "Please report this with the text above.")


def _system(name: str) -> Check:
    session = os.environ.get("XDG_SESSION_TYPE") or ("X11" if os.environ.get("DISPLAY") else "no desktop session")
    where = f"{platform.system()} {platform.release()}, {session}" if sys.platform.startswith("linux") else ""
    return Check(name, True, f"Python {platform.python_version()}, {where or platform.platform()}")


def _models(name: str) -> Check:
    try:
        total = sum(len(files.read(file)) for file in files.names())
    except ModelFileError as error:
        return Check(name, False, error.message, error.hint)
    return Check(name, True, f"{len(files.names())} files whole, {total / 1e6:.1f} MB")


def _runtime(name: str) -> Check:
    """The provider list of onnxruntime names what was compiled in, not what works; so a session is made."""
    import onnxruntime

    both = [package for package in ("onnxruntime", "onnxruntime-gpu") if _version(package)]
    if len(both) == 2:
        return Check(
            name,
            False,
            "onnxruntime and onnxruntime-gpu are both installed and overwrite each other",
            "Run: pip uninstall -y onnxruntime onnxruntime-gpu, then install the one you want.",
        )
    usual, _ = _networks_run_on("auto")
    with_card, why_not = _networks_run_on("cuda")
    where = {"cpu": "the CPU", "cuda": "the graphics card"}
    runtime = f"{'/'.join(both) or 'onnxruntime'} {onnxruntime.__version__}"
    return Check(
        name, True, f"{runtime}, networks on {where[usual]}; with --device cuda: on {where[with_card]}{why_not}"
    )


def _networks_run_on(device: str) -> tuple[str, str]:
    """Where the networks run in truth when a device is asked for, and why not there, "" if they do."""
    from fingerpost.engine.lite.devices import DeviceWarning, on_device
    from fingerpost.engine.lite.network import Network

    with warnings.catch_warnings(record=True) as said, on_device(device):
        warnings.simplefilter("always", DeviceWarning)
        networks = [Network(file) for file in files.names() if file.endswith(".onnx")]
    reasons = [str(one.message).partition(": ")[2].rstrip(".") for one in said]
    used = {network.device for network in networks}
    return "cuda" if used == {"cuda"} else "cpu", "".join(f", {reason}" for reason in reasons[:1])


def _capture(name: str) -> Check:
    others = [f"{one.name}: {problem}" for one, problem in capture.handlers() if problem and _concerns_us(problem)]
    layout = capture.monitors()
    detail = f"{capture.handler().name}, {len(layout.monitors)} monitor{'s' if len(layout.monitors) != 1 else ''}"
    return Check(name, True, detail + (f" (not {'; '.join(others)})" if others else ""))


def _concerns_us(problem: str) -> bool:
    return not problem.startswith(("this is not", "no Wayland session"))


def _test_capture(name: str) -> Check:
    frame = capture.capture(capture.Screen(1))
    return Check(name, True, f"{frame.width} × {frame.height} pixels")


def _accessibility(name: str) -> Check:
    """What programs tell assistive software gives names and places that a picture does not hold."""
    from fingerpost.engine import accessibility

    problem = accessibility.problem()
    if problem is None:
        return Check(name, True, "programs can be asked for names and places")
    fix = next((fix for sign, fix in ACCESSIBILITY_FIXES.items() if sign in problem), "")
    return Check(name, None, problem, fix or "Not needed: without it the picture alone is read.")


ACCESSIBILITY_FIXES = {
    "dbus-fast": "Run: pip install 'fingerpost[desktop]'.",
    "DBUS_SESSION_BUS_ADDRESS": "Start it inside a desktop session.",
    "at-spi2-core": "Install the package at-spi2-core.",
    "is off": "Run: busctl --user set-property org.a11y.Bus /org/a11y/bus org.a11y.Status IsEnabled b true.",
}
"""A part of the problem's text → what to do about it."""


def _gpu(name: str) -> Check:
    """What the NVIDIA driver says, through its own program."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return Check(name, None, "no NVIDIA driver", "Not needed: the lite engine runs on the CPU.")
    query = [program, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    found = subprocess.run(query, capture_output=True, text=True, timeout=10, check=False)
    if found.returncode or not found.stdout.strip():
        return Check(name, None, "the NVIDIA driver does not answer", "Restart the machine or install the driver anew.")
    return Check(name, True, found.stdout.strip().replace("\n", "; "))


def _llama(name: str) -> Check:
    """In a process of its own: on a processor it was not built for, the library ends the process that loads it."""
    version = _version("llama-cpp-python")
    if version is None:
        return Check(name, None, "not installed", "Only needed for large models: pip install 'fingerpost[holotron]'.")
    command = [sys.executable, "-c", "import llama_cpp; print(llama_cpp.llama_supports_gpu_offload())"]
    asked = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_S - 1, check=False)
    answer = asked.stdout.strip()
    if asked.returncode or answer not in {"True", "False"}:
        fix = "Run: pip install --force-reinstall --no-cache-dir llama-cpp-python."
        return Check(name, False, f"{version} does not load", fix)
    if answer == "False":
        return Check(name, None, f"{version}, on the CPU only", "For a GPU, build it with CMAKE_ARGS=-DGGML_CUDA=on.")
    return Check(name, True, f"{version}, can use the GPU")


def _qt(name: str) -> Check:
    version = _version("PySide6-Essentials")
    if version is None:
        return Check(name, None, "not installed", "Only needed for the desktop application.")
    if version.startswith("6.12.") and sys.version_info < (3, 12):
        fix = "Run: pip install 'PySide6-Essentials<6.12', or use Python 3.12."
        return Check(name, False, f"{version} aborts on Python {platform.python_version()}", fix)
    return Check(name, True, version)


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _capability(part: str) -> Callable[[str], Check]:
    """A row for what the desktop application wants to do here; without it the main job still works."""

    def check(name: str) -> Check:
        from fingerpost.app.wayland.capabilities import UNAVAILABLE, capabilities

        found = next(one for one in capabilities() if one.part == part)
        if found.state == UNAVAILABLE:
            return Check(name, None, found.sentence, found.hint)
        better = [f"{one}: {problem}" for one, problem in _better(part, found.how)]
        return Check(name, True, f"{found.how}: {found.sentence}" + (f" (not {'; '.join(better)})" if better else ""))

    return check


def _better(part: str, used: str) -> list[tuple[str, str]]:
    """Ways that would be preferred to the one in use and concern this system, with why they are not used."""
    from fingerpost.app import hotkeys
    from fingerpost.app import input as pointing

    listed: list[tuple[str, str | None]] = []
    if part == "hotkey":
        listed = [(one.name, problem) for one, problem in hotkeys.handlers()]
    elif part == "click":
        listed = [(one.name, problem) for one, problem in pointing.pointers()]
    before = listed[: next((i for i, (name, _) in enumerate(listed) if name == used), 0)]
    return [(name, problem) for name, problem in before if problem and _concerns_us(problem)]


def _kill_switch(name: str) -> Check:
    from fingerpost.app import kill_switch

    armed = kill_switch.arm(lambda: None)
    if isinstance(armed, kill_switch.NotArmed):
        return Check(name, None, armed.reason, "Stop by the tray's menu, or by moving the pointer.")
    armed.release()
    return Check(name, True, f"Escape twice stops everything ({armed.how})")


CHECKS: tuple[tuple[str, Callable[[str], Check]], ...] = (
    ("System", _system),
    ("Model files", _models),
    ("ONNX Runtime", _runtime),
    ("Screen capture", _capture),
    ("Test capture", _test_capture),
    ("Accessibility", _accessibility),
    ("Hotkey", _capability("hotkey")),
    ("Pointing", _capability("overlay")),
    ("Clicking", _capability("click")),
    ("Kill switch", _kill_switch),
    ("NVIDIA GPU", _gpu),
    ("llama.cpp", _llama),
    ("Qt", _qt),
)

NEED_THE_SCREEN = frozenset({"Test capture", "Hotkey", "Pointing", "Clicking", "Kill switch"})
SLOW_S = 3.0
"""So long takes only a screen that does not answer."""

NEEDED_FOR_PICTURES = ("System", "Model files", "ONNX Runtime")
"""The checks without which not even a picture file can be searched."""


def screen_map(boxes: list[tuple[str, Box]], columns: int = 56) -> str:
    """A drawing in text of where monitors stand: one box with its name each, characters twice as high as wide."""
    left, top = min(b.x for _, b in boxes), min(b.y for _, b in boxes)
    width = max(b.right for _, b in boxes) - left
    per_column = max(1.0, width / columns)
    rows: list[list[str]] = []
    for label, box in boxes:
        x1, x2 = round((box.x - left) / per_column), max(3, round((box.right - left) / per_column))
        y1, y2 = round((box.y - top) / per_column / 2), max(2, round((box.bottom - top) / per_column / 2))
        while len(rows) <= y2:
            rows.append([" "] * (columns + 4))
        for x in range(x1, x2 + 1):
            rows[y1][x] = rows[y2][x] = "─"
        for y in range(y1, y2 + 1):
            rows[y][x1] = rows[y][x2] = "│"
        for (y, x), corner in zip(((y1, x1), (y1, x2), (y2, x1), (y2, x2)), "┌┐└┘", strict=True):
            rows[y][x] = corner
        for i, char in enumerate(label[: max(0, x2 - x1 - 2)]):
            rows[(y1 + y2) // 2][x1 + 1 + (x2 - x1 - 1 - min(len(label), x2 - x1 - 2)) // 2 + i] = char
    return "\n".join("".join(row).rstrip() for row in rows)
