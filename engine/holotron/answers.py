"""Lets the model answer: the most probable tokens that keep to the form, and other answers where it was unsure.

At digits that matter and of which the model was not sure, the answer branches; branches are forks of the cached state,
so that each costs only its own tokens.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from fingerpost.engine.holotron.grammar import Form, Vocabulary
from fingerpost.engine.holotron.llama import Logits, go_on
from fingerpost.engine.holotron.segments import Path, Text
from fingerpost.models.profiles.answer import AnswerForm

MOST_ANSWERS = 5
MOST_BRANCHES = 12
"""So many branches are followed at most; several may end at the same place."""
LEAST_PROBABLE = 0.02
"""A branch less probable than this, all its digits together, is not followed."""
FINE = 0.01
"""Share of the range below which a digit says nothing about which thing is meant."""
FORKS = 1
"""So many states inside the answer are kept; a branch elsewhere starts from the nearest that is there."""
LONGEST = 64
"""Tokens after which an answer without a form ends."""


class Cache(Protocol):
    """What the answers need of a `StateCache`."""

    def evaluate(
        self, path: Path, keep: Collection[int] = (), pin: int | None = None, stopped: Callable[[], bool] = ...
    ) -> Logits: ...

    def extend(self, token: int) -> Logits: ...

    def fork_current(self) -> int: ...

    def release(self, handle: int) -> None: ...


@dataclass(frozen=True)
class Step:
    """One token of an answer, and its probability among those that keep to the form.

    others  what else was likely: token, text, probability; the most probable first
    """

    token: int
    piece: str
    probability: float
    others: tuple[tuple[int, str, float], ...] = ()


Steps = tuple[Step, ...]


@dataclass(frozen=True)
class Reading:
    """One answer. `x` and `y` are shares of the picture, 0..1; `confidence` is how probable this place was."""

    text: str
    x: float
    y: float
    confidence: float
    tokens: tuple[int, ...]


@dataclass(frozen=True)
class Asked:
    """A question's path, and what its evaluation keeps; see `StateCache.evaluate`."""

    path: Path
    keep: Collection[int] = ()
    pin: int | None = None
    stopped: Callable[[], bool] = lambda: False


def answers(
    cache: Cache,
    asked: Asked,
    form: Form,
    vocabulary: Vocabulary,
    most: int = MOST_ANSWERS,
    blur: float = 0.02,
    fine: float = FINE,
) -> list[Reading]:
    """The answers in the form, each at another place: the greedy one, then the others, most probable first.

    The greedy one is what the model says. Where its digits are spread over places near each other, another may be the
    more probable: then that one is told to be as sure, and not surer.

    blur  share of the range within which two answers mean the same
    fine  share within which digits make an answer no less sure

    Raises `StoppedError` within one tile or one token after `asked.stopped` says so.
    """
    writer = _Writer(cache, asked, form, vocabulary)
    try:
        first = writer.finish(cache.evaluate(asked.path, asked.keep, asked.pin, asked.stopped), ())
        found = [_reading(first, form, fine)]
        for branch in itertools.islice(writer.branches(), MOST_BRANCHES if most > 1 else 0):
            reading = _reading(branch, form, fine)
            if not any(_is_same(reading, other, blur) for other in found):
                found.append(reading)
            if len(found) == most:
                break
    finally:
        writer.release()
    total = max(1.0, sum(reading.confidence for reading in found))  # near places count each other's digits
    said, *others = (replace(reading, confidence=reading.confidence / total) for reading in found)
    others.sort(key=lambda reading: -reading.confidence)
    return [said, *(replace(other, confidence=min(other.confidence, said.confidence)) for other in others)]


def free_text(
    cache: Cache, asked: Asked, form: AnswerForm, piece: Callable[[int], bytes], ends: Callable[[int], bool]
) -> str:
    """What the model writes when nothing holds it to a form, up to an answer in `form` or where it ends.

    Stops as `answers` does.
    """
    logits = cache.evaluate(asked.path, asked.keep, asked.pin, asked.stopped)
    text = b""
    for _ in range(LONGEST):
        token = int(np.argmax(logits))
        if ends(token):
            break
        text += piece(token)
        if form.ends(text.decode(errors="replace")):
            break
        go_on(asked.stopped)
        logits = cache.extend(token)
    return text.decode(errors="replace")


class _Writer:
    """Writes answers token by token, and remembers where they may branch."""

    def __init__(self, cache: Cache, asked: Asked, form: Form, vocabulary: Vocabulary) -> None:
        self._cache = cache
        self._asked = asked
        self._form = form
        self._vocabulary = vocabulary
        self._forks: list[int] = []
        self._open: list[tuple[float, int, Steps]] = []  # a heap; the number keeps equal ones in their order
        self._numbers = itertools.count()

    def finish(self, logits: Logits, begun: Steps) -> Steps:
        """The whole answer that begins so; what it might have been instead is put on the heap."""
        steps = list(begun)
        text = _text(steps)
        while not self._form.matches(text):
            step = self._step(logits, text)
            steps.append(step)
            text += step.piece
            if self._form.matches(text):
                break
            if step.others and len(self._forks) < FORKS:
                self._forks.append(self._cache.fork_current())
            go_on(self._asked.stopped)
            logits = self._cache.extend(step.token)
        self._add_branches(tuple(steps), len(begun))
        return tuple(steps)

    def branches(self) -> Iterator[Steps]:
        """Other whole answers, the most probable beginning first."""
        while self._open:
            _, _, begun = heapq.heappop(self._open)
            if self._form.matches(_text(begun)):
                yield begun
                continue
            path = (*self._asked.path, *(Text((step.token,)) for step in begun))
            yield self.finish(self._cache.evaluate(path, stopped=self._asked.stopped), begun)

    def release(self) -> None:
        for fork in self._forks:
            self._cache.release(fork)

    def _step(self, logits: Logits, text: str) -> Step:
        tokens = self._vocabulary.allowed(self._form, text)
        values = logits[tokens].astype(np.float64)
        weights = np.exp(values - values.max())
        shares = weights / weights.sum()
        order = np.argsort(-shares, kind="stable")
        likely = [
            (int(tokens[place]), self._vocabulary.pieces[int(tokens[place])], float(shares[place]))
            for place in order
            if place == order[0] or shares[place] >= LEAST_PROBABLE
        ]
        return Step(*likely[0], tuple(likely[1:]))

    def _add_branches(self, steps: Steps, begun: int) -> None:
        """Every likely token that leads to another place than `steps` do."""
        point = self._form.point(_text(steps))
        text, before = _text(steps[:begun]), _probability(steps[:begun], self._form)
        for number in range(begun, len(steps)):
            step = steps[number]
            if self._form.reach(text, step.piece) is not None:
                for token, piece, share in step.others:
                    if before * share >= LEAST_PROBABLE and not _means(self._form, text, piece, point):
                        rest = tuple(
                            other
                            for other in (*step.others, (step.token, step.piece, step.probability))
                            if other[0] != token
                        )
                        branch = (*steps[:number], Step(token, piece, share, rest))
                        heapq.heappush(self._open, (-before * share, next(self._numbers), branch))
                before *= step.probability
            text += step.piece


def _reading(steps: Steps, form: Form, fine: float) -> Reading:
    text = _text(steps)
    x, y = form.point(text)
    tokens = tuple(step.token for step in steps)
    return Reading(text, x / form.x.most, y / form.y.most, _sure(steps, form, (x, y), fine), tokens)


def _probability(steps: Steps, form: Form) -> float:
    """Of exactly these digits."""
    text, product = "", 1.0
    for step in steps:
        product *= 1.0 if form.reach(text, step.piece) is None else step.probability
        text += step.piece
    return product


def _is_same(one: Reading, other: Reading, blur: float) -> bool:
    return abs(one.x - other.x) <= blur and abs(one.y - other.y) <= blur


def _sure(steps: Steps, form: Form, point: tuple[float, float], fine: float) -> float:
    """How probable it is to answer `point`, or so near to it that it means the same."""
    pieces, product = [step.piece for step in steps], 1.0
    for number, step in enumerate(steps):
        before, behind = "".join(pieces[:number]), "".join(pieces[number + 1 :])
        if form.reach(before, step.piece) is not None:
            others = sum(share for _, piece, share in step.others if _is_near(form, before, piece, behind, point, fine))
            product *= step.probability + others
    return min(1.0, product)


def _is_near(form: Form, before: str, piece: str, behind: str, point: tuple[float, float], fine: float) -> bool:
    """Whether an answer that goes on with `piece`, and is not shorter than the one with `behind`, is within `fine`."""
    reach = form.reach(before, piece)
    if reach is None:  # a space, say
        return True
    if not form.matches(before + piece + behind):
        return False
    axis, _, high = reach
    place, most = form.point(before + piece + behind)[axis], (form.x, form.y)[axis].most
    return abs(place - point[axis]) <= fine * most and abs(high - point[axis]) <= fine * most


def _means(form: Form, text: str, piece: str, point: tuple[float, float]) -> bool:
    """Whether an answer that goes on with `piece` can only mean the same place as `point`, as far as that decides."""
    reach = form.reach(text, piece)
    if reach is None:
        return True
    axis, low, high = reach
    fine = FINE * (form.x, form.y)[axis].most
    return abs(low - point[axis]) <= fine and abs(high - point[axis]) <= fine


def _text(steps: Iterable[Step]) -> str:
    return "".join(step.piece for step in steps)
