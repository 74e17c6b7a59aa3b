"""Measures the desktop application on a virtual desktop with a real program: python tests/bench/desktop.py [--json]

key → palette        from the hotkey to the palette's first paint
key → first answer   from the hotkey to the ring on the first answer, the query typed at once
Enter → click        from Enter to the button press that the program under it gets
idle                 CPU of the application and of its engine over half a minute without a question, and their memory
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from app_driver import HOTKEY, AppDriver, children, running_app
from desktop_session import DesktopSession
from desktops import whole_desktop
from x11_events import button_presses

ROUNDS = 15
IDLE_S = 30.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    with whole_desktop("1920x1080") as desktop:
        desktop.launch("kcalc")
        desktop.settled()
        with running_app(desktop) as app:
            result = measure(desktop, app, options.rounds)
    if options.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:32} {value}")


def measure(desktop: DesktopSession, app: AppDriver, rounds: int) -> dict[str, float]:
    palette, answer, click = [], [], []
    with button_presses(desktop) as presses:
        for number in range(rounds):
            app.settle()  # nobody asks again while the last click still does its work
            app.forget()
            desktop.key(HOTKEY)
            app.wait("palette painted")
            query = str(number % 9 + 1)
            subprocess.run(["xdotool", "type", "--delay", "1", query], check=True, env=desktop.env)
            app.wait("pointed")
            hotkey, painted, pointed = (event(app, name) for name in ("hotkey", "palette painted", "pointed"))
            palette.append(painted - hotkey)
            answer.append(pointed - hotkey)
            app.settle()
            presses.clear()
            begin = time.monotonic()
            desktop.key("Return")
            app.wait("finished")
            click.append((presses[0] - begin) * 1000)
    idle = idle_cost(app)
    return {
        "key → palette, median ms": round(statistics.median(palette), 1),
        "key → palette, worst ms": round(max(palette), 1),
        "key → first answer, median ms": round(statistics.median(answer), 1),
        "Enter → click, median ms": round(statistics.median(click), 1),
        **idle,
    }


def event(app: AppDriver, name: str) -> float:
    found = app.seen(name)
    assert found is not None
    return float(found["ms"])


def idle_cost(app: AppDriver) -> dict[str, float]:
    processes = family(app.process.pid)
    before = {pid: cpu_seconds(pid) for pid in processes}
    time.sleep(IDLE_S)
    used = {pid: cpu_seconds(pid) - before[pid] for pid in processes}
    main = app.process.pid
    return {
        "idle CPU of all, % of a core": round(100 * sum(used.values()) / IDLE_S, 2),
        "memory of the application, MB": round(memory_mb(main), 1),
        "memory of the engine, MB": round(sum(memory_mb(pid) for pid in processes if pid != main), 1),
    }


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    return [pid, *(descendant for child in children(pid) for descendant in family(child))]


def cpu_seconds(pid: int) -> float:
    """User and system time; fields 14 and 15 of /proc/PID/stat, in ticks of 10 ms."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def memory_mb(pid: int) -> float:
    """Proportional set size: shared pages count by the share."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(next(line.split()[1] for line in rollup.splitlines() if line.startswith("Pss:"))) / 1000


if __name__ == "__main__":
    main()
