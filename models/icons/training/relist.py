"""Takes the names of the vocabulary over into `words.npz` without training again: `python -m ...training.relist`.

For names that say a meaning of a shape the network knows already ("go up" is drawn as a chevron, too). The file's
digest changes: put the new one into models/digests.txt.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fingerpost.models.icons.vocabulary import read_concepts, words

FILE = Path(__file__).parents[1] / "words.npz"


def main() -> None:
    concepts = read_concepts()
    with np.load(FILE) as content:
        arrays = dict(content)
    if list(arrays["concepts"]) != [concept.key for concept in concepts]:
        raise SystemExit("The vocabulary's concepts are not those of the network: train it again.")
    names = sorted({(" ".join(words(phrase)), i) for i, concept in enumerate(concepts) for phrase in concept.phrases})
    arrays["names"] = np.array([name for name, _ in names])
    arrays["name_concepts"] = np.array([concept for _, concept in names], dtype=np.int16)
    with FILE.open("wb") as file:
        np.savez_compressed(file, **arrays)


if __name__ == "__main__":
    main()
