"""The words of the icon model: concepts with their names in several languages, and how a text is split into words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "vocabulary"
LANGUAGES = ("en", "de", "es", "pt")

_WORD = re.compile(r"[^\W_]+")
# What people say around a name; none of it tells one icon from another. Without accents, as `words` folds them.
_FILLERS = frozenset((
    # English
    "the", "a", "an", "icon", "icons", "button", "click", "press", "tap", "this", "that", "these", "of",
    "for", "with", "and", "toggle", "please", "by", "your", "my", "me", "item",
    "symbol",
    # German
    "der", "die", "das", "den", "dem", "ein", "eine", "einen", "klicke", "auf", "taste", "schaltflache", "knopf",
    "fur", "mit", "und", "oder", "diese", "diesen", "dieses", "im",
    # Spanish
    "el", "la", "los", "las", "un", "una", "icono", "boton", "pulsa", "haz", "clic", "en", "de", "del", "para",
    "con", "este", "esta",
    # Portuguese
    "os", "um", "uma", "icone", "botao", "clique", "da", "dos", "das", "com",
    "esse", "essa",
))  # fmt: skip


@dataclass(frozen=True)
class Concept:
    """Something icons show; `phrases` are its names in every language, the English key first."""

    key: str
    phrases: tuple[str, ...]
    english: int  # how many of the phrases, from the first, are English


def words(text: str) -> tuple[str, ...]:
    """ "Click the «Rückgängig» icon" -> ("ruckgangig",): folded to lower case without accents, without fillers.

    A text made of fillers only ("the icon", "this") keeps its words: they may be all there is.
    """
    found = _WORD.findall(_fold(_fold(text)))  # folding some signs yields letters that fold further
    return tuple(word for word in found if word not in _FILLERS) or tuple(found)


def _fold(text: str) -> str:
    """Lower case, compatibility forms resolved, accents removed."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(mark for mark in decomposed if not unicodedata.combining(mark))


def read_concepts(folder: Path = FOLDER) -> tuple[Concept, ...]:
    """All concepts, in the order of en.txt. Raises `KeyError` when a language names a concept en.txt lacks."""
    names = {language: _read(folder / f"{language}.txt") for language in LANGUAGES}
    english = names["en"]
    for language in LANGUAGES[1:]:
        if unknown := names[language].keys() - english.keys():
            raise KeyError(f"{language}.txt names concepts that en.txt lacks: {sorted(unknown)}")
    concepts = []
    for key, phrases in english.items():
        others = [phrase for language in LANGUAGES[1:] for phrase in names[language].get(key, ())]
        concepts.append(Concept(key, tuple(dict.fromkeys((*phrases, *others))), len(phrases)))
    return tuple(concepts)


def _read(file: Path) -> dict[str, tuple[str, ...]]:
    table = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            key, _, rest = line.partition(":")
            phrases = (key, *rest.split(","))
            table[key] = tuple(phrase.strip() for phrase in (phrases if file.stem == "en" else phrases[1:]))
    return table
