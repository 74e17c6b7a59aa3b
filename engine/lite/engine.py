"""The `lite` engine: reads the screen (text, elements, icons), understands the query, chooses."""

from __future__ import annotations

import time
from collections.abc import Sequence

from fingerpost.engine.accessibility.merge import with_accessible
from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.lite.answers import answer
from fingerpost.engine.lite.devices import on_device
from fingerpost.engine.lite.icons import IconReader
from fingerpost.engine.lite.query import parse
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.lite.search import Search
from fingerpost.engine.lite.sight import Sight
from fingerpost.engine.values import Answer, Frame, Query


class LiteEngine:
    """Finds by OCR, classical vision and a small icon model. One instance serves one thread.

    threads  processor threads of the networks
    device   where the networks run, one of `devices.DEVICES`; a card that fails is replaced, with a `DeviceWarning`

    Between two calls only what changed on the screen is read again.
    """

    name = "lite"

    def __init__(self, threads: int = 1, device: str = "auto") -> None:
        with on_device(device):
            self._sight = Sight(threads)
            self._icons = IconReader(threads)
        self._told: tuple[Scene, Sequence[AccessibleNode], Scene] | None = None

    def see(self, frame: Frame) -> Scene:
        """Everything seen on the frame."""
        return self._sight.see(frame)

    def find(self, frame: Frame, query: Query, accessible: Sequence[AccessibleNode] = ()) -> Answer:
        """The places that fit the query, best first.

        accessible  what the programs on the frame tell about themselves, boxes in desktop physical pixels
        """
        start = time.perf_counter()
        scene = self._with_told(frame, self.see(frame), accessible)
        ranked, reading = Search(frame, scene, self._icons).find(parse(query.text))
        return answer(ranked, reading, frame.size, (time.perf_counter() - start) * 1000)

    def _with_told(self, frame: Frame, scene: Scene, nodes: Sequence[AccessibleNode]) -> Scene:
        """The scene with what is told; joined once for all queries on the same picture."""
        if not nodes:
            return scene
        if self._told is None or self._told[0] is not scene or self._told[1] is not nodes:
            self._told = scene, nodes, with_accessible(scene, nodes, frame)
        return self._told[2]
