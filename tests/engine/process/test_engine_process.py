"""Engines that crash, hang and are slow, in real processes: the program always gets an answer or one clear sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
import pytest

from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.process import (
    Answered,
    EngineProcess,
    Event,
    Failed,
    Limits,
    Loading,
    Ready,
    Restarted,
    Seen,
    shared_pixels,
)
from fingerpost.engine.values import Box, Frame

PATIENCE_S = 60.0  # more than anything takes on a busy machine
PATIENT = Limits()
HASTY = Limits(hang_s=1.0, silence_s=1.0, beat_s=0.1, crashes=1000)

Kind = TypeVar("Kind")


class Listener:
    """Called on the process's thread; tests wait for what they expect."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._arrived = threading.Condition()

    def __call__(self, event: Event) -> None:
        with self._arrived:
            self.events.append(event)
            self._arrived.notify_all()

    def forget(self) -> None:
        with self._arrived:
            self.events.clear()

    def wait(self, kind: type[Kind], count: int = 1, **values: object) -> Kind:
        """The `count`-th event of a kind with these values."""

        def matching() -> list[Kind]:
            return [e for e in self.events if isinstance(e, kind) and vars(e).items() >= values.items()]

        with self._arrived:
            arrived = self._arrived.wait_for(lambda: len(matching()) >= count, PATIENCE_S)
            assert arrived, f"no {kind.__name__} {values} among {self.events}"
            return matching()[count - 1]


class Starter(Protocol):
    def __call__(self, engine: str = "trial", limits: Limits = PATIENT) -> tuple[EngineProcess, Listener]: ...


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Starter]:
    """Starts processes with one of the engines in `trial_engines`."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    started: list[EngineProcess] = []

    def start(engine: str = "trial", limits: Limits = PATIENT) -> tuple[EngineProcess, Listener]:
        listener = Listener()
        process = EngineProcess(listener, engine, factory=f"trial_engines:{engine}", limits=limits)
        process.start()
        started.append(process)
        return process, listener

    yield start
    for process in started:
        process.close()


class Shared:
    """Processes that several tests use one after the other, one for each kind of engine and limits."""

    def __init__(self) -> None:
        self._started: dict[tuple[str, Limits], tuple[EngineProcess, Listener]] = {}

    def __call__(self, engine: str = "trial", limits: Limits = PATIENT) -> tuple[EngineProcess, Listener]:
        key = engine, limits
        if key not in self._started:
            listener = Listener()
            process = EngineProcess(listener, engine, factory=f"trial_engines:{engine}", limits=limits)
            process.start()
            self._started[key] = process, listener
            listener.wait(Ready)
        process, listener = self._started[key]
        until(lambda: process.state == "ready")
        listener.forget()
        return process, listener

    def close(self) -> None:
        for process, _ in self._started.values():
            process.close()


@pytest.fixture(scope="module")
def share() -> Iterator[Shared]:
    """Gives the same process to each test that asks for it; it is idle, and what it told before is forgotten."""
    shared = Shared()
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(Path(__file__).parent)
        yield shared
    shared.close()


def frame(blue: int = 7, width: int = 64, height: int = 48) -> Frame:
    return Frame(np.full((height, width, 4), blue, np.uint8))


def until(condition: Callable[[], object]) -> None:
    """Waits for a condition that no event tells about."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def shared_memory(pid: int | str = "self") -> set[Path]:
    """The files of the shared memory that a process has mapped; other programs have some, too."""
    maps = Path(f"/proc/{pid}/maps").read_text().split()
    return {Path(word) for word in maps if word.startswith("/dev/shm/psm_")}


def is_free(memory: set[Path]) -> bool:
    return not any(path.exists() for path in memory)


class Told:
    """What the trial engine put into its answer."""

    def __init__(self, answered: Answered) -> None:
        query, blue, pid, looks, nodes = answered.answer.targets[0].label.split("|")
        self.query, self.blue, self.pid, self.looks, self.nodes = query, int(blue), int(pid), int(looks), int(nodes)


def ask(process: EngineProcess, listener: Listener, frame_id: int, query: str) -> Told:
    return Told(listener.wait(Answered, request=process.find(frame_id, query)))


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that only waits for its parent to notice its end does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_loading_a_large_model_is_told_in_steps_up_to_the_end(start: Starter) -> None:
    _, listener = start("large")
    listener.wait(Ready)
    *steps, ready = listener.events
    shares = [step.share for step in steps if isinstance(step, Loading)]
    assert isinstance(ready, Ready)
    assert len(shares) == len(steps) == 20
    assert shares == sorted(shares)
    assert shares[-1] > 0.95


def test_a_frame_is_read_before_anybody_asks_and_only_once(start: Starter) -> None:
    process, listener = start()
    frame_id = process.look(frame(blue=9))
    listener.wait(Seen, frame_id=frame_id)
    for query in ("one", "two"):
        told = ask(process, listener, frame_id, query)
        assert (told.query, told.blue, told.looks) == (query, 9, 1)
    assert told.pid != os.getpid()
    until(lambda: process.state == "ready")


def test_frames_keep_origin_and_shape_and_views_are_copied(start: Starter) -> None:
    process, listener = start("geometry")
    pixels = np.arange(40 * 60 * 4, dtype=np.uint32).astype(np.uint8).reshape(40, 60, 4)
    view = pixels[::-1, 10:50]
    frame_id = process.look(Frame(view, (-7, 12), 1.5, "left"))
    request = process.find(frame_id, "digest")
    told = listener.wait(Answered, request=request).answer.targets[0].label
    assert told == f"{int(view.astype(np.int64).sum())} (-7, 12) 1.5 left False"


def test_a_frame_without_pixels_is_answered(share: Shared) -> None:
    process, listener = share()
    assert ask(process, listener, process.look(frame(width=0)), "nothing").blue == -1


def test_without_shared_memory_the_pixels_go_another_way(share: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_pixels, "has_room", lambda size: False)
    process, listener = share()
    assert ask(process, listener, process.look(frame(3, 1920, 1080)), "here").blue == 3


def test_the_accessibility_tree_counts_from_the_next_query_on(share: Shared) -> None:
    process, listener = share()
    early, late = process.look(frame(), [node(), node()]), process.look(frame())
    assert ask(process, listener, early, "tree").nodes == 2
    assert ask(process, listener, late, "no tree").nodes == 0
    process.add_accessible(late, [node()])
    assert ask(process, listener, late, "tree").nodes == 1


def test_a_later_query_takes_the_place_of_one_that_is_not_answered(share: Shared) -> None:
    process, listener = share("slow")
    frame_id = process.look(frame())
    requests = [process.find(frame_id, text) for text in ("S", "Sa", "Sav", "Save")]
    assert Told(listener.wait(Answered, request=requests[-1])).query == "Save"
    assert [e.request for e in listener.events if isinstance(e, Answered)] == requests[-1:]


def test_queries_about_two_frames_are_both_answered(share: Shared) -> None:
    process, listener = share("slow")
    requests = [process.find(process.look(frame(blue)), "both") for blue in (1, 2)]
    assert [Told(listener.wait(Answered, request=request)).blue for request in requests] == [1, 2]


def test_a_stale_answer_is_dropped_even_when_it_was_already_being_computed(share: Shared) -> None:
    process, listener = share()
    frame_id = process.look(frame())
    stale = process.find(frame_id, "wait 0.5")
    until(lambda: process.state == "busy")
    assert ask(process, listener, frame_id, "new").query == "new"
    assert not [e for e in listener.events if isinstance(e, Answered) and e.request == stale]


def test_a_cancelled_request_is_never_reported(share: Shared) -> None:
    process, listener = share()
    frame_id = process.look(frame())
    running = process.find(frame_id, "wait 0.5")
    until(lambda: process.state == "busy")
    waiting = process.find(process.look(frame()), "never")
    for request in (running, waiting):
        process.cancel(request)
    assert ask(process, listener, frame_id, "after").query == "after"
    assert [e.query for e in listener.events if isinstance(e, Answered)] == ["after"]


def test_of_several_frames_only_the_newest_is_read_ahead(share: Shared) -> None:
    process, listener = share("slow")
    first, second, third = (process.look(frame(blue)) for blue in (1, 2, 3))
    listener.wait(Seen, frame_id=third)
    assert ask(process, listener, second, "still there").blue == 2
    message = listener.wait(Failed, request=process.find(first, "gone")).message
    assert message == "That picture of the screen is no longer there."


def test_a_forgotten_frame_cannot_be_asked_about(share: Shared) -> None:
    process, listener = share()
    frame_id = process.look(frame())
    process.forget(frame_id)
    assert listener.wait(Failed, request=process.find(frame_id, "gone")).hint == "Look again."


@pytest.mark.parametrize("misdeed", ["abort", "leave 0", "leave 3", "kill", "memory", "wait 600", "stop", "block"])
def test_a_query_that_a_process_dies_over_is_asked_once_more(share: Shared, tmp_path: Path, misdeed: str) -> None:
    process, listener = share("trial", HASTY)
    frame_id = process.look(frame(blue=5))
    before = ask(process, listener, frame_id, "before").pid
    told = ask(process, listener, frame_id, f"once {tmp_path / 'done'} {misdeed}")
    assert told.blue == 5
    assert told.pid != before
    assert not is_alive(before)
    assert [e.reason.endswith(".") for e in listener.events if isinstance(e, Restarted)] == [True]


@pytest.mark.parametrize(("misdeed", "said"), [("abort", "SIGABRT"), ("wait 600", "1 seconds"), ("memory", "memory")])
def test_a_query_that_kills_twice_fails_with_a_sentence(share: Shared, misdeed: str, said: str) -> None:
    process, listener = share("trial", HASTY)
    frame_id = process.look(frame())
    failed = listener.wait(Failed, request=process.find(frame_id, misdeed))
    assert said in failed.message
    assert f"“{misdeed}”" in failed.message
    assert failed.hint == "Use other words, or look again."
    assert ask(process, listener, frame_id, "and on").query == "and on"


def test_a_process_killed_from_outside_while_idle_is_replaced(share: Shared) -> None:
    process, listener = share()
    frame_id = process.look(frame(blue=8))
    first = ask(process, listener, frame_id, "before").pid
    os.kill(first, signal.SIGKILL)
    listener.wait(Ready)
    told = ask(process, listener, frame_id, "after")
    assert (told.blue, told.pid != first) == (8, True)


def test_an_error_of_the_engine_ends_only_the_request(share: Shared) -> None:
    process, listener = share()
    frame_id = process.look(frame())
    first = ask(process, listener, frame_id, "before").pid
    failed = listener.wait(Failed, request=process.find(frame_id, "fail"))
    assert failed.message == "The engine failed on this screen (ValueError: nothing there)."
    assert listener.wait(Failed, request=process.find(frame_id, "  ")).message == "The query is empty."
    assert ask(process, listener, frame_id, "after").pid == first


def test_a_storm_of_crashes_ends_and_the_next_query_tries_again(start: Starter) -> None:
    process, listener = start("blind")
    frame_id = process.look(frame())
    request = process.find(frame_id, "anything")
    listener.wait(Failed, request=request)
    while process.state != "failed":
        request = process.find(frame_id, "again")
        listener.wait(Failed, request=request)
        until(lambda: process.state in {"ready", "failed"})
    assert listener.wait(Failed, request=0).hint
    assert len([e for e in listener.events if isinstance(e, Restarted)]) == Limits().crashes - 1
    loads = len([e for e in listener.events if isinstance(e, Ready)])
    listener.wait(Failed, request=process.find(frame_id, "once more"))
    assert len([e for e in listener.events if isinstance(e, Ready)]) == loads + 1


def test_an_engine_that_never_comes_up_is_given_up(start: Starter) -> None:
    process, listener = start("stillborn")
    request = process.find(process.look(frame()), "anything")
    assert "exit status 7" in listener.wait(Failed, request=0).message
    listener.wait(Failed, request=request)
    assert process.state == "failed"


def test_an_engine_that_loads_for_ever_is_killed(start: Starter) -> None:
    process, listener = start("sleeping", Limits(start_s=0.5))
    assert listener.wait(Restarted).reason == "The engine did not start in time."
    process.close()


@pytest.mark.parametrize(("engine", "said"), [("refusing", "'refusing'"), ("broken", "a library is missing")])
def test_an_engine_that_cannot_be_loaded_is_not_tried_again(start: Starter, engine: str, said: str) -> None:
    process, listener = start(engine)
    assert said in listener.wait(Failed, request=0).message
    assert process.state == "failed"
    assert not [e for e in listener.events if isinstance(e, Restarted)]


def test_stop_now_kills_at_once_and_keeps_the_frame(share: Shared) -> None:
    process, listener = share()
    frame_id = process.look(frame(blue=4))
    before = ask(process, listener, frame_id, "before").pid
    stopped = process.find(frame_id, "wait 600")
    until(lambda: process.state == "busy")
    process.stop_now()
    assert listener.wait(Restarted).reason == "The engine was stopped."
    assert not is_alive(before)
    told = ask(process, listener, frame_id, "after")
    assert (told.blue, told.pid != before) == (4, True)
    assert not [e for e in listener.events if isinstance(e, Answered | Failed) and e.request == stopped]


def test_stopping_again_and_again_is_no_storm(start: Starter) -> None:
    process, listener = start()
    frame_id = process.look(frame())
    for count in range(1, 5):
        listener.wait(Ready, count=count)
        process.stop_now()
        listener.wait(Restarted, count=count)
    assert ask(process, listener, frame_id, "after").query == "after"


def test_a_restarted_engine_still_knows_the_session(start: Starter) -> None:
    process, listener = start("two")
    frame_id = process.look(frame())
    first = listener.wait(Answered, request=process.find(frame_id, "save", session=1)).answer.targets[0]
    os.kill(int(first.label), signal.SIGKILL)
    listener.wait(Ready, count=2)
    second = listener.wait(Answered, request=process.find(frame_id, "the other one", session=1)).answer.targets[0]
    assert second.box != first.box
    third = listener.wait(Answered, request=process.find(frame_id, "the other one", session=2)).answer.targets[0]
    assert third.box == first.box  # another session has no answer before


def test_closing_ends_the_process_and_may_be_said_twice(start: Starter) -> None:
    before = set(threading.enumerate())  # other tests' threads may live on
    process, listener = start()
    frame_id = process.look(frame())
    pid = ask(process, listener, frame_id, "before").pid
    count = len(listener.events)
    process.find(frame_id, "wait 600")
    process.close()
    process.close()
    assert process.state == "closed"
    assert not is_alive(pid)
    assert not [thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("fingerpost")]
    process.find(process.look(frame()), "after")
    process.stop_now()
    assert len(listener.events) == count


def test_a_process_that_was_never_started_can_be_closed() -> None:
    process = EngineProcess(lambda event: None)
    process.look(frame())
    process.close()
    assert process.state == "closed"


def test_a_listener_may_close_and_may_fail(start: Starter) -> None:
    seen: list[Event] = []

    def listen(event: Event) -> None:
        seen.append(event)
        if isinstance(event, Answered):
            process.close()
        raise RuntimeError("the listener's own mistake")

    process = EngineProcess(listen, factory="trial_engines:trial")
    process.start()
    process.find(process.look(frame()), "answer")
    until(lambda: process.state == "closed")
    assert isinstance(seen[-1], Answered)


def test_two_hundred_frames_leave_nothing_behind(start: Starter) -> None:
    others = shared_memory()  # of processes that tests share
    process, listener = start()
    sizes, memory = [], set()
    for number in range(200):
        frame_id = process.look(frame(number % 256, 1280, 800))
        told = ask(process, listener, frame_id, "grow?")
        assert told.blue == number % 256
        memory |= shared_memory() - others
        if number in {40, 199}:
            sizes.append([resident_kb(pid) for pid in (os.getpid(), told.pid)])
    assert 0 < len(memory) < 5
    process.close()
    assert is_free(memory)
    for early, late in zip(*sizes, strict=True):
        assert late < early + 8 * 1024, sizes  # two frames of 4 MB; 160 would be 640 MB


def test_no_shared_memory_is_left_when_a_process_dies_with_frames_on_the_way(start: Starter) -> None:
    others = shared_memory()
    process, listener = start()
    listener.wait(Ready)
    memory: set[Path] = set()
    for _ in range(5):
        process.look(frame(1, 1920, 1080))
        memory |= shared_memory() - others
        process.stop_now()
    ask(process, listener, process.look(frame()), "after")
    memory |= shared_memory() - others
    assert memory
    process.close()
    assert is_free(memory)
    assert shared_memory() <= others


@pytest.mark.parametrize("query", ["idle", "wait 600", "stop"])
def test_when_the_program_is_killed_its_engine_ends_and_the_memory_is_free(tmp_path: Path, query: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, "utf-8")
    command = [sys.executable, str(program), str(Path(__file__).parent), query]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        until(lambda: not is_stopped(pid) if query != "stop" else is_stopped(pid))
        assert is_alive(pid)
        until(lambda: shared_memory(parent.pid))
        memory = shared_memory(parent.pid)
        parent.kill()
        parent.wait()
        if query == "stop":
            os.kill(pid, signal.SIGCONT)
    until(lambda: not is_alive(pid))
    until(lambda: is_free(memory))


def test_the_engine_loads_nothing_of_the_program_and_the_program_nothing_of_the_engine(tmp_path: Path) -> None:
    """A program that shows windows, without the guard that multiprocessing usually wants."""
    program = tmp_path / "program.py"
    program.write_text(UNGUARDED, "utf-8")
    command = [sys.executable, str(program), str(Path(__file__).parent)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True).stdout
    assert said.split("\n")[:2] == ["engine: []", "program: ['PySide6']"]


def resident_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def node() -> AccessibleNode:
    return AccessibleNode("OK", "button", Box(0, 0, 2, 2))


PROGRAM = """
import os, sys, threading, time
import numpy as np
from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.process import Answered, EngineProcess, Failed
from fingerpost.engine.values import Frame
sys.path.insert(0, sys.argv[1])
answered = threading.Event()

def listen(event):
    if isinstance(event, Answered):
        print(event.answer.targets[0].label.split("|")[2], flush=True)
        answered.set()
    elif isinstance(event, Failed):
        print(event.message, flush=True)
        os._exit(1)

process = EngineProcess(listen, factory="trial_engines:trial")
process.start()
frame_id = process.look(Frame(np.zeros((1080, 1920, 4), np.uint8)))
process.find(frame_id, "hello")
answered.wait()
if sys.argv[2] != "idle":
    process.find(frame_id, sys.argv[2])
for _ in range(100):
    process.look(Frame(np.zeros((1080, 1920, 4), np.uint8)))
    time.sleep(0.1)
time.sleep(600)
"""

UNGUARDED = """
import sys, threading
import numpy as np
import PySide6.QtCore
from fingerpost.engine.process import Answered, EngineProcess
from fingerpost.engine.values import Frame
sys.path.insert(0, sys.argv[1])
answered = threading.Event()

def listen(event):
    if isinstance(event, Answered):
        print("engine:", event.answer.targets[0].label)
        answered.set()

process = EngineProcess(listen, factory="trial_engines:loaded")
process.start()
process.find(process.look(Frame(np.zeros((40, 40, 4), np.uint8))), "what is loaded?")
assert answered.wait(60)
process.close()
names = ("PySide6", "cv2", "onnxruntime", "fingerpost.engine.lite", "fingerpost.models")
print("program:", [name for name in names if name in sys.modules])
"""
