"""A large model in its process: what happens to its file while it is loaded."""

from __future__ import annotations

import os
import queue
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from fingerpost.engine import pictures
from fingerpost.engine.process import Answered, EngineProcess, Event, Failed, Ready, Seen
from fingerpost.engine.values import Frame
from fingerpost.models import miniature
from fingerpost.models.gguf.language import write_nemotron_h
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl

PATIENCE_S = 120.0
Kind = TypeVar("Kind")


class Running:
    """A process with a model of its own, which tests may damage."""

    def __init__(self, model: Path, engine: str = "holotron") -> None:
        self.model = model
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.process = EngineProcess(self._events.put, f"{engine}:{model}")

    def wait(self, kind: type[Kind]) -> Kind:
        while not isinstance(event := self._events.get(timeout=PATIENCE_S), kind):
            pass
        return event


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    weights = miniature.weights()
    for path in (weights, weights.with_name(f"{weights.stem}-mmproj.gguf")):
        shutil.copyfile(path, tmp_path / path.name)
    running = Running(tmp_path / weights.name)
    running.process.start()
    running.wait(Ready)
    yield running
    running.process.close()


def grey(value: int) -> Frame:
    return Frame(np.full((128, 128, 4), value, np.uint8))


def test_a_model_file_that_is_cut_while_it_is_loaded_costs_a_sentence_and_not_the_program(running: Running) -> None:
    os.truncate(running.model, 4096)
    running.process.find(running.process.look(grey(90)), "the red circle")
    failed = running.wait(Failed)
    assert "miniature.gguf" in failed.message
    assert failed.hint


def test_a_model_file_that_is_deleted_or_replaced_while_it_is_loaded_is_used_on(running: Running) -> None:
    running.model.with_suffix(".part").write_bytes(b"something else")
    running.model.with_suffix(".part").replace(running.model)
    running.process.find(running.process.look(grey(90)), "the red circle")
    assert running.wait(Answered).answer.found
    running.model.unlink()
    running.process.find(running.process.look(grey(120)), "the red circle")
    assert running.wait(Answered).answer.found


def test_what_is_read_is_answered_also_where_the_model_has_no_room_for_the_screen(
    screenshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_nemotron_v2_vl(tmp_path / "holotron-tiny-mmproj.gguf", VisionShape(32, 1, 2, 64, tile=64))
    monkeypatch.setenv("FINGERPOST_CONTEXT", "256")
    running = Running(write_nemotron_h(tmp_path / "holotron-tiny.gguf"), "auto")
    try:
        running.process.start()
        frame_id = running.process.look(pictures.load(screenshot))
        running.wait(Seen)
        running.process.find(frame_id, "the File menu")
        read = running.wait(Answered).answer
        running.process.find(frame_id, "the purple hedgehog")
        unread = running.wait(Answered).answer
    finally:
        running.process.close()
    assert (read.found, read.engine) == (True, "lite")
    assert (unread.found, unread.engine) == (False, "lite")
    assert "context has 256" in unread.reason
