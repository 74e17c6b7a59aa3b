"""Questions that refer to what was said before: turns are only ever added, so that the state can go on from them.

A recurrent state cannot forget single turns. When there is no more room the conversation begins anew with the screen
as it is now and the last turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fingerpost.engine.holotron.prompt import Prompt, form_of
from fingerpost.engine.holotron.segments import Path, Picture, Text, length
from fingerpost.engine.values import Answer, FrameSize

KEPT_TURNS = 2
ANSWER = 64
"""Positions that an answer may take."""


@dataclass(frozen=True)
class Said:
    """A question and its answer."""

    target: Text
    answer: tuple[int, ...]

    @property
    def path(self) -> Path:
        """The answer token by token: as it was evaluated."""
        return (self.target, *(Text((token,)) for token in self.answer))


class Conversation:
    """The turns of one session.

    budget  positions that all turns together may take
    sent    the size that a frame is sent in
    """

    def __init__(self, prompt: Prompt, budget: int, sent: Callable[[FrameSize], FrameSize]) -> None:
        self._prompt = prompt
        self._budget = budget
        self._sent = sent
        self._path: Path = ()
        self._tiles: tuple[Picture, ...] = ()
        self._said: list[Said] = []
        self._asked: tuple[Path, Text] | None = None
        self.restarts = 0

    @property
    def turns(self) -> int:
        """How many turns the model remembers."""
        return len(self._said)

    def ask(self, tiles: Sequence[Picture], size: FrameSize, words: str) -> Path:
        """The path up to the answer, about the tiles of the screen as it is now."""
        target = self._prompt.target(words)
        before = self._continued(tuple(tiles), size)
        if not self._fits(before, target):
            before = self._restarted(tiles, size, target)
        self._tiles = tuple(tiles)
        self._asked = before, target
        return (*before, target)

    def answered(self, tokens: Sequence[int]) -> None:
        """Keep the answer to the last question."""
        if self._asked is None:
            raise ValueError("nothing was asked")
        before, target = self._asked
        said = Said(target, tuple(tokens))
        self._path = (*before, *said.path)
        self._said.append(said)
        self._asked = None

    def recall(self, words: str, answer: Answer) -> None:
        """Add a turn as if the model had answered it: one that was read, chosen by words like "the other one", or
        answered before this conversation began. One that found nothing is left out."""
        if not answer.targets:
            return
        best, size = answer.targets[0], self._sent(answer.frame)
        form = form_of(self._prompt.profile.localization, size)
        text = form.written(best.x / answer.frame.width, best.y / answer.frame.height)
        said = Said(self._prompt.target(words), self._prompt.tokenize(text, False))
        if self._path:
            self._path = (*self._path, *self._prompt.next_question(size), *said.path)
        self._said.append(said)

    def restart(self) -> None:
        """Begin anew at the next question, with the last turns."""
        self._path = ()

    def _continued(self, tiles: tuple[Picture, ...], size: FrameSize) -> Path:
        if not self._path:
            return self._anew(tiles, size)
        if tiles == self._tiles:
            return (*self._path, *self._prompt.next_question(size))
        return (*self._path, *self._prompt.next_screen(tiles, size))

    def _restarted(self, tiles: Sequence[Picture], size: FrameSize, target: Text) -> Path:
        """With as many of the last turns as there is room for."""
        self.restarts += 1
        self._said = self._said[-KEPT_TURNS:]
        while self._said and not self._fits(self._anew(tiles, size), target):
            self._said.pop(0)
        return self._anew(tiles, size)

    def _anew(self, tiles: Sequence[Picture], size: FrameSize) -> Path:
        path = self._prompt.screen(tiles, size)
        for said in self._said:
            path = (*path, *said.path, *self._prompt.next_question(size))
        return path

    def _fits(self, before: Path, target: Text) -> bool:
        return length(before) + target.length + ANSWER <= self._budget
