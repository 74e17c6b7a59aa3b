"""Measures how a model tells places: which coordinates it means, and how many tiles it wants to see.

It is shown screens whose targets are known, and answers without being held to a form. Every convention reads the same
answers; the one whose places lie nearest to the targets is the model's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from fingerpost.engine.holotron.answers import Asked, free_text
from fingerpost.engine.holotron.prompt import Prompt, form_of
from fingerpost.engine.holotron.runtime import Runtime
from fingerpost.engine.values import Box, Frame, FrameSize
from fingerpost.models.profiles import COORDINATES, Calibration, Profile

GOOD = 0.5
"""Least share of hits for a convention to be believed."""
MISSED = 1.0
"""The error of an answer without a place, as a share of the picture's longer side."""


@dataclass(frozen=True)
class Known:
    """A target whose place is known: words, and box in frame pixels."""

    words: str
    box: Box


@dataclass(frozen=True)
class Shown:
    """A frame and what is on it."""

    frame: Frame
    goals: tuple[Known, ...]


@dataclass(frozen=True)
class Said:
    """What a model answered about a target, shown a picture of `sent` pixels."""

    goal: Known
    sent: FrameSize
    text: str


Ask = Callable[[Shown, str, int], list[Said]]
"""What a model says to all targets of a screen; asked in these coordinates, with at most so many tiles."""


@dataclass(frozen=True)
class Trial:
    """How well one convention read the answers: `asked` are the coordinates the prompt spoke of, `read` those it was
    read as."""

    asked: str
    read: str
    max_tiles: int
    median_error: float
    hit_rate: float
    answers: int

    @property
    def is_good(self) -> bool:
        return self.hit_rate >= GOOD and self.asked == self.read

    def as_calibration(self) -> Calibration:
        return Calibration(self.read, self.max_tiles, self.median_error, self.hit_rate)


def tilings_for(profile: Profile, wanted: Sequence[int]) -> tuple[int, ...]:
    """Of the numbers of tiles that are wanted, those that make a difference: a model that is shown a screen as one
    picture has no others to try."""
    return tuple(dict.fromkeys(wanted)) if profile.pictures.scheme == "grid" else (1,)


def calibrate(
    ask: Ask,
    profile: Profile,
    screens: Sequence[Shown],
    tilings: Sequence[int],
    told: Callable[[Trial], None] = lambda trial: None,
) -> list[Trial]:
    """All conventions with all tilings, good ones first, then by hits; `told` hears each when it is done."""
    trials: list[Trial] = []
    for max_tiles in tilings:
        for asked in COORDINATES:
            answers = [(shown, said) for shown in screens for said in ask(shown, asked, max_tiles)]
            for read in COORDINATES:
                results = [_result(said, shown.frame, profile, read) for shown, said in answers]
                errors, hits = [error for error, _ in results], [hit for _, hit in results]
                trial = Trial(asked, read, max_tiles, median(errors), sum(hits) / len(hits), len(results))
                trials.append(trial)
                told(trial)
    return sorted(trials, key=lambda trial: (not trial.is_good, -trial.hit_rate, trial.median_error))


def ask_model(runtime: Runtime) -> Ask:
    """Asks a loaded model, and lets it answer in its own words."""

    def ask(shown: Shown, asked: str, max_tiles: int) -> list[Said]:
        prompt = Prompt(with_coordinates(runtime.profile, asked), runtime.model.tokenize)
        view = runtime.viewer.whole(shown.frame, max_tiles)
        screen = prompt.screen(runtime.tiles.start_screen(view.tiles), view.sent)
        said = []
        for goal in shown.goals:
            question = Asked((*screen, prompt.target(goal.words)), (1, len(screen)), len(screen))
            form, model = runtime.profile.localization.answer, runtime.model
            text = free_text(runtime.cache, question, form, model.piece, model.ends)
            said.append(Said(goal, view.sent, text))
        return said

    return ask


def _result(said: Said, frame: Frame, profile: Profile, read: str) -> tuple[float, bool]:
    """How far an answer lies from the middle of its target, as a share of the longer side, and whether it hits it."""
    place = profile.localization.answer.place_in(said.text)
    form = form_of(with_coordinates(profile, read).localization, said.sent)
    if place is None or not (0 <= place[0] <= form.x.most and 0 <= place[1] <= form.y.most):
        return MISSED, False
    x, y = place[0] / form.x.most * frame.width, place[1] / form.y.most * frame.height
    middle = said.goal.box.centre
    distance = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) ** 0.5
    return distance / max(frame.width, frame.height), said.goal.box.contains(x, y)


def with_coordinates(profile: Profile, coordinates: str) -> Profile:
    """The profile as if it meant other coordinates."""
    return replace(profile, localization=replace(profile.localization, coordinates=coordinates))
