"""The `lite` engine: reads the screen (text, elements, icons), understands the query, chooses."""

from __future__ import annotations

import time
from collections.abc import Sequence

from fingerpost.engine.accessibility.merge import with_accessible
from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.lite import candidates as find
from fingerpost.engine.lite.answers import answer
from fingerpost.engine.lite.candidates import Candidate
from fingerpost.engine.lite.devices import on_device
from fingerpost.engine.lite.icon_search import by_icon, field_with_icon
from fingerpost.engine.lite.icons import CONFIDENT, IconReader
from fingerpost.engine.lite.kinds import ENTRY
from fingerpost.engine.lite.names import normalise
from fingerpost.engine.lite.query import ParsedQuery, parse
from fingerpost.engine.lite.ranking import Ranked, rank
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.lite.sight import Sight
from fingerpost.engine.values import Answer, Frame, Query

PICTURED = frozenset({"icon"})
"""Who asks for one of these wants a picture: a menu entry of the same name is not meant when there is one."""
NOT_PICTURED = frozenset({"menu", "menu item", "list item", "link"})
CELL = frozenset({"cell"})
ADDRESS_WORDS = frozenset(
    {"address", "url", "adresse", "adressleiste", "adresszeile", "direccion", "direcciones", "endereco", "enderecos"}
)
PRESSABLE = frozenset({"button", "icon", "switch", "menu", "tab"})
"""Kinds that may be shown by a picture alone."""


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
        parsed = parse(query.text)
        ranked = Ranked((), (), 0)
        for reading in (parsed, *parsed.alternatives):
            ranked = self._find(frame, scene, reading)
            if ranked.candidates:
                break
        return answer(ranked, parsed, frame.size, (time.perf_counter() - start) * 1000)

    def _with_told(self, frame: Frame, scene: Scene, nodes: Sequence[AccessibleNode]) -> Scene:
        """The scene with what is told; joined once for all queries on the same picture."""
        if not nodes:
            return scene
        if self._told is None or self._told[0] is not scene or self._told[1] is not nodes:
            self._told = scene, nodes, with_accessible(scene, nodes, frame)
        return self._told[2]

    def _find(self, frame: Frame, scene: Scene, query: ParsedQuery) -> Ranked:
        if not query.name:
            return rank(scene, query, find.by_kind(scene, query.kinds))
        ranked = rank(scene, query, self._by_words(frame, scene, query))
        if ranked.candidates and not (query.kinds & PICTURED and ranked.candidates[0].kind in NOT_PICTURED):
            return ranked
        told = rank(scene, query, find.by_told_synonym(scene, query))
        if told.candidates:
            return told
        if not query.kinds or query.kinds & PRESSABLE:
            icons = by_icon(frame, scene, self._icons, [query.name])
            if _any_confident(icons):
                return rank(scene, query, icons, least=CONFIDENT)
        return ranked if ranked.candidates else rank(scene, query, find.by_synonym(scene, query))

    def _by_words(self, frame: Frame, scene: Scene, query: ParsedQuery) -> list[Candidate]:
        """What a text on the screen leads to."""
        found: list[Candidate] = []
        if query.kinds & CELL:
            found += find.by_cell(scene, query.name)
        told = find.by_told_name(scene, query.name)
        if query.kinds & ENTRY:
            entries = [c for c in told if c.kind in ENTRY and c.name_score >= find.CLEAR]
            found += entries or find.by_label(scene, scene.lines, query.name)
            found = found or field_with_icon(frame, scene, self._icons, query.name)
            if not found and names_address_bar(query.name):
                found = find.address_bar(scene)
        elif not query.kinds:
            found += find.by_label(scene, [line for line in scene.lines if line.text.endswith(":")], query.name)
        return found or find.with_told_names(find.by_text(scene, query.name, query.kinds), told, query.kinds)


def names_address_bar(name: str) -> bool:
    """Whether a name means a browser's address bar, in the four languages of the lexicon."""
    return bool(ADDRESS_WORDS & set(normalise(name).replace("-", " ").split()))


def _any_confident(icons: list[Candidate]) -> bool:
    return any(c.name_score >= CONFIDENT for c in icons)
