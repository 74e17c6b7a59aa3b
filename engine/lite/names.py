"""How surely a text on the screen is the name that was asked for.

Both are reduced to what readers and recognisers agree on: case, accents, kinds of dashes and quotes, a trailing
ellipsis and spaces are no difference; letters that look alike are a small one; digits must agree.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

_UNIFIED = str.maketrans(
    {
        "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "×": "x", "✕": "x", "’": "'", "‘": "'", "`": "'", "´": "'",
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "…": "...", "ß": "ss", "æ": "ae", "ø": "o", "ł": "l",
        "：": ":", "（": "(", "）": ")", "，": ",", "\u00a0": " ", "\u202f": " ",
    }
)  # fmt: skip
_LOOK_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "!": "l", "5": "s", "8": "b", "q": "g", ",": "."})
"""Characters that recognisers take for each other, after case folding."""

_ELLIPSIS = re.compile(r"\s*\.{2,}$")
_NUMBER = re.compile(r"\d+")
_NEGATIVE = re.compile(r"(?:^|(?<=[^\w\s])|(?<=[^\d\s]\s))-\d+")
"""A number below zero, and neither a range ("10 -20") nor a word with a hyphen ("A-1")."""
_WORD = re.compile(r"\S+")

SPACES_DIFFER, LOOKS_DIFFER, CUT_OFF = 0.97, 0.95, 0.9
"""Scores of texts that are equal but for spaces and signs, for look-alike letters, or cut off with an ellipsis."""
SIGN_DIFFERS = 0.9
"""The score of texts of a few letters with another sign: "5" is said of "5 %", but not when there is a "5"."""

ANOTHER_WORD, ANOTHER_NUMBER = 0.7, 0.7
"""At most this, when a word of a longer name is another word, or a number another one."""
_FEW = 6
"""Letters and digits of a text so short that a lost decimal point makes another number of it."""
_FEW_SIGNS = 3
"""Letters and digits of a text so short that a sign beside them makes another thing of it."""
_NEAR, _NEAR_SHORT = 60, 70
"""Percentages of likeness (`partial_ratio`) under which a line is not searched for a name, or for one of up to 5."""


@dataclass(frozen=True)
class Match:
    """Characters start..end of a line that are the name, and how surely, 0..1."""

    score: float
    start: int
    end: int


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """The text without what makes no difference; never empty unless the text is blank."""
    plain = text.lower() if text.isascii() else _unified(text)
    plain = " ".join(plain.split())
    short = _ELLIPSIS.sub("", plain).rstrip(":*").strip()
    return short or plain


def _unified(text: str) -> str:
    """Lower case without accents; dashes, quotes and the like in one form each."""
    plain = unicodedata.normalize("NFKD", text.translate(_UNIFIED)).casefold()  # some signs only then are letters
    plain = unicodedata.normalize("NFKD", plain)
    return "".join(c for c in plain if not unicodedata.combining(c)).translate(_UNIFIED)


@lru_cache(maxsize=8192)
def _compact(plain: str) -> str:
    """Letters and digits alone; the text itself when it has none of them ("+/-")."""
    return "".join(c for c in plain if c.isalnum()) or plain.replace(" ", "")


@lru_cache(maxsize=16384)
def similarity(name: str, seen: str) -> float:
    """1 for the same text, about 0.9 for a likely misreading, 0 for another text."""
    a, b = normalise(name), normalise(seen)
    if a == b:
        return 1.0 if a else 0.0
    if not a or not b:
        return 0.0
    compact_a, compact_b = _compact(a), _compact(b)
    if compact_a == compact_b:
        return _same_letters(a, b)
    if _looks(a) == _looks(b):
        return LOOKS_DIFFER if _same_numbers(a, b) or len(a) > 1 else 0.6
    if _ELLIPSIS.search(seen.translate(_UNIFIED)) and len(compact_b) >= 4 and compact_a.startswith(compact_b):
        return CUT_OFF
    score = _misread(compact_a, compact_b) if _same_numbers(a, b) else 0.0
    return min(score, ANOTHER_WORD) if score > ANOTHER_WORD and _words_differ(a, b) else score


def locate(name: str, line: str) -> Match | None:
    """The run of words of a line that is likest the name; None when nothing in it comes near."""
    wanted = normalise(name)
    if not _may_hold(_looks(normalise(line)), _looks(wanted)):
        return None
    whole = similarity(name, line)
    if whole >= LOOKS_DIFFER:
        return Match(whole, 0, len(line))
    words = [m.span() for m in _WORD.finditer(line)]
    count = len(wanted.split())
    best = Match(whole, 0, len(line))
    for length in range(max(1, count - 1), count + 2):
        for first in range(len(words) - length + 1):
            start, end = words[first][0], words[first + length - 1][1]
            if abs(end - start - len(wanted)) > len(wanted) // 3 + 4:  # 4: quotes and brackets around it
                continue
            score = similarity(name, line[start:end].strip(",;:()[]\"'") if length == count else line[start:end])
            if score > best.score:
                best = Match(score, start, end)
    return best if best.score > 0 else None


def _same_letters(a: str, b: str) -> float:
    """A score for texts that differ in spaces and signs alone, which matter in a short text: "1,5" is not "15"."""
    letters = len(_compact(a))
    if _NEGATIVE.findall(a) != _NEGATIVE.findall(b) or (letters <= _FEW and not _same_numbers(a, b)):
        return ANOTHER_NUMBER
    if letters > _FEW_SIGNS or _signs(a) == _signs(b):
        return SPACES_DIFFER
    return SIGN_DIFFERS if a.isalnum() or b.isalnum() else ANOTHER_NUMBER


def _may_hold(line: str, name: str) -> bool:
    """A quick look at a line that rules most lines out."""
    if len(name) < 2:
        return name in line
    return fuzz.partial_ratio(name, line, score_cutoff=_NEAR if len(name) > 5 else _NEAR_SHORT) > 0


def _misread(a: str, b: str) -> float:
    """A score for texts that differ in some letters: a short word bears none, a long one a few."""
    longer = max(len(a), len(b))
    edits = min(
        Levenshtein.distance(a, b, score_cutoff=longer // 3),
        Levenshtein.distance(_looks(a), _looks(b), score_cutoff=longer // 3) + 0.25,
    )
    return max(0.0, 1 - (1.5 if longer < 12 else 1.2) * edits / longer) if edits <= longer // 3 else 0.0


def _words_differ(a: str, b: str) -> bool:
    """Whether a word differs by more than a recogniser's slip: "increase" and "decrease", however long the rest is."""
    words_a, words_b = a.split(), b.split()
    return len(words_a) == len(words_b) and any(
        len(one) < 12 and Levenshtein.distance(_looks(one), _looks(other), score_cutoff=1) > 1
        for one, other in zip(words_a, words_b, strict=True)
    )


@lru_cache(maxsize=8192)
def _looks(plain: str) -> str:
    """What texts have in common that look alike: "modern" may be read "modem"."""
    return plain.translate(_LOOK_ALIKE).replace("rn", "m").replace("vv", "w").replace(" ", "")


def _same_numbers(a: str, b: str) -> bool:
    """Digits carry the meaning of a value: "13,3 KiB" is not "13,8 KiB"."""
    return _NUMBER.findall(a) == _NUMBER.findall(b) and _NEGATIVE.findall(a) == _NEGATIVE.findall(b)


def _signs(text: str) -> str:
    return "".join(c for c in text if not c.isalnum() and not c.isspace())
