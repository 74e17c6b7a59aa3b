"""The lite engine answers from its process as it does here."""

from __future__ import annotations

import queue
from dataclasses import replace
from pathlib import Path

from fingerpost.engine import pictures
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.process import Answered, EngineProcess, Event
from fingerpost.engine.values import Answer, Query


def test_the_lite_engine_answers_as_it_does_in_this_process(lite: LiteEngine, screenshot: Path) -> None:
    frame = pictures.load(screenshot)
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    process = EngineProcess(events.put, "lite")
    process.start()
    try:
        frame_id = process.look(frame)
        process.find(frame_id, "the Edit menu", session=1)
        edits = answer(events)
        process.find(frame_id, "the other one", session=1)
        other = answer(events)
    finally:
        process.close()
    assert timeless(edits) == timeless(lite.find(frame, Query("the Edit menu")))
    assert other.targets[0].box == edits.targets[1].box


def answer(events: queue.SimpleQueue[Event]) -> Answer:
    while not isinstance(event := events.get(timeout=60), Answered):
        pass
    return event.answer


def timeless(answer: Answer) -> Answer:
    return replace(answer, elapsed_ms=0.0)
