"""Questions that refer to what was said before.

About one screen turns are only ever added, so that the state goes on from where it is. A new screen begins anew: from
the state that was evaluated for it in the background, with the last turns as text behind it. So a question costs the
same whether the screen has changed or not, and a screen that changed in part is evaluated from its first changed tile
on. The picture before is not kept: it would take thousands of positions, and none of the new screen's state would fit
behind it. When there is no more room the conversation begins anew in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fingerpost.engine.holotron.prompt import Prompt, form_of
from fingerpost.engine.holotron.segments import Path, Picture, Text, length
from fingerpost.engine.values import Answer, FrameSize

KEPT_TURNS = 2
"""So many of the last turns are told anew behind a new screen."""
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


@dataclass(frozen=True)
class Standing:
    """All that was said so far.

    path   as it was evaluated, up to the last answer; () when the next question begins anew
    tiles  of the screen that it is about
    """

    path: Path = ()
    tiles: tuple[Picture, ...] = ()
    said: tuple[Said, ...] = ()


class Conversation:
    """The turns of one session.

    budget    positions that all turns together may take
    sent      the size that a frame is sent in
    standing  may be set to an earlier value: what came after it was never said
    restarts  how often there was no more room
    """

    def __init__(self, prompt: Prompt, budget: int, sent: Callable[[FrameSize], FrameSize]) -> None:
        self._prompt = prompt
        self._budget = budget
        self._sent = sent
        self._asked: tuple[Standing, Text] | None = None
        self.standing = Standing()
        self.restarts = 0

    @property
    def turns(self) -> int:
        """How many turns the model remembers."""
        return len(self.standing.said)

    def ask(self, tiles: Sequence[Picture], size: FrameSize, words: str) -> Path:
        """The path up to the answer, about the tiles of the screen as it is now. Nothing is kept before `answered`."""
        target = self._prompt.target(words)
        before = self._before(tuple(tiles), size, target)
        self._asked = before, target
        return (*before.path, target)

    def answered(self, tokens: Sequence[int]) -> None:
        """Keep the last question with its answer. One that found nothing is not kept: it was not answered."""
        if self._asked is None:
            raise ValueError("nothing was asked")
        before, target = self._asked
        said = Said(target, tuple(tokens))
        self.standing = replace(before, path=(*before.path, *said.path), said=(*before.said, said))
        self._asked = None

    def recall(self, words: str, answer: Answer) -> None:
        """Add a turn as if the model had answered it: one that was read, chosen by words like "the other one", or
        answered before this conversation began. One that found nothing is left out."""
        if not answer.targets:
            return
        said = Said(self._prompt.target(words), self.written(answer))
        path = self.standing.path
        if path:
            path = (*path, *self._prompt.next_question(self._sent(answer.frame)), *said.path)
        self.standing = replace(self.standing, path=path, said=(*self.standing.said, said))

    def written(self, answer: Answer) -> tuple[int, ...]:
        """The best place of an answer in the model's words, as tokens; they mean the middle of its pixel."""
        best, frame = answer.targets[0], answer.frame
        form = form_of(self._prompt.profile.localization, self._sent(frame))
        text = form.written((best.x + 0.5) / frame.width, (best.y + 0.5) / frame.height)
        return self._prompt.tokenize(text, False)

    def _before(self, tiles: tuple[Picture, ...], size: FrameSize, target: Text) -> Standing:
        """Up to the user's words."""
        now = self.standing
        if now.path and now.tiles == tiles:
            path = (*now.path, *self._prompt.next_question(size))
            if self._fits(path, target):
                return replace(now, path=path)
            self.restarts += 1
        said = now.said[-KEPT_TURNS:]
        while said and not self._fits(self._anew(tiles, size, said), target):
            said = said[1:]
        return Standing(self._anew(tiles, size, said), tiles, said)

    def _anew(self, tiles: tuple[Picture, ...], size: FrameSize, turns: Sequence[Said]) -> Path:
        path = self._prompt.screen(tiles, size)
        for said in turns:
            path = (*path, *said.path, *self._prompt.next_question(size))
        return path

    def _fits(self, before: Path, target: Text) -> bool:
        return length(before) + target.length + ANSWER <= self._budget
