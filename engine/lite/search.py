"""Looks for a query on a scene: reading by reading, first by what is written, then by pictures and other wordings."""

from __future__ import annotations

from collections.abc import Sequence

from fingerpost.engine.lite import kinds
from fingerpost.engine.lite.candidates import CLEAR, Candidate, by_kind, without_doubles
from fingerpost.engine.lite.icon_search import by_icon, field_with_icon
from fingerpost.engine.lite.icons import CONFIDENT, IconReader
from fingerpost.engine.lite.kinds import ENTRY
from fingerpost.engine.lite.labels import address_bar, by_label
from fingerpost.engine.lite.names import LOOKS_DIFFER, normalise
from fingerpost.engine.lite.query import ParsedQuery
from fingerpost.engine.lite.ranking import Ranked, rank
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.lite.spreadsheet import by_cell, header
from fingerpost.engine.lite.texts import by_text, menu_entries
from fingerpost.engine.lite.told_names import by_told_name, with_told_names
from fingerpost.engine.lite.wordings import by_synonym, by_told_synonym
from fingerpost.engine.values import Frame

PICTURED = frozenset({"icon"})
"""Who asks for one of these wants a picture: a text of the same name is not meant when there is one."""
CELL = frozenset({"cell"})
HEADED = frozenset({"list item", "column header"})
"""Rows and columns, which have a header in a spreadsheet."""
ADDRESS_WORDS = frozenset(
    {"address", "url", "adresse", "adressleiste", "adresszeile", "direccion", "direcciones", "endereco", "enderecos"}
)
PRESSABLE = frozenset({"button", "icon", "switch", "menu", "tab"})
"""Kinds that may be shown by a picture alone."""
FEWEST_ROWS = 3
"""Rows that are counted at least: only marked rows have an outline, and one alone does not tell its number."""
PREFERRED = 0.75
"""Score from which on a picture is meant by who asks for an icon, though a text of that name is there."""
NOTHING = Ranked((), (), 0)


class Search:
    """A search on one scene; `frame` is its picture."""

    def __init__(self, frame: Frame, scene: Scene, icons: IconReader) -> None:
        self._frame = frame
        self._scene = scene
        self._icons = icons

    def find(self, query: ParsedQuery) -> tuple[Ranked, ParsedQuery]:
        """What fits the first reading that is on the screen, and that reading; nothing and the query when none is."""
        readings = (query, *query.alternatives)
        for guessed in (False, True):
            for look in (self._as_written, self._otherwise):
                for reading in (r for r in readings if r.guessed == guessed):
                    ranked = look(reading)
                    if ranked.candidates:
                        return self._longer(ranked, reading, readings)
        return NOTHING, query

    def _longer(
        self, ranked: Ranked, reading: ParsedQuery, readings: Sequence[ParsedQuery]
    ) -> tuple[Ranked, ParsedQuery]:
        """The longest reading that is a label of its own, when the one found is only a part of it, or unsure.

        "Match whole word" may be the name "Match whole" of a "word"; a label that says all of it settles that.
        """
        best = ranked.candidates[0]
        if _is_label(best) and kinds.fit(reading.kinds, best.kind) > kinds.UNTOLD:
            return ranked, reading
        words = normalise(reading.name).split()
        longer = [
            r for r in readings if len(r.name) > len(reading.name) and _contains(normalise(r.name).split(), words)
        ]
        for other in sorted(longer, key=lambda r: len(r.name), reverse=True):
            found = rank(self._scene, other, self._by_words(other))
            if found.candidates and _is_label(found.candidates[0]):
                return found, other
        return ranked, reading

    def _as_written(self, query: ParsedQuery) -> Ranked:
        """What reads as the query says, or is told so, or is of the kind when it says no name."""
        if not query.name:
            return self._nameless(query)
        ranked = rank(self._scene, query, self._by_words(query))
        if not query.kinds & PICTURED or (ranked.candidates and ranked.candidates[0].source == "accessibility"):
            return ranked
        pictured = self._pictured(query)
        sure = pictured.candidates and pictured.candidates[0].name_score >= PREFERRED
        return pictured if sure or not ranked.candidates else ranked

    def _otherwise(self, query: ParsedQuery) -> Ranked:
        """What shows or says the same in another way; none of it is as sure as the name itself."""
        if not query.name:
            return NOTHING
        told = rank(self._scene, query, by_told_synonym(self._scene, query))
        if told.candidates:
            return told
        pictured = self._pictured(query) if not query.kinds or query.kinds & PRESSABLE else NOTHING
        return pictured if pictured.candidates else rank(self._scene, query, by_synonym(self._scene, query))

    def _pictured(self, query: ParsedQuery) -> Ranked:
        """Pictures that show what the name says."""
        icons = by_icon(self._frame, self._scene, self._icons, [query.name])
        confident = any(c.name_score >= CONFIDENT for c in icons)
        return rank(self._scene, query, icons, least=CONFIDENT) if confident else NOTHING

    def _nameless(self, query: ParsedQuery) -> Ranked:
        """Everything of the kind; for a field next to something, also what that names though it looks otherwise."""
        if query.kinds & HEADED and query.ordinal is not None:
            head = header(self._scene, query.kinds, number=query.ordinal)
            if head is not None:
                return Ranked((head,), (head.name_score,), 1)
        found = by_kind(self._scene, query.kinds)
        if query.ordinal is not None and len([c for c in found if c.kind == "list item"]) < FEWEST_ROWS:
            found = [c for c in found if c.kind != "list item"]
        if "menu item" in query.kinds:
            found = [*found, *menu_entries(self._scene)]
        if query.kinds & ENTRY:
            named = [c for anchor in query.anchors for c in by_label(self._scene, self._scene.lines, anchor.name)]
            found = without_doubles([*found, *named])
        return rank(self._scene, query, found)

    def _by_words(self, query: ParsedQuery) -> list[Candidate]:
        """What a text on the screen leads to, or a name that its program tells."""
        scene = self._scene
        found: list[Candidate] = []
        if query.kinds & CELL:
            found += by_cell(scene, query.name)
        told = by_told_name(scene, query.name)
        if query.kinds & HEADED:
            head = header(scene, query.kinds, name=query.name)
            found += [head] if head is not None else []
        if query.kinds & ENTRY:
            entries = [c for c in told if c.kind in ENTRY and c.name_score >= CLEAR]
            found += entries or by_label(scene, scene.lines, query.name)
            found = found or field_with_icon(self._frame, scene, self._icons, query.name)
            if not found and names_address_bar(query.name):
                found = address_bar(scene)
        elif not query.kinds:
            found += by_label(scene, [line for line in scene.lines if line.text.endswith(":")], query.name)
        return found or with_told_names(by_text(scene, query.name, query.kinds), told, query.kinds)


def names_address_bar(name: str) -> bool:
    """Whether a name means a browser's address bar, in the four languages of the lexicon."""
    return bool(ADDRESS_WORDS & set(normalise(name).replace("-", " ").split()))


def _is_label(candidate: Candidate) -> bool:
    """Whether it reads like the name, and nothing else stands in its line."""
    return candidate.source != "icon" and candidate.name_score >= LOOKS_DIFFER and candidate.coverage >= CLEAR


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(words[i : i + len(part)]) == list(part) for i in range(len(words) - len(part) + 1))
