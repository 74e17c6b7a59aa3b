"""What each drawing is called: its concept, the texts that describe it, and the words worth a vector."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fingerpost.models.icons.training.dataset import Drawing
from fingerpost.models.icons.vocabulary import Concept, words

_LEAST_ICONS = 5  # a word on fewer icons is not learned from them
_LONGEST_TAG = 40  # characters


@dataclass(frozen=True)
class Label:
    """`group` is equal for drawings of one meaning; `concept` is -1 for none."""

    group: int
    concept: int
    texts: tuple[tuple[int, ...], ...]  # own name first, then aliases and tags, as word numbers


def concept_by_name(concepts: Sequence[Concept]) -> dict[tuple[str, ...], int]:
    """Concepts by their English names, split into words; names of several concepts only count as keys."""
    uses = Counter(words(phrase) for concept in concepts for phrase in set(concept.phrases[: concept.english]))
    table = {words(concept.key): i for i, concept in enumerate(concepts)}
    for i, concept in enumerate(concepts):
        for phrase in concept.phrases[: concept.english]:
            if uses[words(phrase)] == 1:
                table.setdefault(words(phrase), i)
    return table


def concept_of(drawing: Drawing, by_name: dict[tuple[str, ...], int]) -> int:
    """The concept of an icon by its exact name; desktop themes often have it as another name of the file."""
    for name in (drawing.name, *drawing.aliases):
        if (found := by_name.get(words(name))) is not None:
            return found
    return -1


def word_list(drawings: Sequence[Drawing], concepts: Sequence[Concept]) -> list[str]:
    """All words that get a vector: the concepts' own, and those on enough training icons."""
    count: Counter[str] = Counter()
    for drawing in drawings:
        if not drawing.held_out:
            count.update({word for text in (drawing.name, *drawing.aliases, *drawing.tags) for word in words(text)})
    own = {word for concept in concepts for phrase in concept.phrases for word in words(phrase)}
    return sorted(own | {word for word, icons in count.items() if icons >= _LEAST_ICONS and not word.isdigit()})


def label(drawings: Sequence[Drawing], by_name: dict[tuple[str, ...], int], numbers: dict[str, int]) -> list[Label]:
    """One label for each drawing."""
    groups: dict[object, int] = {}
    labels = []
    for drawing in drawings:
        concept = concept_of(drawing, by_name)
        group = groups.setdefault(concept if concept >= 0 else drawing.name, len(groups))
        texts = [drawing.name, *(text for text in (*drawing.aliases, *drawing.tags) if len(text) <= _LONGEST_TAG)]
        numbered = (tuple(numbers[word] for word in words(text) if word in numbers) for text in texts)
        labels.append(Label(group, concept, tuple(text for text in numbered if text)))
    return labels
