"""The `lite` engine: reads the screen (text, elements, icons), understands the query, chooses."""

from __future__ import annotations

import time

from fingerpost.engine.lite import candidates as find
from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.kinds import ENTRY
from fingerpost.engine.lite.query import ParsedQuery, parse
from fingerpost.engine.lite.ranking import Ranked, rank
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.lite.sight import Sight
from fingerpost.engine.values import Answer, Frame, Query, Target

MAX_TARGETS = 5


class LiteEngine:
    """Finds by OCR, classical vision and a small icon model, on the CPU. One instance serves one thread.

    Between two calls only what changed on the screen is read again.
    """

    name = "lite"

    def __init__(self, threads: int = 1) -> None:
        self._sight = Sight(threads)

    def see(self, frame: Frame) -> Scene:
        """Everything seen on the frame."""
        return self._sight.see(frame)

    def find(self, frame: Frame, query: Query) -> Answer:
        """The places that fit the query, best first."""
        start = time.perf_counter()
        scene = self.see(frame)
        parsed = parse(query.text)
        ranked = Ranked((), (), 0)
        for reading in (parsed, *parsed.alternatives):
            ranked = self._find(frame, scene, reading)
            if ranked.candidates:
                break
        return _answer(frame, ranked, (time.perf_counter() - start) * 1000)

    def _find(self, frame: Frame, scene: Scene, query: ParsedQuery) -> Ranked:
        if not query.name:
            return rank(scene, query, find.by_kind(scene, query.kinds))
        found: list[Candidate] = []
        if not query.kinds or query.kinds & ENTRY:
            found += find.by_label(scene, query.name)
        found += find.by_text(scene, query.name)
        return rank(scene, query, found)


def _answer(frame: Frame, ranked: Ranked, elapsed_ms: float) -> Answer:
    targets = tuple(
        Target(c.label, c.kind, *c.point, c.box, min(1.0, c.name_score), c.source)
        for c in ranked.candidates[:MAX_TARGETS]
    )
    return Answer(bool(targets), ranked.equal > 1, "lite", elapsed_ms, frame.size, targets)
